#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the direction of dependencies and the first two lines of every C++ file: check_includes.py ROOT | --self-test

import re
import sys
import tempfile
from pathlib import Path

# Layer -> layers whose headers its files may include, itself too. ARCHITECTURE.md says why.
SRC = ["core", "attention", "analysis", "model", "session", "io"]
ALLOWED = {
    "core": ["core"],
    "attention": ["attention", "core"],
    "analysis": ["analysis", "attention", "core"],
    "session": ["session", "attention", "core"],
    "model": ["model", "attention", "core"],
    "io": ["core", "attention", "model", "session", "io"],
    "cli": SRC + ["cli"],
    "state": SRC + ["state"],
    "views": ["views", "state", "session", "analysis", "attention", "core"],
    "demonstrations": ["demonstrations", "state", "session", "analysis", "attention", "core"],
    "panels": SRC + ["panels", "state"],
    "window": SRC + ["window", "views", "demonstrations", "panels", "state"],
}
FOLDERS = {layer: ("ui/" if layer in ("state", "views", "demonstrations", "panels", "window") else "src/") + layer for layer in ALLOWED}

QT_FREE = {"core", "attention", "analysis", "session"}
NO_GUI = {"model", "io", "cli"}
NO_WIDGETS = {"state"}
QT = re.compile(r"^(Q[A-Z]|Qt[A-Z]\w*/|q\w+\.h$|Qt$)")
GUI = re.compile(r"^(QtGui/|QtSvg/|Q(Gui|Image|Pixmap|Color|Painter|Pen|Brush|Font|Icon|Palette|Svg|Undo|Screen|Cursor|Clipboard)\w*$)")
WIDGETS = re.compile(
    r"^(QtWidgets/|QtPrintSupport/|QtSvgWidgets/|qcustomplot\.h$|"
    r"Q\w*(Widget|Application|Window|Dialog|Label|Button|ButtonGroup|Layout|Edit|Box|Slider|Menu|MenuBar|ToolBar|ToolTip|StatusBar|"
    r"Splitter|ScrollArea|ScrollBar|Style|StyleOption|ItemDelegate|Completer|GraphicsView|TableView|TreeView|ListView|HeaderView)$)"
)
NOT_WIDGETS = {"QGuiApplication", "QCoreApplication", "QWindow", "QAbstractTextDocumentLayout", "QTextLayout"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later"


def is_widget(name):
    return WIDGETS.match(name) and name not in NOT_WIDGETS


def faults_of_file(path, layer):
    """Sentences about one file of a layer (None: tests), without its name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0] != SPDX:
        yield 1, f"the first line is not '{SPDX}'"
    if len(lines) < 2 or not re.match(r"// \S.*[.…:)\]]$", lines[1]):
        yield 2, "the second line is not a comment of one sentence that says what the file is for"
    if layer is None:
        return
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        first = name.split("/")[0]
        if quote == '"':
            if first in (".", ".."):
                yield number, f'"{name}" is relative; write "layer/file.h"'
            elif first in ALLOWED and "/" in name:
                if first not in ALLOWED[layer]:
                    yield number, f'{layer} may not include "{name}"; it may include {", ".join(ALLOWED[layer])}'
            elif not name.endswith(".moc"):
                yield number, f'"{name}" does not name a layer; write "layer/file.h", or <…> for what is not ours'
        elif first in ALLOWED and "/" in name:
            yield number, f'<{name}> is ours; write "{name}"'
        elif QT.match(name):
            if layer in QT_FREE:
                yield number, f"{layer} knows no Qt, but includes <{name}>"
            elif layer in NO_GUI and (GUI.match(name) or is_widget(name)):
                yield number, f"{layer} knows of Qt only Qt Core, but includes <{name}>"
            elif layer in NO_WIDGETS and is_widget(name):
                yield number, f"{layer} knows no widgets, but includes <{name}>"


def check(root):
    """All faults below root, each as 'file:line: sentence', and the number of files read."""
    faults, count = [], 0
    homes = [(root / folder, layer) for layer, folder in FOLDERS.items()] + [(root / "tests", None)]
    known = set(FOLDERS.values())
    for top in ("src", "ui"):
        for folder in sorted(p for p in (root / top).glob("*") if p.is_dir()):
            if f"{top}/{folder.name}" not in known:
                faults.append(f"{top}/{folder.name}: no layer of this name is known; add it to tests/tools/check_includes.py")
    for folder, layer in homes:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp", ".inc")):
            count += 1
            faults += [f"{path.relative_to(root)}:{line}: {sentence}" for line, sentence in faults_of_file(path, layer)]
    return faults, count


def self_test():
    """Every rule finds the file that breaks it, and nothing else does."""
    head = f"{SPDX}\n// A file for the test.\n"
    bad = {
        "src/core/a.h": '#include "attention/spec.h"',
        "src/core/b.h": "#include <QString>",
        "src/attention/a.cpp": '#include "session/session.h"',
        "src/attention/b.cpp": "#include <QtCore/QString>",
        "src/session/a.cpp": '#include "io/open.h"',
        "src/session/b.cpp": "  #  include <QJsonDocument>",
        "src/io/a.cpp": '#include "state/document.h"',
        "src/io/b.cpp": "#include <QImage>",
        "src/io/c.cpp": '#include "open.h"',
        "src/io/d.cpp": '#include "../core/result.h"',
        "src/io/e.cpp": "#include <core/result.h>",
        "ui/state/a.h": "#include <QWidget>",
        "ui/state/b.h": "#include <QtWidgets/QLabel>",
        "ui/state/c.h": "#include <qcustomplot.h>",
        "ui/state/d.h": '#include "views/map/map_view.h"',
        "ui/views/a.cpp": '#include "io/open.h"',
        "ui/views/b.cpp": '#include "panels/input/input_panel.h"',
        "ui/views/c.cpp": '#include "window/main_window.h"',
        "ui/panels/a.cpp": '#include "views/map/map_view.h"',
        "ui/panels/b.cpp": '#include "window/main_window.h"',
    }
    good = {
        "src/core/good.h": "#include <vector>\n#include <Eigen/Core>",
        "src/io/good.cpp": '#include "io/open.h"\n#include <QSaveFile>\n#include <QCoreApplication>\n#include <zip.h>',
        "ui/state/good.cpp": '#include "io/session_file.h"\n#include <QUndoStack>\n#include <QGuiApplication>\n#include "good.moc"',
        "ui/views/good.cpp": '#include "state/document.h"\n#include <QWidget>\n#include <qcustomplot.h>',
        "ui/window/good.cpp": '#include "views/map/map_view.h"\n#include "panels/input/input_panel.h"\n#include "io/open.h"',
    }
    headless = {
        "src/core/no_spdx.h": "// A file.\n#pragma once\n",
        "src/core/no_sentence.h": f"{SPDX}\n#pragma once\n",
        "tests/core/tst_no_sentence.cpp": f"{SPDX}\n#include <QTest>\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in list(bad.items()) + list(good.items()):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(head + text + "\n")
        for name, text in headless.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        (root / "src/stranger").mkdir()
        faults, _ = check(root)
    found = {fault.split(":")[0] for fault in faults}
    expected = set(bad) | set(headless) | {"src/stranger"}
    for name in sorted(expected - found):
        print(f"not found: {name}")
    for name in sorted(found - expected):
        print(f"found without reason: {name}")
    return found == expected


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(0 if self_test() else 1)
    if len(sys.argv) != 2:
        sys.exit("usage: check_includes.py ROOT | --self-test")
    all_faults, files = check(Path(sys.argv[1]))
    print("\n".join(all_faults))
    print(f"{files} files read, {len(all_faults)} faults")
    sys.exit(1 if all_faults or files == 0 else 0)
