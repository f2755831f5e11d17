"""tidy_files.py: hand-written sources once each, by commands without precompiled headers."""

import json

import tidy_files

ROOT = tidy_files.ROOT
PCH = f"-Winvalid-pch -include {ROOT}/build/release/CMakeFiles/eagre.dir/cmake_pch.hxx"


def entry(file, options=""):
    return {"directory": "/", "file": f"{ROOT}/{file}", "command": f"c++ {options} -c {file}"}


def test_commands_are_those_of_the_build_without_precompiled_headers(tmp_path, monkeypatch, capsys):
    build, out = tmp_path / "release", tmp_path / "tidy"
    build.mkdir()
    entries = [
        entry("eagre/core/shape.cpp", PCH),
        entry("eagre/core/shape.cpp", f"-O3 {PCH}"),
        entry("build/release/gen/ops/view_0.cpp", PCH),
        entry("eagre/kernels/cpu/isa/random.cpp"),
        entry("tests/sim/broken_plugin.c"),
    ]
    (build / "compile_commands.json").write_text(json.dumps(entries))
    monkeypatch.setattr("sys.argv", ["tidy_files.py", str(build), str(out)])
    tidy_files.main()
    (command,) = json.loads((out / "compile_commands.json").read_text())
    assert capsys.readouterr().out.split() == [command["file"]] == [f"{ROOT}/eagre/core/shape.cpp"]
    assert "-c" in command["command"] and "pch" not in command["command"]
