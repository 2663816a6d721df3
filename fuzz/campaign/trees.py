"""Where a campaign's programs and files are, and how they are built."""
import fcntl
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "build" / "fuzz"

# The targets whose inputs are requests; the others read text or messages.
REQUESTS = ["resolve", "execute", "plan", "plugin"]
TEXTS = ["line", "ruling", "spec_yaml", "baseline", "host_message", "description",
         "import_ir", "import_onnx"]
TARGETS = REQUESTS + TEXTS


class Stop(Exception):
    """Ends the campaign with an exit code and a sentence."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


def tree(name):
    return ROOT / "build" / name


def program(tree_name, name):
    return tree(tree_name) / "bin" / name


def corpus(target):
    return HOME / "corpus" / target


def old_corpus(target):
    """Where a corpus lies while a smaller one takes its place."""
    return corpus(target).with_name(f"{target}.old")


def seeds(target):
    return HOME / "seeds" / target


def alone():
    """A lock, held until it is closed or this process ends: campaigns at one time would take the files of
    each other."""
    HOME.mkdir(parents=True, exist_ok=True)
    lock = open(HOME / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise Stop(2, f"another campaign uses {shown(HOME)}") from None
    return lock


def replace(file, text):
    """Writes a file that is there as a whole or as it was, whenever this process ends."""
    part = file.with_name(file.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def shown(path):
    """A path as a person in the project's folder calls it."""
    path = Path(path)
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def say(text=""):
    print(text, flush=True)


def _run(command, log):
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "w", encoding="utf-8") as stream:
        done = subprocess.run(command, cwd=ROOT, stdout=stream, stderr=subprocess.STDOUT,
                              check=False)
    if done.returncode == 0:
        return
    sys.stderr.write("".join(open(log, encoding="utf-8", errors="replace").readlines()[-30:]))
    raise Stop(1, f"could not run: {' '.join(map(str, command))}")


def build(preset, programs, options=()):
    """Configures and builds; quiet unless something fails. Returns the folder of the programs."""
    folder = tree(preset)
    folder.mkdir(parents=True, exist_ok=True)
    if options or not (folder / "build.ninja").exists():
        _run(["cmake", "--preset", preset, *options], folder / "configure.log")
    say(f"Building build/{preset}: {' '.join(programs)}")
    _run(["cmake", "--build", str(folder), "--target", *programs], folder / "build.log")
    return folder / "bin"


def build_release():
    """What is not fuzzed: the programs that campaigns use, and our own libraries."""
    build("release", ["reshape-fuzz", "reshape-conformance", "reference_plugin",
                      "optimized_plugin", "embed_specs"])


def build_fuzzers(preset, targets, replays=True):
    # The fuzzers' flags are for fuzzers: what the build itself runs comes from the ordinary build.
    specs = [f"-DRESHAPE_EMBED_SPECS={program('release', 'embed_specs')}"]
    if (tree(preset) / "build.ninja").exists():
        specs = []
    programs = [f"fuzz_{target}" for target in targets]
    if replays:
        programs += [f"replay_{target}" for target in targets]
    if "plugin" in targets and preset == "fuzz-sanitized":
        programs += ["optimized_plugin"]
    build(preset, programs, specs)


def reshape_fuzz(*arguments, check=True):
    done = subprocess.run([program("release", "reshape-fuzz"), *map(str, arguments)],
                          capture_output=True, text=True, check=False)
    if check and done.returncode > 1:
        raise Stop(1, done.stderr.strip() or f"reshape-fuzz {arguments[0]} failed")
    return done


def make_seeds():
    """First corpora: seeds from the suite's cases, and the corpora that come with the project."""
    reshape_fuzz("seeds", HOME / "seeds")
    for target in TARGETS:
        if old_corpus(target).exists() and not corpus(target).exists():
            old_corpus(target).rename(corpus(target))
        corpus(target).mkdir(parents=True, exist_ok=True)
        seeds(target).mkdir(parents=True, exist_ok=True)
        kept = ROOT / "fuzz" / "corpus" / f"{target}.tar.xz"
        if kept.exists() and not any(corpus(target).iterdir()):
            subprocess.run(["tar", "-xJf", kept, "-C", corpus(target)], check=True)


def dictionary(target):
    name = "request" if target in REQUESTS else target
    file = ROOT / "fuzz" / "dictionaries" / f"{name}.dict"
    return [f"-dict={file}"] if file.exists() else []


def environment(**more):
    return {**os.environ, **{name: str(value) for name, value in more.items() if value}}
