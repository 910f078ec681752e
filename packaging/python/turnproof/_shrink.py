"""To *shrink* bytes is to find fewer and smaller ones by which a test still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

MOST = 400
"""So many candidates are tried at most."""


def shrink(failing: bytes, fails: Callable[[bytes], bool], most: int = MOST) -> bytes:
    """The smallest bytes that were found to fail as well, by the order of length and then of value.

    ``failing`` is known to fail. ``fails`` is called at most ``most`` times, with candidates that are always smaller.
    """
    tried = {failing}
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for candidate in _smaller(failing):
            if candidate in tried:
                continue
            if len(tried) > most:
                return failing
            tried.add(candidate)
            if fails(candidate):
                failing, is_smaller = candidate, True
                break
    return failing


def _smaller(data: bytes) -> Iterator[bytes]:
    """Smaller bytes, the boldest first: a beginning, one without a piece, one with a plainer byte."""
    length = len(data)
    kept = 0
    while kept < length:
        yield data[:kept]
        kept = max(kept + 1, (kept + length) // 2)
    size = length // 2
    while size:
        for start in range(0, length - size + 1, size):
            yield data[:start] + data[start + size :]
        size //= 2
    for at, byte in enumerate(data):
        for smaller in sorted({0, byte // 2, max(byte - 1, 0)}):
            if smaller < byte:
                yield data[:at] + bytes([smaller]) + data[at + 1 :]
