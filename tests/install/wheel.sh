#!/usr/bin/env bash
# wheel.sh BUILD_DIR: makes a wheel of a build tree, looks into it, and uses it from an environment
# of its own, without NumPy. Then the same for an editable installation.
set -euo pipefail
build=$(realpath "${1:?usage: wheel.sh BUILD_DIR}")
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$(mktemp -d)
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
prefix=$(cached CMAKE_INSTALL_PREFIX)
# The tree is left as it was found: pip chooses another place for installing.
trap 'rm -rf "$work"; cmake -DCMAKE_INSTALL_PREFIX="$prefix" "$build" >/dev/null' EXIT
readonly MAX_BYTES=10000000
# What every Linux has.
readonly ALLOWED=" libeagre.so.0 libstdc++.so.6 libm.so.6 libgcc_s.so.1 libc.so.6 ld-linux-x86-64.so.2 "

fail() {
  echo "wheel test: $*" >&2
  exit 1
}

python=$(cached EAGRE_PYTHON)
# The tree as it was configured: nothing is to be compiled again.
settings=(-C "build-dir=$build")
for name in EAGRE_PYTHON EAGRE_BUILD_TESTS EAGRE_BUILD_BENCH EAGRE_BUILD_EXAMPLES CMAKE_CXX_FLAGS_RELEASE \
  CMAKE_CXX_COMPILER_LAUNCHER; do
  settings+=(-C "cmake.define.$name=$(cached "$name")")
done

cd "$root"
"$python" -m pip wheel . --no-deps --no-build-isolation -w "$work" "${settings[@]}" >"$work/wheel.log" 2>&1 ||
  fail "pip wheel failed: $(tail -n 20 "$work/wheel.log")"
wheel=$(echo "$work"/eagre-*.whl)
bytes=$(stat -c %s "$wheel")
((bytes <= MAX_BYTES)) || fail "the wheel has $bytes bytes, more than $MAX_BYTES"

"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index --no-deps "$wheel"
for library in "$work"/venv/lib/python3*/site-packages/eagre/*.so*; do
  while read -r needed; do
    [[ $ALLOWED == *" $needed "* ]] || fail "$(basename "$library") needs $needed"
  done < <(objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }')
done

use() { # <python>: trains something, away from the sources
  (cd / && "$1" -W error - "$root") <<'USE' || fail "the installed package does not work"
import sys
import eagre as torch

assert "numpy" not in sys.modules, "import eagre imports NumPy"
w = torch.zeros(2, requires_grad=True)
x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
y = x @ torch.tensor([2.0, -1.0])
for _ in range(5000):
    ((x @ w - y) ** 2).mean().backward()
    with torch.no_grad():
        w -= 0.015 * w.grad
        w.grad = None
assert (w - torch.tensor([2.0, -1.0])).abs().amax() < 0.1, w
print(torch.__version__, "from", torch.__file__)
USE
}
use "$work/venv/bin/python"

"$python" -m venv --system-site-packages "$work/editable"
editable=$work/editable/bin/python
"$editable" -m pip install --quiet --no-index --no-deps "$wheel" # replaced by the next line
PYTHONPATH=$("$python" -c "import sysconfig; print(sysconfig.get_path('purelib'))") "$editable" -m pip install --no-deps \
  --no-build-isolation -e . "${settings[@]}" >"$work/editable.log" 2>&1 ||
  fail "pip install -e . failed: $(tail -n 20 "$work/editable.log")"
use "$editable"
where=$(cd / && "$editable" -c "import eagre; print(eagre.__file__)")
[[ $where == "$root/python/eagre/__init__.py" ]] || fail "an editable installation runs $where"
echo "wheel test: ok, $bytes bytes"
