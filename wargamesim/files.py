"""Where the shipped data lies, and how a TOML file is read with errors for people."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from wargamesim.errors import InputError


@cache
def data_folder() -> Path:
    """Return the folder of shipped rulebooks and scenarios: inside an installed package, else in the checkout."""
    package = Path(__file__).parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent / "data"


def read_toml(path: Path) -> dict[str, Any]:
    """Read one TOML file.

    Raises
    ------
    InputError
        If the file is missing, is not text, or is not TOML (the message has line and column).
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError("no such file", file=str(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder; a TOML file is wanted", file=str(path)) from None
    except (UnicodeDecodeError, OSError) as error:
        raise InputError(f"cannot be read as UTF-8 text ({error})", file=str(path)) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not valid TOML: {error}", file=str(path)) from None
    except (ValueError, RecursionError):
        # An integer of thousands of digits, or thousands of nested brackets: Python's own limits.
        raise InputError("holds a number too long or brackets too deep to read", file=str(path)) from None
