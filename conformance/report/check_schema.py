"""Holds a JSON report against report.schema.json: check_schema.py SCHEMA REPORT..."""
import json
import sys

import jsonschema


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    wrong = 0
    for path in arguments[1:]:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        for error in validator.iter_errors(report):
            wrong += 1
            where = "/".join(str(step) for step in error.absolute_path)
            print(f"{path}: {where}: {error.message[:300]}")
    return 1 if wrong or len(arguments) < 2 else 0


sys.exit(main(sys.argv[1:]))
