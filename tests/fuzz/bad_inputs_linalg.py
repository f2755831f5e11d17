"""Inputs of linear algebra that killed other libraries, or made them answer wrongly: programs, as
in bad_inputs.py."""

PROGRAMS = {
    "pivots_of_another_matrix": """
x = torch.zeros(1, 6, 4, 8, 2)
refused(lambda: torch.lu_unpack(x, torch.tensor(1, dtype=torch.int32)), "lu_unpack")
square, pivots = torch.linalg.lu_factor(torch.eye(3))
for pivot in (0, -1, 4, 2**31 - 1, -(2**31)):
    wrong = torch.full((3,), pivot, dtype=torch.int32)
    refused(lambda: torch.lu_unpack(square, wrong), "LU_pivots", str(pivot))
    refused(lambda: torch.linalg.lu_solve(square, wrong, torch.ones(3, 1)), str(pivot))
refused(lambda: torch.lu_unpack(square, pivots.to(torch.float32)), "int32")
""",
    "no_matrices": """
for name in "det slogdet inv cholesky qr lu_factor matrix_exp".split():
    function = getattr(torch.linalg, name)
    for shape in ((), (3,)):
        refused(lambda: function(torch.zeros(shape)), name)
    refused(lambda: function(torch.zeros(2, 2, dtype=torch.int64)), name)
refused(lambda: torch.linalg.inv(torch.zeros(2, 3)), "square")
refused(lambda: torch.linalg.solve(torch.eye(3), torch.ones(2, 2)), "solve")
for power in (2**62, -(2**63)):
    torch.linalg.matrix_power(torch.eye(2), power)
""",
    "matrices_without_elements": """
empty, many = torch.zeros(0, 0), torch.zeros(5, 0, 0)
assert torch.linalg.det(empty).item() == 1 and torch.linalg.det(many).tolist() == [1] * 5
assert torch.linalg.inv(many).shape == (5, 0, 0)
assert torch.linalg.solve(empty, torch.zeros(0, 4)).shape == (0, 4)
assert torch.linalg.qr(torch.zeros(3, 0)).Q.shape == (3, 0)
assert torch.linalg.cholesky(empty).shape == torch.linalg.matrix_exp(empty).shape == (0, 0)
""",
    "matrices_of_nan_and_infinity": """
for value in (float("nan"), float("inf"), -float("inf")):
    bad = torch.full((4, 4), value)
    torch.linalg.matrix_exp(bad), torch.linalg.qr(bad), torch.linalg.det(bad)
    refused(lambda: torch.linalg.cholesky(bad), "positive-definite")
refused(lambda: torch.linalg.inv(torch.zeros(3, 3)), "singular")
refused(lambda: torch.linalg.solve(torch.ones(3, 3), torch.ones(3)), "singular")
""",
}
