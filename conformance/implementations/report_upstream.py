"""The text of an issue about one deviation, for the library's own maintainers."""
import ast
import json
import platform
import re
import subprocess
import tomllib

NOT_HERE = 77  # how a script ends that shows what this machine cannot
LANGUAGES = {".py": "python", ".cpp": "c++", ".js": "javascript", ".rs": "rust"}


def first_words(script):
    """What the script begins with: its docstring, or the comment above the code."""
    text = script.read_text()
    if script.suffix == ".py":
        return " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    comment = re.match(r"(?://[^\n]*\n)+", text)
    return " ".join(line.lstrip("/ ") for line in comment[0].splitlines()) if comment else ""


def versions(folder):
    """Of what is installed: the lines of its lists, and Debian's versions of its packages."""
    lines = []
    for name in ("requirements.txt", "packages.txt"):
        listed = folder.path / name
        if not listed.exists():
            continue
        for line in listed.read_text().split():
            if name == "packages.txt":
                asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", line], capture_output=True,
                                       text=True, check=False)
                line = f"{line} {asked.stdout.strip()} (Debian)"
            lines.append(line)
    for name, read in (("Cargo.toml", tomllib.loads), ("package.json", json.loads)):
        if (folder.path / name).exists():
            wanted = read((folder.path / name).read_text())["dependencies"]
            lines += [f"{of} {what if isinstance(what, str) else what['version']}".replace("=", "")
                      for of, what in wanted.items()]
    return lines


def write(folder, script, code, said):
    """Prints the issue. `code` and `said`: how the script ended just now, None where it did not, and what it
    printed."""
    title = first_words(script)
    sentence, _, clause = title.partition(" Clause ")
    print(f"# Reshape: {sentence.rstrip('.')}\n")
    print(f"## What the document says\n\n{clause or title}\n")
    print(f"## What came\n\n```text\n{said}\n```\n")
    if code is None:
        print("It did not end, so that nothing is shown.\n")
    elif code == NOT_HERE:
        print("It cannot be shown on this machine.\n")
    elif code != 0:
        print(f"It ended with {code}: with these versions the deviation is gone, or could not be shown.\n")
    print("## How to see it\n\n" + f"```{LANGUAGES[script.suffix]}\n{script.read_text().strip()}\n```\n")
    python = subprocess.run([str(folder.python), "-V"], capture_output=True, text=True, check=False).stdout.strip()
    print("## Versions\n")
    for line in [*versions(folder), f"{platform.system()} {platform.machine()}, {python}"]:
        print(f"- {line}")
    return 3 if code is None else code
