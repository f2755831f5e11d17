"""Files that ran code in other libraries, took memory or ended the process: programs, as in
bad_inputs.py."""

PROGRAMS = {
    "files_that_run_code": """
import io, os, pickle
class Run:
    def __reduce__(self):
        return os.system, ("echo ran > /tmp/eagre-ran",)
def file_with(value):
    saved = io.BytesIO()
    torch.save(value, saved)
    return io.BytesIO(saved.getvalue())
errors = (torch.Error, pickle.UnpicklingError, RuntimeError, EOFError)
refused(lambda: torch.load(file_with({"x": Run()})), "weights_only", kinds=errors)
call, evaluate = b"cos\\nsystem\\n(S'true'\\ntR.", b"cbuiltins\\neval\\n(S'1'\\ntR."
for text in (call, evaluate, b"\\x80\\x04N.", b""):
    refused(lambda: torch.load(io.BytesIO(text)), kinds=errors)
assert not os.path.exists("/tmp/eagre-ran")
""",
    "files_that_claim_too_much": """
import io, struct
saved = io.BytesIO()
torch.save({"x": torch.ones(100)}, saved)
whole = saved.getvalue()
errors = (torch.Error, RuntimeError, EOFError, ValueError)
for length in range(0, len(whole), 37):
    refused(lambda: torch.load(io.BytesIO(whole[:length])), kinds=errors)
load = torch.safetensors.load
for size in (2**63, 2**64 - 1, 2**40, 101 << 20, 9):
    refused(lambda: load(struct.pack("<Q", size) + b"{}"), kinds=errors)
for header in ('{"x": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 0]}}',
               '{"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4000000000000]}}',
               '{"x": {"dtype": "F99", "shape": [0], "data_offsets": [0, 0]}}', '[[' * 10000):
    text = header.encode()
    refused(lambda: load(struct.pack("<Q", len(text)) + text), kinds=errors)
""",
}
