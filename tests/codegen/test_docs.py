"""The C code in the docs is the code of the example that is built and run."""

import re

from conftest import ROOT


def test_the_plugin_guide_shows_the_example():
    guide = (ROOT / "docs/device-plugins.md").read_text()
    example = (ROOT / "examples/cpp/device_plugin/plugin.c").read_text()
    blocks = re.findall(r"```c\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        assert block in example, block
