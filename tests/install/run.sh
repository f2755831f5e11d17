#!/usr/bin/env bash
# run.sh BUILD_DIR: installs the library, moves it, and builds users' projects against it: a program,
# and a library with an operator of its own.
set -euo pipefail
build=$(realpath "${1:?usage: run.sh BUILD_DIR}")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "install test: $*" >&2
  exit 1
}

cmake --install "$build" --prefix "$work/first" --component cpp >"$work/install.log" ||
  fail "cmake --install failed: $(tail -n 5 "$work/install.log")"
mv "$work/first" "$work/moved" # relocatable: nothing may remember the first place

if grep -rlF -e "$work/first" -e "$build" "$work/moved" --include='*.cmake' --include='*.h'; then
  fail "the files above name the place where the library was built or first installed"
fi

build_project() { # <source folder> <name>
  # With the user's warnings on, also about our headers.
  cmake -S "$1" -B "$work/$2" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror" >"$work/configure.log" 2>&1 ||
    fail "find_package(Eagre) failed in $1: $(tail -n 20 "$work/configure.log")"
  cmake --build "$work/$2" >"$work/build.log" 2>&1 || fail "$1 does not compile: $(cat "$work/build.log")"
}
expect() {
  [[ $output == *"$1"* ]] || fail "expected '$1' in the output: $output"
}

build_project "$here" hello
output=$("$work/hello/hello") || fail "hello exited with $?"
expect "grad 2 4 6"
expect "shapes [2] and [3] do not broadcast"
expect "hello.cpp:18"
# Not `| grep -q`, which may end before ldd has written all.
[[ $(ldd "$work/hello/hello") == *"$work/moved/"*libeagre.so* ]] || fail "it does not run with the installed library"

example=$here/../../examples/cpp/custom_op
build_project "$example" custom_op
output=$("$work/custom_op/smooth" "$work/custom_op/ema.so") || fail "smooth exited with $?"
expect "a step, smoothed: tensor([0.5000, 0.7500, 0.8750, 0.9375])"
expect "the gradients are right"
expect "refused: filters::ema(): argument 'decay' must be a number from 0"
expect "smooth.cpp:"
if [[ -d $build/python/eagre ]]; then
  python=$(sed -n 's/^EAGRE_PYTHON:[A-Z]*=//p' "$build/CMakeCache.txt")
  output=$(PYTHONPATH="$build/python" "$python" "$example/smooth.py" "$work/custom_op/ema.so" 2>&1) ||
    fail "smooth.py exited with $?: $output"
  expect "<eagre operator filters::ema(Tensor input, float decay=0.9) -> Tensor>"
  expect "signal [0.0, 1.0, 1.0, 1.0]"
  expect "refused: filters::ema(): argument 'decay' must be"
fi
echo "install test: ok"
