"""Reading pickles as Python's pickle does, which runs code that a file names: load() with
`weights_only=False`."""

import importlib
import io

from eagre._files import rebuild


def full_unpickler(pickle_module, arguments):
    """A function like weights_unpickler.load()."""

    class Unpickler(pickle_module.Unpickler):
        """Finds what PyTorch's files name in this library."""

        def find_class(self, module, name):
            known = rebuild.NAMED.get((module, name))
            if known is not None:
                return known
            if module == "torch" or module.startswith("torch."):
                return _ours(module, name)
            return super().find_class(module, name)

        def persistent_load(self, place):
            return self.resolve(place)

    def load(content, resolve):
        file = io.BytesIO(content)
        unpickler = Unpickler(file, **arguments)
        unpickler.resolve = resolve
        return unpickler.load(), file.tell()

    return load


def _ours(module, name):
    path = "eagre" + module[len("torch") :]
    try:
        found = importlib.import_module(path)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise AttributeError(
            f"load(): the file names '{module}.{name}', which is not there: {error}"
        ) from None
    return found
