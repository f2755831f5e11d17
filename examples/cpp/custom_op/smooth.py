"""Uses the operator of ema.cpp from Python: finds the signal whose average is wanted."""

import sys

import eagre

eagre.ops.load_library(sys.argv[1])
ema = eagre.ops.filters.ema
print(ema)

wanted = eagre.tensor([0.0, 0.5, 0.75, 0.875])
signal = eagre.zeros(4, requires_grad=True)
for _ in range(200):
    loss = ((ema(signal, decay=0.5) - wanted) ** 2).sum()
    loss.backward()
    with eagre.no_grad():
        signal -= signal.grad
        signal.grad = None
print("signal", [round(value, 3) for value in signal.tolist()])

try:
    ema(signal, decay=1.5)
except ValueError as error:
    print("refused:", error)
