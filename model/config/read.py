"""A document's data → `FileConfig`, value by value: a bad value is reported at its place and counts as not stated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from model.capability_set import CapabilitySet
from model.config.fields import FALLBACK, MODEL, POLICY, PROVIDER, REQUIREMENT, ROOT, TOOL, TOP, Field, Kind
from model.config.meaning import home_of, meant_key
from model.config.rows import (
    Alternative,
    ChainRow,
    ConversionRow,
    FileConfig,
    Flags,
    IgnoreRow,
    LimitsRow,
    ModelRow,
    PolicyRow,
    ProviderRow,
    RequirementRow,
    ToolRow,
)
from model.config.values import Fault, read_value, shown, type_name
from model.findings import Finding, Fix, Severity, Spot
from model.vocabulary import Capability, Role, ScoreDimension

if TYPE_CHECKING:
    from model.document import YamlPath

Values = dict[str, Any]
"""Checked values of one row by key; typed when they are put into the row's dataclass."""


class Reader:
    """Reads the rows of one file and gathers what is wrong with them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.findings: list[Finding] = []

    def take_findings(self) -> tuple[Finding, ...]:
        taken, self.findings = tuple(self.findings), []
        return taken

    # -- reporting ------------------------------------------------------------------------------------------------
    def report(
        self,
        code: str,
        path: YamlPath,
        message: str,
        help: str = "",
        *,
        on_key: bool = False,
        severity: Severity = Severity.ERROR,
        fix: Fix | None = None,
    ) -> None:
        self.findings.append(Finding(code, severity, Spot(self.file, path, on_key), message, help, fix=fix))

    def _fault(self, fault: Fault, path: YamlPath) -> None:
        fix = None
        if fault.mended is not None:
            from model.document import Set

            fix = Fix(f"write {_written(fault.mended)}", self.file, (Set(path, fault.mended),), safe=fault.sure)
        elif fault.unquoted:
            from model.document import Quote

            fix = Fix("put it in quotes", self.file, tuple(Quote((*path, *below)) for below in fault.unquoted))
        self.report(fault.code, path, fault.message, fault.help, fix=fix)

    def _unknown_key(self, key: object, fields: Mapping[str, Field], path: YamlPath, taken: Mapping[Any, Any]) -> None:
        place = (*path, key) if isinstance(key, str | int) else path
        home = home_of(str(key), fields)
        if home:
            fix = self._moved(str(key), fields, path, taken)
            self.report("config-wrong-level", place, f"{key} does not belong here", home, on_key=True, fix=fix)
            return
        meant = meant_key(str(key), fields)
        fix = None
        if meant and meant not in taken:
            from model.document import Rename

            fix = Fix(f"rename it to {meant}", self.file, (Rename(place, meant),))
        help = f"did you mean {meant!r}?" if meant else "known here: " + ", ".join(list(fields)[:12])
        severity, message = Severity.WARNING, f"unknown key {shown(key)}"
        self.report("config-unknown-key", place, message, help, on_key=True, severity=severity, fix=fix)

    def _moved(self, key: str, fields: Mapping[str, Field], path: YamlPath, taken: Mapping[Any, Any]) -> Fix | None:
        """Into the section of the same row that it belongs to, if that has no such key."""
        section = next((each for each in fields.values() if each.kind is Kind.SECTION and key in each.fields), None)
        held = taken.get(section.name) if section else None
        if section is None or not isinstance(held, dict | None) or key in (held or ()):
            return None
        from model.document import Delete, Put

        edits = (Delete((*path, key)), Put((*path, section.name, key), taken[key], order=tuple(fields)))
        return Fix(f"move it under {section.name}", self.file, edits)

    # -- reading --------------------------------------------------------------------------------------------------
    def section(self, fields: Mapping[str, Field], raw: object, path: YamlPath) -> Values:
        """The good values of a mapping; sections inside come as mappings of their own, lists of rows stay raw."""
        if not isinstance(raw, dict):
            message = f"expected a mapping, found {type_name(raw)}"
            self.report("config-wrong-type", path, message, "write a line of KEY: VALUE for each key")
            return {}
        values: Values = {}
        for key, value in raw.items():
            field = fields.get(key) if isinstance(key, str) else None
            if field is None:
                if not (fields is TOP and isinstance(key, str) and key.startswith("x-")):
                    self._unknown_key(key, fields, path, raw)
            elif value is not None:
                read = self._value(field, value, (*path, key))
                if read is not None:
                    values[key] = read
        return values

    def _value(self, field: Field, value: object, path: YamlPath) -> object | None:
        if field.kind is Kind.SECTION:
            return self.section(field.fields, value, path)
        if field.kind in {Kind.ROWS, Kind.TABLE}:
            return value
        read = read_value(field, value)
        if isinstance(read, Fault):
            self._fault(read, path)
            return None
        return read

    def missing(self, code: str, key: str, raw: object, path: YamlPath, message: str, help: str) -> None:
        """Reports a required key that a row lacks, unless an unknown key was meant to be it."""
        if not isinstance(raw, dict) or raw.get(key) is not None:
            return
        from model.document import Rename

        fixes = (finding.fix for finding in self.findings if finding.fix)
        renamed = (edit for fix in fixes for edit in fix.edits if isinstance(edit, Rename))
        if not any(edit.key == key and edit.path[:-1] == path for edit in renamed):
            self.report(code, path, message, help)

    def row(self, fields: Mapping[str, Field], raw: object, path: YamlPath) -> Values:
        """A section that has no effect without its required keys."""
        values = self.section(fields, raw, path)
        for name, field in fields.items():
            if field.required:
                help = f"add {name}: {field.help}"
                self.missing("config-missing-key", name, raw, path, f"{name} is missing here", help)
        return values

    def rows(self, name: str, raw: object, path: YamlPath) -> list[tuple[YamlPath, object]]:
        """The items of a list of rows with their paths."""
        if raw is None:
            return []
        if not isinstance(raw, list):
            help = "start each with '- '" if isinstance(raw, dict) else ""
            self.report("config-not-a-list", path, f"{name} must be a list, not {type_name(raw)}", help)
            return []
        return [((*path, index), item) for index, item in enumerate(raw)]


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_model(reader: Reader, raw: object, path: YamlPath) -> ModelRow:
    values = reader.section(MODEL, raw, path)
    reader.missing("config-missing-id", "model_id", raw, path, "this model has no model_id", "add model_id: …")
    return ModelRow(
        path,
        findings=reader.take_findings(),
        **values
        | _typed(values, "supports", _flags)
        | _typed(values, "conversion", lambda it: ConversionRow(**it))
        | _typed(values, "limits", lambda it: LimitsRow(**it))
        | _typed(values, "default_use", lambda it: {Role(key): value for key, value in it.items()})
        | _typed(values, "scores", lambda it: {ScoreDimension(key): value for key, value in it.items()}),
    )


def _typed(values: Values, key: str, make: Any) -> Values:
    return {key: make(values[key])} if key in values else {}


def _flags(values: Mapping[str, bool]) -> Flags:
    yes = no = 0
    for name, value in values.items():
        if value:
            yes |= Capability(name).bit
        else:
            no |= Capability(name).bit
    return Flags(CapabilitySet(yes), CapabilitySet(no))


def read_provider(reader: Reader, raw: object, path: YamlPath, known: _Known) -> ProviderRow:
    values = reader.section(PROVIDER, raw, path)
    reader.missing(
        "config-missing-id", "provider_id", raw, path, "this provider has no provider_id", "add provider_id: …"
    )
    items = reader.rows("models", values.pop("models", None), (*path, "models"))
    own = reader.take_findings()
    models = tuple(known.model(item, place) or read_model(reader, item, place) for place, item in items)
    return ProviderRow(path, models=models, findings=own, **values)


class _Known:
    """Rows of the last reading: data that is still the same object at the same place is not read again."""

    def __init__(self, previous: FileConfig | None) -> None:
        self._previous = previous

    def provider(self, raw: object, index: int) -> ProviderRow | None:
        if self._previous is None or index >= len(self._previous.providers):
            return None
        return self._previous.providers[index] if _item(self._previous.data, "providers", index) is raw else None

    def model(self, raw: object, path: YamlPath) -> ModelRow | None:
        _, provider, _, index = path
        if self._previous is None or not isinstance(provider, int) or not isinstance(index, int):
            return None
        if provider >= len(self._previous.providers) or index >= len(self._previous.providers[provider].models):
            return None
        old = _item(_item(self._previous.data, "providers", provider), "models", index)
        return self._previous.providers[provider].models[index] if old is raw else None


def _item(data: object, key: str, index: int) -> object:
    """`data[key][index]` of the last reading, which had rows there."""
    rows = data.get(key) if isinstance(data, dict) else None
    return rows[index] if isinstance(rows, list) else None


def _alternative(values: Values) -> Alternative:
    window = values.pop("min_context_window_tokens", None)
    flags = _flags(values)
    return Alternative(flags.yes, flags.no, window)


def _read_requirement(reader: Reader, raw: object, path: YamlPath) -> RequirementRow:
    values = reader.section(REQUIREMENT, raw, path)
    values |= _typed(values, "required", _flags) | _typed(values, "preferred", _flags)
    if "any_of" in values:
        field = REQUIREMENT["any_of"]
        items = reader.rows("any_of", values["any_of"], (*path, "any_of"))
        values["any_of"] = tuple(_alternative(reader.section(field.fields, item, place)) for place, item in items)
    return RequirementRow(path, **values)


def _read_requirements(reader: Reader, raw: object) -> dict[str, RequirementRow]:
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        reader.report("config-wrong-type", ("requirements",), f"expected a mapping, found {type_name(raw)}")
        return {}
    return {
        str(task): _read_requirement(reader, block if block is not None else {}, ("requirements", task))
        for task, block in raw.items()
    }


def _read_policy(reader: Reader, values: Values) -> PolicyRow:
    policy = dict(values)
    if "ignore" in policy:
        fields = POLICY["ignore"].fields
        items = reader.rows("ignore", policy["ignore"], ("policy", "ignore"))
        policy["ignore"] = tuple(IgnoreRow(place, **reader.row(fields, item, place)) for place, item in items)
    return PolicyRow(**policy)


def read_config(data: object, file: str, previous: FileConfig | None = None) -> FileConfig:
    """The whole of one file. `data` is `YamlDoc.data`; `file` names it in findings; `previous` is its config before
    an edit."""
    reader, known = Reader(file), _Known(previous)
    values = {} if data is None else reader.section(ROOT.fields, data, ())
    requirements = _read_requirements(reader, values.get("requirements"))
    tools = tuple(
        ToolRow(place, **reader.row(TOOL, item, place))
        for place, item in reader.rows("tools", values.get("tools"), ("tools",))
    )
    fallbacks = tuple(
        ChainRow(place, **reader.row(FALLBACK, item, place))
        for place, item in reader.rows("fallbacks", values.get("fallbacks"), ("fallbacks",))
    )
    policy = _read_policy(reader, values.get("policy", {}))
    items = reader.rows("providers", values.get("providers"), ("providers",))
    own = reader.take_findings()
    providers = tuple(
        known.provider(item, index) or read_provider(reader, item, place, known)
        for index, (place, item) in enumerate(items)
    )
    return FileConfig(providers, requirements, tools, fallbacks, policy, own, data)
