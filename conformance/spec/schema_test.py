#!/usr/bin/env python3
"""schema_test.py SPECS PROGRAM: every file of specs/ has the form that specs/schema/ describes, the
schemas refuse files of another form, and schema and README tell the questions of the program's table."""
import copy
import json
import pathlib
import subprocess
import sys
import unittest

import jsonschema
import yaml

PROGRAM = sys.argv.pop()
SPECS = pathlib.Path(sys.argv.pop())
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def validator(name):
    schema = json.loads((SPECS / "schema" / name).read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def read(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)


def listed(*options):
    return subprocess.run([PROGRAM, "list", "--questions", *options], check=True,
                          capture_output=True, text=True).stdout


DOCUMENT = validator("document.schema.json")
CASES = validator("cases.schema.json")
CLAUSES = validator("clauses.schema.json")


class Files(unittest.TestCase):
    def check(self, schema, path):
        for error in schema.iter_errors(read(path)):
            place = "/".join(str(step) for step in error.absolute_path)
            self.fail(f"{path.relative_to(SPECS)}: at {place}: {error.message}")

    def test_documents(self):
        files = sorted((SPECS / "dialects").glob("*.yaml"))
        self.assertGreater(len(files), 4)
        for path in files:
            self.check(DOCUMENT, path)

    def test_cases(self):
        files = sorted((SPECS / "cases").glob("*.yaml"))
        self.assertGreater(len(files), 20)
        for path in [*files, *(SPECS / "regressions").glob("*.yaml")]:
            self.check(CASES, path)

    def test_clauses(self):
        self.check(CLAUSES, SPECS / "clauses.yaml")


class Refusals(unittest.TestCase):
    """A good file, spoiled in one place at a time."""

    document = read(SPECS / "dialects" / "openvino-reshape-1.yaml")
    cases = {"volume.kept": {"one": {"ask": "f32[2] P[2]", "expect": "produces [2]"}}}

    def refused(self, schema, good, *keys, value=None):
        tree = copy.deepcopy(good)
        self.assertTrue(schema.is_valid(tree))
        inner = tree
        for key in keys[:-1]:
            inner = inner[key]
        if value is None:
            del inner[keys[-1]]
        else:
            inner[keys[-1]] = value
        self.assertFalse(schema.is_valid(tree), keys)

    def test_documents(self):
        for key in DOCUMENT.schema["required"]:
            self.refused(DOCUMENT, self.document, key)
        self.refused(DOCUMENT, self.document, "colour", value="red")
        self.refused(DOCUMENT, self.document, "rules", "zero", value="always")
        self.refused(DOCUMENT, self.document, "rules", "data_types", value=["f32", "f32"])
        self.refused(DOCUMENT, self.document, "rules", "pattern_types", value=["f32"])
        self.refused(DOCUMENT, self.document, "rules", "pattern_types", value="all")
        self.refused(DOCUMENT, self.document, "rules", "flag", value={"name": "x"})
        self.refused(DOCUMENT, self.document, "clauses", "No.Id", value="section")
        self.refused(DOCUMENT, self.document, "clauses", "volume.kept", value={"level": "must"})

    def test_cases(self):
        one = ("volume.kept", "one")
        self.refused(CASES, self.cases, *one, "ask")
        self.refused(CASES, self.cases, *one, "expect", value="makes [2]")
        self.refused(CASES, self.cases, *one, "over", value={"T": ["f32"]})
        self.refused(CASES, self.cases, *one, "NM", value=["1 2"])
        self.refused(CASES, self.cases, *one, "except", value={"zero": "rejects"})
        self.refused(CASES, self.cases, *one, value=[])
        self.refused(CASES, self.cases, "Volume", value={})


class Questions(unittest.TestCase):
    """The table in the program is what the schema admits and what the README says."""

    def test_schema(self):
        table = json.loads(listed("--json"))
        rules = DOCUMENT.schema["$defs"]["rules"]["properties"]
        words = {key: one["enum"] for key, one in rules.items() if "enum" in one}
        self.assertEqual(words, {one["key"]: one["answers"] for one in table["questions"]})
        types = {key for key, one in rules.items() if "$ref" in one}
        self.assertEqual(types, {one["key"] for one in table["types"]})
        self.assertEqual(DOCUMENT.schema["$defs"]["types"]["oneOf"][1]["items"]["enum"],
                         table["element_types"])

    def test_readme(self):
        self.assertIn(listed(), (SPECS / "README.md").read_text(encoding="utf-8"),
                      "the table of questions in specs/README.md is not that of `list --questions`")


if __name__ == "__main__":
    unittest.main()
