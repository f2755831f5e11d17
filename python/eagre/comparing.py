"""Functions of tensors whose elements are looked for, or taken out, with other operators."""

import eagre
from eagre.out_argument import with_out


@with_out
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Where elements are among the test elements."""
    device = (elements if isinstance(elements, eagre.Tensor) else test_elements).device
    elements = eagre.as_tensor(elements, device=device)
    among = eagre.as_tensor(test_elements, device=device).flatten()
    if among.is_floating_point():
        among = among[~among.isnan()]  # which nothing equals
    if elements.is_complex() or among.is_complex():  # which have no order
        found = (elements.unsqueeze(-1) == among).any(-1)
    elif among.numel() == 0:
        found = eagre.zeros_like(elements, dtype=eagre.bool)
    else:
        dtype = eagre.promote_types(elements.dtype, among.dtype)
        dtype = eagre.uint8 if dtype == eagre.bool else dtype
        wanted, ordered = elements.to(dtype), among.to(dtype).sort()[0]
        places = eagre.searchsorted(ordered, wanted).clamp(max=len(ordered) - 1)
        found = ordered.index_select(0, places.flatten()).reshape(wanted.shape) == wanted
    return ~found if invert else found


def as_complex(self):
    """complex(self): the only element."""
    return complex(self.item())
