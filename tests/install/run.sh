#!/usr/bin/env bash
# run.sh BUILD_DIR: installs the library, moves it, and builds a user's program against it.
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

cmake -S "$here" -B "$work/hello" -DCMAKE_PREFIX_PATH="$work/moved" >"$work/configure.log" 2>&1 ||
  fail "find_package(Eagre) failed: $(tail -n 20 "$work/configure.log")"
cmake --build "$work/hello" >"$work/build.log" 2>&1 || fail "it does not compile: $(cat "$work/build.log")"

output=$("$work/hello/hello") || fail "hello exited with $?"
expect() {
  [[ $output == *"$1"* ]] || fail "expected '$1' in the output: $output"
}
expect "grad 2 4 6"
expect "add(): shapes [2] and [3] do not broadcast"
expect "hello.cpp:18"
ldd "$work/hello/hello" | grep -q "$work/moved/.*libeagre.so" || fail "it does not run with the installed library"
echo "install test: ok"
