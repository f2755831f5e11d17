"""The peer: compiles the benchmark sources against the libtorch inside a PyTorch wheel."""

import json
import subprocess
from pathlib import Path

BENCH = Path(__file__).resolve().parent
OUTPUT = BENCH.parent / "build" / "bench-libtorch"

# The wheel says where it is, which version it is and which C++ ABI it wants.
ASK = """
import json, pathlib, torch
print(json.dumps({
    "folder": str(pathlib.Path(torch.__file__).parent),
    "version": torch.__version__,
    "abi": int(torch._C._GLIBCXX_USE_CXX11_ABI),
}))
"""


class Libtorch:
    def __init__(self, venv: Path):
        self.python = venv / "bin" / "python"
        command = [str(self.python), "-c", ASK]
        facts = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        self.folder = Path(facts["folder"])
        self.version = facts["version"]
        self.abi = facts["abi"]

    def compile_flags(self) -> list[str]:
        include = self.folder / "include"
        return [
            "-DBENCH_LIBTORCH",
            f"-D_GLIBCXX_USE_CXX11_ABI={self.abi}",
            f"-isystem{include}",
            f"-isystem{include / 'torch' / 'csrc' / 'api' / 'include'}",
        ]

    def link_flags(self) -> list[str]:
        folder = self.folder / "lib"
        return [f"-L{folder}", f"-Wl,-rpath,{folder}", "-ltorch", "-ltorch_cpu", "-lc10"]

    def program(self, name: str) -> Path:
        """Builds bench/<name>.cpp, once for these sources and this libtorch."""
        OUTPUT.mkdir(parents=True, exist_ok=True)
        program, stamp = OUTPUT / name, OUTPUT / f"{name}.version"
        sources = [BENCH / f"{name}.cpp", BENCH / "peer.h", BENCH / "rows.h"]
        newest = max(source.stat().st_mtime for source in sources)
        fresh = program.exists() and stamp.exists() and program.stat().st_mtime > newest
        if not fresh or stamp.read_text() != self.version:
            command = ["g++", "-std=c++20", "-O2", "-DNDEBUG", *self.compile_flags()]
            command += [str(sources[0]), "-o", str(program), *self.link_flags()]
            subprocess.run(command, check=True)
            stamp.write_text(self.version)
        return program
