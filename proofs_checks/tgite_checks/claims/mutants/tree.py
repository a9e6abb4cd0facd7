"""Wrong transcriptions of the completed tree (``app:tree-geometry``)."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, label: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(f"tree-{name}", label, "tree", original, replaced, mistake)


_PARTITION = "lem:app-sibling-partition"
_ENTRY = "def:app-winner-entry-level"
_SIBLING = "return self._arms_below((self._leaf_of[b] >> (h - 1)) ^ 1, h - 1)"
_ENTRY_LEVEL = "return (self._leaf_of[b] ^ self._leaf_of[winner]).bit_length()"

MUTANTS = (
    _mutant(
        "arm-0-lost",
        _PARTITION,
        "return tuple(arm for arm in leaves if arm is not None)",
        "return tuple(arm for arm in leaves if arm)",
        "Arm 0 is taken for a formal bye.",
    ),
    _mutant(
        "own-half",
        _PARTITION,
        _SIBLING,
        "return self._arms_below(self._leaf_of[b] >> (h - 1), h - 1)",
        "The block is the own half of the ancestor instead of its sibling.",
    ),
    _mutant(
        "capacity-doubled",
        _PARTITION,
        "return 1 << (h - 1)",
        "return 1 << h",
        "The capacity of the ancestor in place of its sibling block's.",
    ),
    _mutant(
        "arm-for-leaf",
        _PARTITION,
        _SIBLING,
        "return self._arms_below((b >> (h - 1)) ^ 1, h - 1)",
        "The arm's number is taken for its leaf.",
    ),
    _mutant(
        "block-one-level-up",
        _PARTITION,
        _SIBLING,
        "return self._arms_below((self._leaf_of[b] >> h) ^ 1, h)",
        "The sibling of the ancestor at height h in place of the one at h - 1.",
    ),
    _mutant(
        "ancestor-one-level-up",
        _PARTITION,
        "return self._arms_below(self._leaf_of[b] >> h, h)",
        "return self._arms_below(self._leaf_of[b] >> (h + 1), h + 1)",
        "The ancestor is taken one level too high.",
    ),
    _mutant(
        "entry-level-off-by-one",
        _ENTRY,
        _ENTRY_LEVEL,
        "return max(0, (self._leaf_of[b] ^ self._leaf_of[winner]).bit_length() - 1)",
        "The levels are counted from 0 instead of 1.",
    ),
    _mutant(
        "entry-by-arm-number",
        _ENTRY,
        _ENTRY_LEVEL,
        "return (b ^ winner).bit_length()",
        "The arms' numbers are taken for their leaves.",
    ),
)
