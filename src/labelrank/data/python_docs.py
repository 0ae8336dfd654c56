"""python-docs: real text with real tags that every installation has, so nothing is downloaded.

Made at run time from the documentation of the installed numpy, scipy and scikit-learn: the title is
an object's name, the description its docstring without the section See Also, and the tags are the
objects named in that section. Its size follows the installed versions: about 4,600 objects, 1,850
of them with tags, 1,700 tags.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from labelrank.data.dataset import Dataset
from labelrank.data.formats.tables import from_records

__all__ = ["python_docs"]

_PACKAGES = ("numpy", "scipy", "sklearn")
# Parts that are no documentation of use, change global state when imported, or run programs.
_SKIPPED = {"tests", "testing", "conftest", "setup", "f2py", "distutils", "externals", "typing"}
_SKIPPED |= {"experimental", "matlib"}
# Shown only after something else was imported: a data set must not depend on that.
_EXPERIMENTAL = {
    "sklearn.model_selection._search_successive_halving",
    "sklearn.impute._iterative",
}
_BOILERPLATE = re.compile(r"(set_\w+_request|get_metadata_routing|get_params|set_params)$")
_SECTION = re.compile(r"^See Also\n-+\n(.*?)(?=^\S[^\n]*\n[-=]{3,}\s*$|\Z)", re.M | re.S)
_SAMPLE = re.compile(r"^(>>> X\.sample\(.*\)\n)(?:(?!>>>)\S.*\n?)*", re.M)
_SET = re.compile(r"\{('[^'{}]*'(?:, '[^'{}]*')+)\}")
_ROLE = re.compile(r":\w+:`(?:[^`<]*<)?~?([^`<>]+)>?`")  # what a reference points to
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def python_docs() -> Dataset:
    """The documented objects of numpy, scipy and scikit-learn as things with tags.

    Examples
    --------
    >>> data = python_docs()
    >>> len(data) > 3000 and data.n_labels > 1000
    True
    """
    seen: dict[str, str] = {}  # docstring -> name; many names are aliases of one object
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated names warn when they are looked at
        for module in _modules():
            for name, described in _objects(module):
                text = getattr(described, "__doc__", None)
                if isinstance(text, str) and len(text.split()) > 3:
                    stable = _stable(inspect.cleandoc(text))
                    seen.setdefault(stable, f"{module.__name__}.{name}")
    records = ((name, _record(name, text)) for text, name in sorted(seen.items(), key=_by_name))
    data = from_records(iter(records), "python-docs")
    data.name = "python-docs"
    return data


def _stable(text: str) -> str:
    """The text without what a few packages draw anew at every import: samples, orders of sets."""
    text = _SAMPLE.sub(r"\1", text)
    return _SET.sub(lambda found: "{" + ", ".join(sorted(found[1].split(", "))) + "}", text)


def _by_name(item: tuple[str, str]) -> tuple[str, str]:
    return item[1], item[0]


def _modules() -> Iterator[ModuleType]:
    for package in _PACKAGES:
        root = importlib.import_module(package)
        yield root
        walk = pkgutil.walk_packages(root.__path__, f"{package}.", onerror=lambda name: None)
        for name in sorted(found.name for found in walk):
            if not any(part.startswith("_") or part in _SKIPPED for part in name.split(".")):
                try:
                    yield importlib.import_module(name)
                except ImportError:  # a part that needs a package which is not installed
                    continue


def _objects(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Public functions, classes and methods of a module."""
    public = getattr(module, "__all__", None) or [n for n in vars(module) if n[0] != "_"]
    for name in sorted(public):
        try:
            found = getattr(module, name, None)
        except ImportError:  # scikit-learn's experimental names say so when they are looked at
            continue
        if found is None or inspect.ismodule(found) or not callable(found) or _foreign(found):
            continue
        yield name, found
        if inspect.isclass(found):
            for method, value in sorted(vars(found).items()):
                if method[0] != "_" and callable(value) and not _BOILERPLATE.match(method):
                    yield f"{name}.{method}", getattr(found, method)


def _foreign(found: Any) -> bool:
    """Whether an object comes from outside the packages, or is experimental."""
    home = getattr(found, "__module__", None) or "numpy"
    return home.split(".")[0] not in _PACKAGES or home in _EXPERIMENTAL


def _record(path: str, text: str) -> dict[str, Any]:
    tags, rest = _see_also(text)
    short = path.rsplit(".", 1)[1]
    return {
        "id": path,
        "title": short,
        "description": rest,
        "tags": [tag for tag in tags if tag != short],
    }


def _see_also(text: str) -> tuple[list[str], str]:
    """The objects named under See Also by their last name, and the text without the section."""
    section = _SECTION.search(text)
    if section is None:
        return [], text
    names = []
    for line in section[1].splitlines():
        if line.strip() and not line[0].isspace():
            head = re.split(r"\s?:(?:\s|$)", _ROLE.sub(r"\1", line), maxsplit=1)[0]
            for part in head.split(","):
                word = part.strip().strip("`~ .")
                if _NAME.fullmatch(word):
                    names.append(word.rsplit(".", 1)[-1])
    return list(dict.fromkeys(names)), text[: section.start()] + text[section.end() :]
