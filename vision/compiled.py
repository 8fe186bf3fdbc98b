"""Functions compiled to machine code, for what is reckoned pixel by pixel many times a frame.

A function is compiled as its module is imported, the first time on a machine; what was made is kept
beside the module, or in the user's cache folder where that cannot be written.
"""

from collections.abc import Callable
from pickle import UnpicklingError
from typing import Any, TypeVar, cast

import numba
from numba.extending import register_jitable

Function = TypeVar("Function", bound=Callable[..., Any])
_NOT_KEPT = (RuntimeError, OSError, EOFError, UnpicklingError, ValueError)
# Sums may be taken in any order, as NumPy's are; what is no number stays none.
_ANY_ORDER = {"reassoc", "contract", "nsz", "arcp"}


def compiled(signature: str) -> Callable[[Function], Function]:
    """Compile a function for arguments of the types in `signature`, in Numba's words."""

    def made_of(function: Function) -> Function:
        def make(*, kept: bool) -> Any:
            return numba.njit(
                signature, cache=kept, nogil=True, fastmath=_ANY_ORDER, error_model="numpy"
            )(function)

        try:
            made = make(kept=True)
        except _NOT_KEPT:  # nowhere to keep it, or what was kept is damaged
            made = make(kept=False)
        return cast(Function, made)

    return made_of


def inlined(function: Function) -> Function:
    """What compiled functions may call, made part of them; called from elsewhere it is as it is."""
    return register_jitable(function)
