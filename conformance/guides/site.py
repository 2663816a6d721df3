"""Builds the documentation site: site.py PROGRAM OUTPUT

The pages are the guides that mkdocs.yml names, where they stand in this project; what the program tells of the
documents and of its own options is added. OUTPUT gets pages/ (what mkdocs reads) and site/ (to be read). Warnings
are errors. Exit codes: 0, 1 with what is wrong, 3 where mkdocs or its theme is not installed.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
PICTURE = re.compile(r'<img src="([^"]+)"')
GENERATED = {"documents/README.md", "options.md"}


class Wrong(Exception):
    """One sentence about what cannot be built."""


def pages_of(nav):
    """The paths that `nav` names, in its order."""
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, list):
            yield from pages_of(entry)
        else:
            for value in entry.values():
                yield from pages_of([value] if isinstance(value, str) else value)


def listed(entry):
    """`entry` of a section with a pattern replaced by the pages that there are, each called as its folder is."""
    (title, value), = entry.items()
    if not isinstance(value, str) or "*" not in value:
        return entry
    return {title: [{file.parent.name: file.relative_to(ROOT).as_posix()} for file in sorted(ROOT.glob(value))]}


class Site:
    def __init__(self, program, output):
        self.program = program
        self.pages = output / "pages"
        self.output = output
        self.settings = yaml.safe_load((HERE / "mkdocs.yml").read_text(encoding="utf-8"))
        for section in self.settings["nav"]:
            for title, value in section.items():
                if isinstance(value, list):
                    section[title] = [one if isinstance(one, str) else listed(one) for one in value]
        self.named = [page for page in pages_of(self.settings["nav"]) if page not in GENERATED]

    def told(self, *words):
        done = subprocess.run([self.program, *words], check=False, text=True, stdout=subprocess.PIPE)
        if done.returncode != 0:
            raise Wrong(f"{self.program} {' '.join(words)} ended with {done.returncode}")
        return done.stdout

    def write(self, page, text):
        file = self.pages / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def gather(self):
        for page in self.named:
            if not (ROOT / page).exists():
                raise Wrong(f"mkdocs.yml names {page}, which is not there")
            self.write(page, self.linked(page, (ROOT / page).read_text(encoding="utf-8")))
        for style in self.settings.get("extra_css", []):
            self.copy("mkdocs.yml", ROOT / style)

    def linked(self, page, text):
        """`text` with links that lead somewhere in the site; those to folders and hidden files become words."""
        for picture in PICTURE.findall(text):
            self.copy(page, (ROOT / page).parent.joinpath(picture).resolve())
        return LINK.sub(lambda found: self.link(page, found), text)

    def copy(self, page, file):
        """Puts what `page` leads to, and is no page, beside the pages."""
        name = file.relative_to(ROOT)
        if not file.exists():
            raise Wrong(f"{page} leads to {name.as_posix()}, which is not there")
        (self.pages / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, self.pages / name)

    def link(self, page, found):
        image, words, target = found.groups()
        path = target.split("#")[0]
        if re.match(r"[a-z]+:", target) or not path:
            return found[0]
        file = (ROOT / page).parent.joinpath(path).resolve()
        name = file.relative_to(ROOT).as_posix()
        if name in self.named:
            return found[0]
        if file.suffix == ".md":
            raise Wrong(f"{page} leads to {name}, which mkdocs.yml does not name")
        if file.is_dir() or any(part.startswith(".") for part in name.split("/")):
            return words
        self.copy(page, file)
        return f"{image}[{words}]({target})"

    def add_documents(self):
        traced = json.loads(self.told("trace", "--json"))
        index = ["# Clauses and rulings", "",
                 "What each document says, in our words: how binding each sentence is, how it was read where the text needs a "
                 f"ruling, and the cases that ask for it. Made of suite {traced['suite']} by `reshape-conformance trace --guide`.",
                 "", "| dialect | document | clauses | cases |", "|---|---|---|---|"]
        entries = ["documents/README.md"]
        for one in traced["documents"]:
            name = one["dialect"]
            self.write(f"documents/{name}.md", self.told("trace", "--guide", name))
            index.append(f"| [{name}]({name}.md) | {one['publisher']}, {one['versioned_name']} ({one['version']}) | "
                         f"{len(one['clauses'])} | {one['cases']} |")
            entries.append({name: f"documents/{name}.md"})
        self.write("documents/README.md", "\n".join(index) + "\n")
        for section in self.settings["nav"]:
            for title, value in section.items():
                if value == ["documents/README.md"]:
                    section[title] = entries

    def add_options(self):
        page = ["# All options", "", "What `reshape-conformance help COMMAND` says; the manual pages are made of the same."]
        for command in self.told("manual", "--list").split():
            page += ["", f"## {command}", "", "```text", self.told("help", command).strip("\n"), "```"]
        self.write("options.md", "\n".join(page) + "\n")

    def build(self):
        shutil.rmtree(self.output, ignore_errors=True)
        self.gather()
        self.add_documents()
        self.add_options()
        settings = {**self.settings, "docs_dir": "pages", "site_dir": "site"}
        written = self.output / "mkdocs.yml"
        written.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
        done = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-f", written], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise Wrong(f"mkdocs found something:\n{done.stdout}")


def main():
    if len(sys.argv) != 3:
        print("usage: site.py PROGRAM OUTPUT", file=sys.stderr)
        return 2
    if not shutil.which("mkdocs"):
        print("site.py: mkdocs is not installed (Debian: mkdocs mkdocs-material)", file=sys.stderr)
        return 3
    try:
        Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()).build()
    except Wrong as why:
        print(f"site.py: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
