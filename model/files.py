"""Which models.yaml files are open, found where DOMAIN.md §3 says, and what became of opening each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path

from model.config.read import read_config
from model.config.rows import FileConfig
from model.document import DocumentError, Invalid, Place, YamlDoc, YamlPath
from model.findings import Finding, Severity, Spot
from model.quick_dataclass import dataclass
from model.vocabulary import Layer

PROJECT_FILE = Path(".air") / "shared" / "models.yaml"
GLOBAL_FILE = Path(".air") / "models.yaml"


@dataclass(frozen=True, slots=True)
class FileSpec:
    """A file to open and the layer that it speaks for."""

    path: Path
    layer: Layer


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file as it stands now, edits included.

    `doc` is the last version that could be read (None if there never was one), `saved` the version on disk that the
    edits start from. A `problem` makes the file read-only: it is shown and never written, unless it is `gone`.
    """

    path: Path
    layer: Layer
    doc: YamlDoc | None
    saved: YamlDoc | None
    config: FileConfig
    saved_config: FileConfig
    problem: DocumentError | OSError | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def missing(self) -> bool:
        """It was never there."""
        return isinstance(self.problem, FileNotFoundError) and self.doc is None

    @property
    def gone(self) -> bool:
        """It was there and was removed: what is known of it is nowhere else, and can be written again."""
        return isinstance(self.problem, FileNotFoundError) and self.doc is not None

    @property
    def writable(self) -> bool:
        return self.doc is not None and (self.problem is None or self.gone)

    @property
    def changed(self) -> bool:
        """Whether saving would write something."""
        return self.gone or self.edited

    @property
    def edited(self) -> bool:
        """Whether it stands otherwise than it was read."""
        if self.doc is None or self.saved is None:
            return self.doc is not self.saved
        return self.doc is not self.saved and self.doc.text != self.saved.text

    @property
    def on_disk(self) -> YamlDoc:
        """What saving replaces: empty where there is no file."""
        return YamlDoc.parse(b"", self.name) if self.saved is None or self.gone else self.saved

    def with_doc(self, doc: YamlDoc) -> OpenFile:
        """The file after an edit; only what the edit touched is read again."""
        return replace(self, doc=doc, config=read_config(doc.data, self.name, self.config))

    def as_saved(self) -> OpenFile:
        """The file after its present state was written."""
        return replace(self, saved=self.doc, saved_config=self.config, problem=None)

    def line_column(self, spot: Spot) -> tuple[int, int] | None:
        """Where a finding points to, 1-based; what is not there any more is shown at what held it."""
        if spot.at or self.doc is None:
            return spot.at
        for length in range(len(spot.path), -1, -1):
            place = self.doc.place(spot.path[:length], key=spot.on_key and length == len(spot.path))
            if place:
                return place.line, place.column
        return 1, 1


def open_file(spec: FileSpec) -> OpenFile:
    """Never raises: what went wrong is the file's `problem`."""
    try:
        doc = YamlDoc.open(spec.path)
    except (DocumentError, OSError) as problem:
        return OpenFile(spec.path, spec.layer, None, None, FileConfig(), FileConfig(), problem)
    config = read_config(doc.data, str(spec.path))
    return OpenFile(spec.path, spec.layer, doc, doc, config, config)


def file_findings(file: OpenFile) -> list[Finding]:
    """What is wrong with the file as a whole: unreadable, not YAML, duplicate keys."""
    found = []
    if file.problem is not None and not file.missing:
        found.append(_problem_finding(file, file.problem))
    for path, first, again in _duplicates(file):
        spot = Spot(file.name, path, True, (again.line, again.column))
        message = (
            f"the key {path[-1]!r} stands here again; it first stood in line {first.line}, and the last one counts"
        )
        found.append(Finding("config-duplicate-key", Severity.ERROR, spot, message, "remove one of the two"))
    return found


def _duplicates(file: OpenFile) -> tuple[tuple[YamlPath, Place, Place], ...]:
    """An edit never makes a key stand twice, so a file that had none on disk need not be read again to know it."""
    if file.doc is None or (file.saved is not None and not file.saved.duplicates):
        return ()
    return file.doc.duplicates


def _problem_finding(file: OpenFile, problem: DocumentError | OSError) -> Finding:
    if isinstance(problem, OSError):
        spot = Spot(file.name, at=(1, 1))
        return Finding("config-unreadable", Severity.ERROR, spot, f"cannot be read: {problem.strerror or problem}")
    code = "config-not-yaml" if isinstance(problem, Invalid) else "config-refused"
    spot = Spot(file.name, at=(problem.line or 1, problem.column or 1))
    return Finding(code, Severity.ERROR, spot, problem.reason, problem.help or "")


def nearest_project_file(start: Path) -> Path | None:
    """The project file of the nearest ancestor that has one; the global file is nobody's project file."""
    for folder in (start, *start.parents):
        candidate = folder / PROJECT_FILE
        if candidate.is_file():
            return candidate
    return None


def default_global_file(environ: Mapping[str, str] = os.environ) -> Path:
    """`CAPDECK_GLOBAL`, else `~/.air/models.yaml`; an empty variable counts as unset."""
    named = environ.get("CAPDECK_GLOBAL")
    return Path(named) if named else Path.home() / GLOBAL_FILE


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user asked to open (CLI.md): a path alone, or a global and a project file."""

    path: Path | None = None
    global_file: Path | None = None
    project: Path | None = None
    no_global: bool = False
    no_project: bool = False


def choose_files(choice: Choice, cwd: Path | None = None, environ: Mapping[str, str] = os.environ) -> list[FileSpec]:
    """The files to open, nearest first; missing ones are listed too if they were named."""
    if choice.path is not None and not choice.path.is_dir():
        own = _is_same(choice.path, default_global_file(environ))
        return [FileSpec(choice.path, Layer.GLOBAL if own else Layer.FILE)]
    specs = []
    project = choice.project or choice.path
    if not choice.no_project:
        found = _project_file(project) if project else nearest_project_file(cwd or Path.cwd())
        if found:
            specs.append(FileSpec(found, Layer.PROJECT))
    if not choice.no_global:
        specs.append(FileSpec(choice.global_file or default_global_file(environ), Layer.GLOBAL))
    return specs


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False


def _project_file(project: Path) -> Path:
    return project / PROJECT_FILE if project.is_dir() else project
