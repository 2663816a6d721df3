"""Writes the folder that OSS-Fuzz asks for, from what ClusterFuzzLite has: project.yaml, Dockerfile, build.sh.

  oss_project.py FOLDER --repository URL --contact ADDRESS
FOLDER is projects/reshape-conformance of a clone of OSS-Fuzz. The difference: OSS-Fuzz clones the sources itself, and
wants to know whose they are. Exit codes: 0, 2 where the folder cannot be written.
"""
import argparse
import pathlib
import shutil
import sys

LAYOUT = pathlib.Path(__file__).resolve().parents[2] / ".clusterfuzzlite"
COPIES = ("COPY . $SRC/reshape-conformance\n", "COPY .clusterfuzzlite/build.sh $SRC/build.sh\n")


def dockerfile(repository):
    text = (LAYOUT / "Dockerfile").read_text(encoding="utf-8")
    clones = (f"RUN git clone --depth 1 {repository} $SRC/reshape-conformance\n", "COPY build.sh $SRC/build.sh\n")
    for copy, clone in zip(COPIES, clones):
        if text.count(copy) != 1:
            raise ValueError(f"{LAYOUT.name}/Dockerfile has no line {copy.strip()!r}")
        text = text.replace(copy, clone)
    return text


def project(repository, contact):
    text = (LAYOUT / "project.yaml").read_text(encoding="utf-8")
    return f"homepage: {repository}\nmain_repo: {repository}\nprimary_contact: {contact}\n{text}"


def main():
    parser = argparse.ArgumentParser(description="Writes the folder that OSS-Fuzz asks for.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--repository", required=True, metavar="URL", help="that OSS-Fuzz clones")
    parser.add_argument("--contact", required=True, metavar="ADDRESS", help="who is told of findings")
    asked = parser.parse_args()
    try:
        asked.folder.mkdir(parents=True, exist_ok=True)
        (asked.folder / "Dockerfile").write_text(dockerfile(asked.repository), encoding="utf-8")
        (asked.folder / "project.yaml").write_text(project(asked.repository, asked.contact), encoding="utf-8")
        shutil.copy(LAYOUT / "build.sh", asked.folder)
    except (OSError, ValueError) as why:
        print(f"oss_project.py: {why}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
