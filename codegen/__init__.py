"""The generator: ops/*.yaml → typed model → C++, bindings and docs. See model.py, then load.py."""
