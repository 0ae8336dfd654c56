"""Sphinx configuration: `make docs`."""

from labelrank import __version__

project = "labelrank"
author = "the labelrank developers"
release = __version__
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "labelrank"
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
autosummary_generate = False  # numpydoc brings autosummary along; it is not used
autodoc_member_order = "bysource"
autodoc_typehints = "none"
