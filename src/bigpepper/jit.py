"""One source, two ways to run it: plain Python for one game, machine code for batches. Knows Numba; nobody else does.

- `@share` marks a function that compiled code may call. Called from Python it *is* the plain function.
- `@entry` marks a loop over arrays of records. Its first call imports Numba, compiles the loop with every shared
  function it reaches, and keeps the machine code in a cache of our own.
- `@record` reads a class with annotated fields into a `__slots__` class (the twin, for plain Python); the same fields
  are the dtype of the arrays that entries take. `rows`, `pack` and `unpack` go from one to the other.

`BIGPEPPER_JIT=0` runs entries as plain Python too; arrays of records are then lists of twins.

Rules for shared code and entries: integers only (they are int64 when compiled), no bit above 61, -1 for "none"; no
`**`, no `/`, no negative `>>`, nothing divided by 0 (compiled code does not look); no self-recursion (a recursive
function in the cache crashes the next process, Numba 0.68.1).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    ParamSpec,
    Self,
    TypeAlias,
    TypeVar,
    get_origin,
)

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound="Record")

Rows: TypeAlias = Any
"""An array of records as entries take it: a NumPy structured array, or a list of twins under `BIGPEPPER_JIT=0`."""


def enabled() -> bool:
    """Whether entries are compiled: yes, unless the environment says `BIGPEPPER_JIT=0`."""
    return os.environ.get("BIGPEPPER_JIT", "1") != "0"


# --- bits: plain functions; compiled code uses single machine instructions instead (`_overload_bits`) ---------------


def lowest(mask: int) -> int:
    """The lowest set bit of `mask`, as a mask; 0 for 0."""
    return mask & -mask


def highest(mask: int) -> int:
    """The highest set bit of `mask` ≥ 0, as a mask; 0 for 0."""
    return 1 << (mask.bit_length() - 1) if mask else 0


def place_of(bit: int) -> int:
    """The number (0-61) of the lowest set bit of `bit` > 0; undefined for 0."""
    return (bit & -bit).bit_length() - 1


def count(mask: int) -> int:
    """How many bits of `mask` ≥ 0 are set."""
    return mask.bit_count()


def spread(bits: int, out: Any, row: int, at: int) -> None:
    """Write the lowest 32 bits of `bits`, lowest first, as 0 or 1 each into `out[row, at : at + 32]`.

    `out` is a C-contiguous array of two dimensions; nobody checks that there is room.
    """
    for k in range(32):
        out[row, at + k] = bits >> k & 1


# --- records --------------------------------------------------------------------------------------------------------

Row4: TypeAlias = Annotated[list[int], 4]
Row10: TypeAlias = Annotated[list[int], 10]
Row24: TypeAlias = Annotated[list[int], 24]
Row5: TypeAlias = Annotated[list[int], 5]
PlaceOfCard: TypeAlias = Annotated[list[list[int]], 5, 25]
OfPlace: TypeAlias = Annotated[list[list[int]], 5, 61]
Bytes128: TypeAlias = Annotated[bytearray, 128]


class Record:
    """The root of all records: `@record class Round(Record)`. Every field starts as 0 (rows: zeros)."""

    __slots__ = ()
    fields: ClassVar[dict[str, Any]] = {}
    """Field name → annotation, base classes first. Filled by `@record`."""

    def copy(self) -> Self:
        """A copy that shares nothing with this record."""
        raise NotImplementedError


def record(cls: type[T]) -> type[T]:
    """Make the class with annotated fields into a `__slots__` twin with a generated `copy()` and `__init__`."""
    own: dict[str, Any] = {name: kind for name, kind in cls.__annotations__.items() if name not in cls.fields}
    fields = {**cls.fields, **own}
    body = {k: v for k, v in cls.__dict__.items() if k not in ("__dict__", "__weakref__", *own)}
    body |= {"__slots__": tuple(own), "fields": fields, "__init__": _initialiser(fields)}
    twin: type[T] = type(cls.__name__, cls.__bases__, body)
    setattr(twin, "copy", _copier(twin, fields))  # noqa: B010  (mypy sees a method and forbids the plain form)
    return twin


def copier(fields: dict[str, Any]) -> Callable[[Any, Any], None]:
    """A shared function `copy(target, source)` that copies just these fields, between twins or array records.

    Compiled code copies rows in loops: to compile a slice, with its checks, takes a third of a second each.
    """
    plain, compiled = [], []
    for name, kind in fields.items():
        at, loops = "", list[str]()
        for index, size in zip("ij", _shape(kind), strict=False):
            loops.append("    " * (len(loops) + 1) + f"for {index} in range({size}):")
            at += f"[{index}]"
        compiled += [*loops, "    " * (len(loops) + 1) + f"target.{name}{at} = source.{name}{at}"]
        rows_of = f"[row[:] for row in source.{name}]" if len(loops) == 2 else f"source.{name}"
        plain.append(f"    target.{name}{'[:]' * bool(loops)} = {rows_of}")
    copy = _generate("copy", "target, source", plain, {})
    _replaced[copy] = _generate("copy", "target, source", compiled, {})
    return share(copy)


def _initialiser(fields: dict[str, Any]) -> Callable[..., None]:
    return _generate("__init__", "self", [f"    self.{name} = {_zero(kind)}" for name, kind in fields.items()], {})


def _copier(twin: type[T], fields: dict[str, Any]) -> Callable[[T], T]:
    lines = ["    new = create(twin)"]
    for name, kind in fields.items():
        value = (f"self.{name}", f"self.{name}.copy()", f"[row.copy() for row in self.{name}]")[len(_shape(kind))]
        lines.append(f"    new.{name} = {value}")
    lines.append("    return new")
    return _generate("copy", "self", lines, {"create": object.__new__, "twin": twin})


def _generate(name: str, parameters: str, lines: Sequence[str], scope: dict[str, Any]) -> Callable[..., Any]:
    exec("\n".join([f"def {name}({parameters}):", *lines]), scope)
    function: Callable[..., Any] = scope[name]
    return function


def _shape(kind: Any) -> tuple[int, ...]:
    shape: tuple[int, ...] = getattr(kind, "__metadata__", ())
    return shape


def _zero(kind: Any) -> str:
    shape = _shape(kind)
    if not shape:
        return "0"
    if kind.__origin__ is bytearray:
        return f"bytearray({shape[0]})"
    return f"[0] * {shape[0]}" if len(shape) == 1 else f"[[0] * {shape[1]} for _ in range({shape[0]})]"


def dtype(cls: type[Record]) -> Any:
    """The NumPy dtype of a record class: int64 fields (bytes for logs), rows as sub-arrays. Imports NumPy."""
    found = _dtypes.get(cls)
    if found is None:
        import numpy as np

        found = np.dtype([(name, *_field(kind)) for name, kind in cls.fields.items()], align=True)
        _dtypes[cls] = found
    return found


_dtypes: dict[type[Record], Any] = {}


def _field(kind: Any) -> tuple[Any, ...]:
    shape = _shape(kind)
    if not shape:
        return ("i8",)
    return ("u1" if get_origin(kind.__origin__) is None else "i8", shape)


def rows(cls: type[Record], n: int) -> Rows:
    """`n` zeroed records for an entry."""
    if not enabled():
        return [cls() for _ in range(n)]
    import numpy as np

    return np.zeros(n, dtype(cls))


def pack(twins: Sequence[Record]) -> Rows:
    """Twins (at least one, of one class) → records for an entry; nothing is shared with the twins."""
    if not enabled():
        return [twin.copy() for twin in twins]
    array = rows(type(twins[0]), len(twins))
    for row, twin in zip(array, twins, strict=True):
        for name in twin.fields:
            value = getattr(twin, name)
            row[name] = list(value) if isinstance(value, bytearray) else value
    return array


def unpack(cls: type[T], row: Any) -> T:
    """One record out of an entry's array → a twin of class `cls`; nothing is shared with the array."""
    if isinstance(row, cls):
        return row.copy()
    twin = cls()
    for name, kind in cls.fields.items():
        value = row[name]
        setattr(twin, name, bytearray(value) if _origin(kind) is bytearray else value.tolist())
    return twin


def _origin(kind: Any) -> Any:
    return getattr(kind, "__origin__", kind)


# --- compiling ------------------------------------------------------------------------------------------------------

_shared: list[Callable[..., Any]] = []
_inlined: set[Callable[..., Any]] = set()
_replaced: dict[Callable[..., Any], Callable[..., Any]] = {}
"""What compiled code calls in place of a shared function."""
_registered = 0
_LEAN: Final = {"no_cfunc_wrapper": True, "no_rewrites": True, "error_model": "numpy"}
"""What no compiled function needs, and an eighth of the time to compile: a second way in for callers in C, the search
for patterns of array code, and checks of what is divided by."""


def share(function: F) -> F:
    """Mark a function as one that compiled code may call; it stays the plain function it is."""
    _shared.append(function)
    return function


def inlined(function: F) -> F:
    """Like `share`, for the large functions of a hot loop: their machine code, and that of all they call, becomes part
    of the caller's. Worth it where millions of calls a second are (the solver: 1.2 ×); else it only costs compile time.
    """
    _inlined.add(function)
    return share(function)


class Entry(Generic[P, R]):
    """A loop over arrays of records, compiled at its first call. Entries never call each other."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.plain = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._compiled: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if not enabled():
            return self.plain(*args, **kwargs)
        if self._compiled is None:
            return self._first_call(*args, **kwargs)
        return self._compiled(*args, **kwargs)

    @property
    def is_ready(self) -> bool:
        """Whether a call needs no compiling: it has been compiled in this process, or its machine code is kept."""
        if self._compiled is not None or not enabled():
            return True
        folder = _cache_folder()
        return folder is not None and any(folder.rglob(f"*.{self.__name__}-*.nbi"))

    def _first_call(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compile and call. Numba stores the machine code before it runs it: a disk that is full stops nothing."""
        folder = _cache_folder()
        with _heard():
            try:
                self._compiled = _compile(self.plain, folder)
                return self._compiled(*args, **kwargs)
            except OSError:
                self._compiled = _compile(self.plain, None)
                return self._compiled(*args, **kwargs)


def entry(function: Callable[P, R]) -> Entry[P, R]:
    """Mark a loop to be compiled at its first call (GIL released, machine code cached on disk)."""
    return Entry(function)


@contextmanager
def _heard() -> Iterator[None]:
    """A key that interrupts is heard while something is compiled.

    LLVM calls Python back for each object file; what is raised there gets lost, with a traceback on the error stream. A
    key at such a moment is pressed once more, a moment later. A host with a handler of its own is left alone.
    """
    import signal
    from threading import current_thread, main_thread

    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupted(number: int, frame: FrameType | None) -> None:
    while frame:
        if frame.f_code.co_name.startswith("_raw_object_cache"):
            from _thread import interrupt_main
            from threading import Timer

            Timer(0.02, interrupt_main).start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _compile(function: Callable[P, R], folder: Path | None) -> Callable[P, R]:
    """Compile when called, with the machine code cached in `folder`; None for no cache."""
    import numba

    _register_shared()
    with _cache_in(folder):
        compiled: Callable[P, R] = numba.njit(cache=folder is not None, nogil=True, **_LEAN)(function)
    return compiled


def _register_shared() -> None:
    """Tell Numba about every shared function that has been marked since the last time."""
    global _registered
    from numba.extending import overload, register_jitable

    if not _registered:
        _overload_bits()
    for function in _shared[_registered:]:
        if function in _replaced:
            overload(function, jit_options=_LEAN)(_always(_replaced[function]))
            continue
        # What an inlined function calls inherits the option; False would take it away again.
        options: dict[str, Any] = {"forceinline": True} if function in _inlined else {}
        register_jitable(**options, **_LEAN)(function)
    _registered = len(_shared)


def _always(copy: Callable[[Any, Any], None]) -> Callable[[Any, Any], Callable[[Any, Any], None]]:
    """Whatever the types of the records are, that function."""
    return lambda target, source: copy


def _overload_bits() -> None:
    from numba import types
    from numba.extending import intrinsic, overload

    def machine(instruction: str) -> Any:
        @intrinsic
        def call(typing: Any, mask: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                operation = getattr(builder, instruction)
                if instruction == "ctpop":
                    return operation(args[0])
                return operation(args[0], context.get_constant(types.boolean, 0))

            return types.int64(types.int64), generate

        return call

    leading, trailing, population = machine("ctlz"), machine("cttz"), machine("ctpop")
    overload(highest, jit_options=_LEAN)(lambda mask: lambda mask: (1 << (63 - leading(mask))) if mask else 0)
    overload(place_of, jit_options=_LEAN)(lambda bit: lambda bit: trailing(bit))
    overload(count, jit_options=_LEAN)(lambda mask: lambda mask: population(mask))
    overload(lowest, jit_options=_LEAN)(lambda mask: lambda mask: mask & -mask)
    _overload_spread()


def _overload_spread() -> None:
    """`spread` in a handful of vector instructions: LLVM knows how to make 32 bytes, or floats, of 32 bits."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    @intrinsic
    def store(typing: Any, bits: Any, out: Any, row: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind, array = signature.args[1], context.make_array(signature.args[1])(context, builder, args[1])
            place = cgutils.get_item_pointer(context, builder, kind, array, args[2:], wraparound=False)
            flags = builder.bitcast(builder.trunc(args[0], ir.IntType(32)), ir.VectorType(ir.IntType(1), 32))
            cell = context.get_data_type(kind.dtype)
            widen = builder.uitofp if isinstance(kind.dtype, types.Float) else builder.zext
            wide = widen(flags, ir.VectorType(cell, 32))
            builder.store(wide, builder.bitcast(place, wide.type.as_pointer()), align=kind.dtype.bitwidth // 8)
            return context.get_dummy_value()

        return types.void(types.int64, out, types.int64, types.int64), generate

    write = overload(spread, jit_options=_LEAN)
    write(lambda bits, out, row, at: lambda bits, out, row, at: store(bits, out, row, at))


# --- the cache of machine code --------------------------------------------------------------------------------------

_UNUSED_DAYS = 30


@contextmanager
def _cache_in(folder: Path | None) -> Iterator[None]:
    """Point Numba at our cache folder, for as long as one entry is being set up; a host's own setting comes back."""
    import numba

    config = numba.core.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or before)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _cache_folder() -> Path | None:
    """`<user cache>/bigpepper/<digest>`, made if need be; folders that were not used for 30 days are removed.

    None when it cannot be written to (a read-only or full disk): then nothing may be cached, since Numba would turn to
    `__pycache__`, where stale rules lie in wait.

    Numba keys its own cache on the entry's file alone. A changed rule in another file would leave stale machine code,
    so the digest covers every source file of the package.
    """
    from tempfile import TemporaryFile

    import numba

    root = user_cache()
    folder = root / _digest(numba.__version__)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with TemporaryFile(dir=folder):
            pass
        _remove_unused(root)
    except OSError:
        return None
    return folder


def is_kept() -> bool:
    """Whether machine code is kept, so that other processes find it."""
    return enabled() and _cache_folder() is not None


def user_cache() -> Path:
    """The folder for what can be made anew: `$BIGPEPPER_CACHE`, else the user's cache folder of this system."""
    from pathlib import Path

    if chosen := os.environ.get("BIGPEPPER_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "bigpepper"


def _digest(numba_version: str) -> str:
    from hashlib import sha256
    from pathlib import Path

    package = Path(__file__).parent
    digest = sha256(f"{numba_version} {sys.version}".encode())
    for source in sorted(package.rglob("*.py")):
        digest.update(str(source.relative_to(package)).encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def _remove_unused(root: Path) -> None:
    import shutil
    import time

    oldest = time.time() - _UNUSED_DAYS * 86_400
    for folder in root.iterdir():
        if len(folder.name) == 32 and folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
