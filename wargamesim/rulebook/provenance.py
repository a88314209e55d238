"""Where each rule and number comes from, in words and as the register that `wargamesim rules` prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from wargamesim.rulebook.schema import Number, Provenance, Reading, Rule

MEANING: Mapping[Provenance, str] = {
    "seed": "stated in the source",
    "reading": "one way to understand the source, the default or a chosen one",
    "gap": "the source does not say: a documented default",
    "house": "changed by the designer",
}
"""The four provenances in words."""


def in_order(ids: Iterable[str]) -> tuple[str, ...]:
    """Sort rule ids as people count: AZ-2.9 before AZ-2.10; each id once.

    Examples
    --------
    >>> in_order(["AZ-2.10", "AZ-2.9", "AZ-2.10"])
    ('AZ-2.9', 'AZ-2.10')
    """
    return tuple(sorted(set(ids), key=_counted))


def _counted(rule_id: str) -> list[int | str]:
    # A split at the digits alternates text and number, so two ids compare like with like.
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", rule_id)]


def register(
    rules: Mapping[str, Rule], numbers: Mapping[str, Number], readings: Mapping[str, Reading], chosen: Mapping[str, str]
) -> list[dict[str, Any]]:
    """List every rule, number and reading, by id.

    Parameters
    ----------
    rules, readings : mapping
        By rule id.
    numbers : mapping
        By dotted path.
    chosen : mapping
        The chosen option of each reading.

    Returns
    -------
    list of dict
        One row an entry, all with the keys ``id``, ``path`` (empty unless a number), ``value`` (of a number, or the
        chosen option of a reading; None for a plain rule), ``unit``, ``provenance``, ``range`` (such as ``0..60``),
        ``alternatives`` (the other options of a reading), ``text`` and ``source_term``.
    """
    rows = [_row(rule_id, rule, provenance=rule.provenance) for rule_id, rule in rules.items()]
    for reading_id, reading in readings.items():
        option = chosen[reading_id]
        others = (f"{name}: {other.text}" for name, other in reading.options.items() if name != option)
        rows.append(
            _row(
                reading_id,
                reading,
                value=option,
                provenance="reading" if option == reading.default else "house",
                alternatives="; ".join(others),
                text=f"{reading.text} Chosen: {reading.options[option].text}.",
            )
        )
    for path, number in numbers.items():
        provenance, unit, limits = number.provenance, number.unit, number.range
        rows.append(
            _row(number.id, number, path=path, value=number.value, unit=unit, provenance=provenance, range=limits)
        )
    # The sort is stable: within one id the rule comes first, then its reading, then its numbers.
    return sorted(rows, key=lambda row: _counted(row["id"]))


def _row(rule_id: str, entry: Rule | Reading | Number, **cells: Any) -> dict[str, Any]:
    """Fill a row; what an entry does not have stays empty."""
    empty = {"path": "", "value": None, "unit": "", "provenance": "", "range": "", "alternatives": ""}
    return {"id": rule_id, **empty, "text": entry.text, "source_term": entry.source_term or "", **cells}
