"""Reading pickles without running code of theirs: load() with `weights_only=True`."""

from pickle import UnpicklingError

from eagre._files.pickle_keys import RefusedError
from eagre._files.pickle_reader import Reader
from eagre._files.pickle_steps import STEPS


def load(content, persistent_load):
    """The object of a pickle, the bytes `content`. Returns it and where the pickle ends."""
    reader = Reader(content, persistent_load)
    try:
        return reader.run(STEPS), reader.at
    except Exception as error:
        if error is reader.foreign:
            raise
        raise UnpicklingError(_explained(error)) from (
            None if type(error) is RefusedError else error
        )


def _explained(error):
    problem = str(error) if type(error) is RefusedError else f"{type(error).__name__}: {error}"
    return (
        "Weights only load failed. With `weights_only=True`, the default, load() makes tensors and "
        "plain data, and runs no code that the file names. There are two ways on, for files "
        "whose source you trust:\n"
        "    (1) eagre.serialization.add_safe_globals([…]), or the context manager "
        "eagre.serialization.safe_globals([…]), allows single classes and functions by name;\n"
        "    (2) load(…, weights_only=False) allows all that Python's pickle does, any code "
        f"included.\nWeightsUnpickler error: {problem}"
    )
