#!/usr/bin/env python3
"""schema_test.py SPECS: every file of specs/ has the form that specs/schema/ describes, and the
schemas refuse files of another form."""
import copy
import json
import pathlib
import sys
import unittest

import jsonschema
import yaml

SPECS = pathlib.Path(sys.argv.pop())
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def validator(name):
    schema = json.loads((SPECS / "schema" / name).read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def read(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)


DOCUMENT = validator("document.schema.json")
CASES = validator("cases.schema.json")
DOCUMENT_FILES = sorted(SPECS.glob("*/document.yaml"))
CASE_FILES = sorted(set(SPECS.glob("*/*.yaml")) - set(DOCUMENT_FILES))


def without(tree, *keys):
    """A copy of the tree that lacks the value at the end of the path."""
    tree = copy.deepcopy(tree)
    inner = tree
    for key in keys[:-1]:
        inner = inner[key]
    del inner[keys[-1]]
    return tree


def having(tree, value, *keys):
    """A copy of the tree with another value at the end of the path."""
    tree = copy.deepcopy(tree)
    inner = tree
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    return tree


class Files(unittest.TestCase):
    def check(self, schema, path):
        for error in schema.iter_errors(read(path)):
            place = "/".join(str(step) for step in error.absolute_path)
            self.fail(f"{path.relative_to(SPECS)}: at {place}: {error.message}")

    def test_there_are_files(self):
        self.assertGreaterEqual(len(DOCUMENT_FILES), 5)
        self.assertGreaterEqual(len(CASE_FILES), len(DOCUMENT_FILES))

    def test_documents(self):
        for path in DOCUMENT_FILES:
            with self.subTest(path.parent.name):
                self.check(DOCUMENT, path)

    def test_cases(self):
        for path in CASE_FILES:
            with self.subTest(f"{path.parent.name}/{path.name}"):
                self.check(CASES, path)

    def test_the_suite_says_its_version(self):
        suite = read(SPECS / "suite.yaml")
        self.assertEqual(suite["suite"], "reshape-conformance")
        self.assertRegex(suite["version"], r"^\d+\.\d+\.\d+$")


class DocumentSchema(unittest.TestCase):
    """A schema that accepts everything checks nothing: each spoiled copy is refused."""

    def setUp(self):
        self.document = read(DOCUMENT_FILES[0])
        self.assertTrue(DOCUMENT.is_valid(self.document))

    def refused(self, document):
        self.assertFalse(DOCUMENT.is_valid(document))

    def test_needs_its_keys(self):
        for key in ["dialect", "title", "versioned_name", "publisher", "version", "licence",
                    "rules", "clauses"]:
            with self.subTest(key):
                self.refused(without(self.document, key))
        for key in ["pattern_given_as", "data_types", "zero", "zero_past_rank", "flag_missing",
                    "literal_zero_with_minus_one", "minus_one_beside_copied_zero"]:
            with self.subTest(key):
                self.refused(without(self.document, "rules", key))
        for key in ["id", "level", "section", "says"]:
            with self.subTest(key):
                self.refused(without(self.document, "clauses", 0, key))

    def test_knows_no_other_keys_or_words(self):
        self.refused(having(self.document, 1, "colour"))
        self.refused(having(self.document, 1, "rules", "colour"))
        self.refused(having(self.document, "perhaps", "clauses", 0, "level"))
        self.refused(having(self.document, "sometimes", "rules", "zero"))
        self.refused(having(self.document, ["f99"], "rules", "data_types"))

    def zeros(self, answers):
        """The document with these answers about zeros and no others."""
        document = copy.deepcopy(self.document)
        asked = ["zero", "flag_missing", "zero_past_rank", "literal_zero_with_minus_one",
                 "minus_one_beside_copied_zero"]
        rules = {key: value for key, value in document["rules"].items() if key not in asked}
        document["rules"] = rules | answers
        return document

    def test_what_no_zero_can_bring_about_need_not_be_answered(self):
        copies = {"zero": "copies", "zero_past_rank": "rejects",
                  "minus_one_beside_copied_zero": "rejects"}
        self.assertTrue(DOCUMENT.is_valid(self.zeros(copies)))
        self.refused(self.zeros(copies | {"zero_past_rank": "literal"}))
        self.refused(self.zeros(without(copies, "zero_past_rank")))
        self.refused(self.zeros(without(copies, "minus_one_beside_copied_zero")))
        literal = {"zero": "literal", "literal_zero_with_minus_one": "rejects"}
        self.assertTrue(DOCUMENT.is_valid(self.zeros(literal)))
        self.assertTrue(DOCUMENT.is_valid(self.zeros(literal | copies | {"zero": "literal"})))
        self.refused(self.zeros({"zero": "literal"}))

    def test_a_ruling_needs_its_reason(self):
        clauses = self.document["clauses"]
        derived = next(i for i, one in enumerate(clauses) if one["level"] == "derived")
        self.refused(without(self.document, "clauses", derived, "because"))


class CasesSchema(unittest.TestCase):
    def setUp(self):
        self.cases = {"cases": [{
            "id": "a", "clauses": ["volume.kept"], "source": {"kind": "document", "section": "x"},
            "request": "f32[2] i64[2] special_zero=true", "expect": "produces [2]"}]}
        self.assertTrue(CASES.is_valid(self.cases))

    def refused(self, cases):
        self.assertFalse(CASES.is_valid(cases))

    def test_needs_its_keys(self):
        for key in ["id", "clauses", "source", "request", "expect"]:
            with self.subTest(key):
                self.refused(without(self.cases, "cases", 0, key))

    def test_knows_no_other_keys_or_words(self):
        self.refused(having(self.cases, 1, "colour"))
        self.refused(having(self.cases, 1, "cases", 0, "colour"))
        self.refused(having(self.cases, "rumour", "cases", 0, "source", "kind"))
        self.refused(having(self.cases, "makes [2]", "cases", 0, "expect"))
        self.refused(having(self.cases, "f32[2]", "cases", 0, "request"))
        self.refused(having(self.cases, "A", "cases", 0, "id"))
        self.refused(having(self.cases, [], "cases", 0, "clauses"))

    def test_a_public_issue_needs_its_link(self):
        self.refused(having(self.cases, {"kind": "public issue"}, "cases", 0, "source"))

    def test_placeholders_and_their_values_go_together(self):
        self.refused(having(self.cases, {"T": ["f32"]}, "cases", 0, "over"))
        self.refused(having(self.cases, "$T[2] i64[2]", "cases", 0, "request"))


if __name__ == "__main__":
    unittest.main()
