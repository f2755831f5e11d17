"""The machine that reads a pickle without running code of its: a stack, what is remembered, and
calls of known functions, whose results are not larger than what the file holds."""

from collections import OrderedDict

import eagre
from eagre._files import allowed, guarded_calls
from eagre._files.pickle_keys import RefusedError, check_key
from eagre._files.storage_types import StorageType

_HIGHEST_PROTOCOL = 5


class _Mark:
    """Where a list of items begins on the stack."""


MARK = _Mark()


class Reader:
    """One pickle that is being read: `stack` holds values and marks, `memo` what is used again."""

    def __init__(self, content, persistent_load):
        self.content = bytes(content)
        self.at = 0
        self.stack = []
        self.memo = {}
        self.persistent_load = persistent_load
        self.foreign = None
        # What copies may hold together, in bytes or items: a short pickle could ask for the same
        # long one any number of times.
        self.left = 16 * len(self.content) + (1 << 20)

    def run(self, steps):
        content = self.content
        while True:
            if self.at >= len(content):
                raise RefusedError("the pickle ends too early")
            code = content[self.at]
            self.at += 1
            if code == 0x2E:  # STOP
                return self.pop()
            step = steps[code]
            if step is None:
                raise RefusedError(f"Unsupported operand {code}")
            step(self)

    # --- pieces of the pickle ---

    def take(self, size):
        end = self.at + size
        if end > len(self.content):
            raise RefusedError(f"the pickle claims {size} bytes where it has fewer")
        part = self.content[self.at : end]
        self.at = end
        return part

    def number(self, form):
        return form.unpack(self.take(form.size))[0]

    def byte(self):
        return self.take(1)[0]

    def line(self):
        end = self.content.find(b"\n", self.at, self.at + 1000)
        if end < 0:
            raise RefusedError("a name does not end")
        text = str(self.take(end - self.at), "utf-8")
        self.at += 1
        return text

    # --- the stack ---

    def push(self, value):
        self.stack.append(value)

    def pop(self):
        if not self.stack:
            raise RefusedError("the stack is empty")
        value = self.stack.pop()
        if value is MARK:
            raise RefusedError("there is a mark where a value should be")
        return value

    def top(self):
        if not self.stack or self.stack[-1] is MARK:
            raise RefusedError("the stack is empty")
        return self.stack[-1]

    def items(self):
        """All values down to the last mark."""
        stack = self.stack
        at = len(stack) - 1
        while at >= 0 and stack[at] is not MARK:
            at -= 1
        if at < 0:
            raise RefusedError("there is no mark")
        found = stack[at + 1 :]
        del stack[at:]
        return found

    def several(self, count):
        if len(self.stack) < count:
            raise RefusedError("the stack is empty")
        found = self.stack[-count:]
        if any(value is MARK for value in found):
            raise RefusedError("there is a mark where a value should be")
        del self.stack[-count:]
        return found

    # --- what steps do ---

    def spend(self, amount):
        """Counts what is copied."""
        self.left -= amount
        if self.left < 0:
            raise RefusedError("it asks for more memory than a file of this size can need")

    def remember(self, key):
        self.memo[key] = self.top()

    def recall(self, key):
        if key not in self.memo:
            raise RefusedError(f"there is no memo {key}")
        self.push(self.memo[key])

    def find(self, module, name):
        found = allowed.find(module, name)
        if found is None:
            raise RefusedError(_not_allowed(module, name))
        self.push(found)

    def stack_global(self):
        module, name = self.several(2)
        if type(module) is not str or type(name) is not str:
            raise RefusedError("a global is named by two strings")
        self.find(module, name)

    def call(self):
        function, arguments = self.several(2)
        if type(arguments) is not tuple:
            raise RefusedError(
                f"arguments of a call are a tuple, but got {type(arguments).__name__}"
            )
        guard = guarded_calls.GUARDS.get(id(function))
        if guard is not None:
            self.push(guard(self, *arguments))
        elif any(function is known for known in allowed.users().values()):
            self.push(function(*arguments))
        else:
            name = getattr(function, "__qualname__", type(function).__name__)
            raise RefusedError(f"Trying to call reduce for unrecognized function {name:.100}")

    def new_object(self):
        cls, arguments = self.several(2)
        if type(arguments) is not tuple or not isinstance(cls, type):
            raise RefusedError("a new object needs a class and a tuple of arguments")
        if cls is OrderedDict and not arguments:
            self.push(OrderedDict())
        elif any(cls is known for known in allowed.users().values()):
            self.push(cls.__new__(cls, *arguments))
        else:
            raise RefusedError(f"Trying to create new object of unrecognized class {cls}")

    def build(self):
        state = self.pop()
        target = self.top()
        if isinstance(target, type):
            raise RefusedError("a class gets no attributes")
        if type(target) is OrderedDict or isinstance(target, eagre.Tensor):
            guarded_calls.set_state(self, target, state)
        elif any(type(target) is known for known in allowed.users().values()):
            _set_state_of_user(target, state)
        else:
            raise RefusedError(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                f"`add_safe_globals`, but got {type(target)}"
            )

    def persistent(self):
        self.push(self.resolved(self.pop()))

    def resolved(self, place):
        if type(place) is not tuple or not 5 <= len(place) <= 6 or place[0] != "storage":
            raise RefusedError(
                f"Only persistent_load of storage is allowed, but got {place!r:.100}"
            )
        _, kind, key, location, size = place[:5]
        if not (
            isinstance(kind, StorageType)
            and type(key) is str
            and type(location) is str
            and type(size) is int
            and size >= 0
        ):
            raise RefusedError("the place of a storage is not what it should be")
        try:
            return self.persistent_load(place)
        except Exception as error:
            self.foreign = error
            raise

    def append(self, values):
        target = self.top()
        if type(target) is not list:
            raise RefusedError(f"Can only append to lists, but got {type(target)}")
        target.extend(values)

    def set_items(self, flat):
        target = self.top()
        if not isinstance(target, dict):
            raise RefusedError(f"Can only set items of dicts, but got {type(target)}")
        if len(flat) % 2:
            raise RefusedError("there is a key without a value")
        for key, value in zip(flat[::2], flat[1::2], strict=True):
            check_key(key)
            target[key] = value

    def add_items(self, values):
        target = self.top()
        if type(target) is not set:
            raise RefusedError(f"Can only add to sets, but got {type(target)}")
        for value in values:
            check_key(value)
        target.update(values)

    def frozen(self):
        values = self.items()
        for value in values:
            check_key(value)
        self.push(frozenset(values))

    def protocol(self):
        version = self.byte()
        if not 2 <= version <= _HIGHEST_PROTOCOL:
            raise RefusedError(f"there is no pickle protocol {version} here")


def _set_state_of_user(target, state):
    if hasattr(target, "__setstate__"):
        target.__setstate__(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        target.__dict__.update(state)
    for name, value in (slots or {}).items():
        setattr(target, name, value)


def _not_allowed(module, name):
    module = allowed.path_in(module, name)[0]
    path = f"{module}.{name}"
    if allowed.is_never_allowed(module):
        return (
            f"Trying to load unsupported GLOBAL {path} whose base module "
            f"{module.partition('.')[0]} is blocked."
        )
    return (
        f"Unsupported global: GLOBAL {path} was not an allowed global by default. Please use "
        f"`eagre.serialization.add_safe_globals([{path}])` or the "
        f"`eagre.serialization.safe_globals([{path}])` context manager to allowlist this global "
        "if you trust this class/function."
    )
