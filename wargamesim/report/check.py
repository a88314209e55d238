"""What a file is, a rulebook, a scenario or an experiment, and whether it is valid."""

from __future__ import annotations

from pathlib import Path

from wargamesim.errors import InputError
from wargamesim.files import read_toml
from wargamesim.games import registry
from wargamesim.rulebook import load_rulebook, rulebook_names
from wargamesim.simulate import describe

# Keys by which a kind of file is known, even when another key is missing or misspelt.
EXPERIMENT = {"factors", "battles", "design", "paired"}
RULEBOOK = {"extends", "numbers", "readings"}


def describe_file(path: Path) -> str:
    """Check a file whole and say what it is.

    Raises
    ------
    InputError
        If it is none of the three, or not valid: the file, the key, what is wrong and what is allowed.

    Examples
    --------
    >>> describe_file(Path("experiments/azincourt_mud.toml"))
    'a valid experiment: 12 cells x 1,000 battles'
    """
    content = read_toml(path)
    if EXPERIMENT & set(content):
        return describe(path)
    if RULEBOOK & set(content):
        book = load_rulebook(path)
        changes = f", {len(book.changes)} changed" if book.changes else ""
        return (
            f"a valid rulebook of {book.game}: {len(book.numbers)} numbers and {len(book.readings)} readings{changes}"
        )
    if isinstance(content.get("game"), str):
        return _describe_scenario(path, content["game"])
    raise InputError(
        "is nothing that can be checked: a rulebook has `numbers` or `extends`, a scenario `game`, an experiment"
        f" `factors`; this file has {', '.join(content) or 'nothing'}",
        file=str(path),
    )


def _describe_scenario(path: Path, game_name: str) -> str:
    """Set up a scenario, and each of its named choices, with each shipped rulebook that it is made for."""
    try:
        game = registry.get(game_name)
    except InputError as error:
        raise InputError(error.message, file=str(path), key="game") from None
    scenario = game.load_scenario(str(path))
    levels = [(key, level) for key in scenario.keys if _is_choice(key) for level in scenario.levels(key) or ()]
    books = [book for book in map(load_rulebook, rulebook_names()) if book.game == game.name]
    names, refusals = [], []
    for book in books:
        try:
            game.compile(book, scenario)
        except InputError as error:
            if error.key == "rulebook":  # made for another rulebook of its game
                refusals.append(error.message)
                continue
            raise
        names.append(book.name)
        for key, level in levels:
            try:
                game.compile(book, scenario.variant({key: level}))
            except InputError as error:
                if error.file:
                    raise
                raise InputError(f"with {key} = {level}: {error}", file=str(path)) from None
    if not names:
        shipped = ", ".join(book.name for book in books)
        said = f"is made for no shipped rulebook ({shipped}): {refusals[0]}"
        raise InputError(said, file=str(path), key="rulebook")
    return f"a valid scenario of {game.name}: {len(levels)} named levels set up with {', '.join(names)}"


def _is_choice(key: str) -> bool:
    """Tell choices (a deployment, a doctrine and its words, a terrain) from what a single unit is (its arms).

    The first can all be made as the file stands; a unit's other arms may ask for other numbers of it, too.
    """
    return key.startswith("doctrines.") or key.count(".") < 2
