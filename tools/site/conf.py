"""Sphinx's settings for the documentation site; `python tools/site` builds it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.nodes import find_pending_xref_condition

project = "cuox"
copyright = "the authors of cuox"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
language = "en"
html_title = "cuox"
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
highlight_language = "text"
# What a forge makes of headings is what links between pages expect.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# A signature with more characters has a line for each parameter.
maximum_signature_line_length = 100
python_use_unqualified_type_names = True
toc_object_entries = False
smartquotes = False


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", _language)
    app.connect("doctree-read", _only_our_types)


def _language(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """The language of a page, for search machines, screen readers and fonts."""
    if page.startswith("docs/zh/") or page == "README.zh":
        context["language"] = "zh-CN"


def _only_our_types(app: Sphinx, doctree: nodes.document) -> None:
    """Make text of types that are not cuox's: Sphinx would look for any class of ours whose name ends like that."""
    for link in list(doctree.findall(addnodes.pending_xref)):
        if link["refdomain"] == "py" and not link["reftarget"].startswith(("cuox.", "cuox_bind.")):
            shown = find_pending_xref_condition(link, "*")
            link.replace_self(shown.children if shown is not None else link.children)
