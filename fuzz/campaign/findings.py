"""From an input that goes wrong to a finding: one token, the smallest input, a case, a test."""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import trees

TOKEN = re.compile(r"^DEDUP_TOKEN: (.+)$", re.M)
# Tries at a smaller input, each a process of its own.
MOST_TRIES = 250


class Findings:
    """The findings of this and of earlier campaigns, by their tokens."""

    def __init__(self, implementation=None, hang=20):
        self.folder = trees.HOME / "findings"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.implementation = implementation
        self.hang = hang
        self.known = {}
        for token in sorted(self.folder.glob("*/token.txt")):
            self.known[token.read_text(encoding="utf-8").strip()] = token.parent
        self.new = []
        self.known_file = trees.HOME / "known_tokens"
        self._write_known()

    def _write_known(self):
        self.known_file.write_text("".join(f"{token}\n" for token in sorted(self.known)),
                                   encoding="utf-8")

    def token_of(self, target, file):
        """What is wrong with this input, or an empty string when nothing is, any more."""
        if target == "plugin" and self.implementation:
            return _token(trees.reshape_fuzz("judge", file, "-i", self.implementation,
                                             "--deadline", min(self.hang, 2)).stdout)
        replay = trees.program("fuzz-sanitized", f"replay_{target}")
        if not replay.exists():
            replay = trees.program("fuzz-fast", f"replay_{target}")
        env = trees.environment(RESHAPE_IMPLEMENTATION=self.implementation,
                                ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=0")
        try:
            done = subprocess.run([replay, "--quiet", "--hang", str(self.hang), file],
                                  capture_output=True, text=True, errors="replace", env=env,
                                  timeout=self.hang + 30, check=False)
        except subprocess.TimeoutExpired:
            return f"{target}||||hang"
        return _token(done.stderr)

    def take(self, target, file):
        """The finding's folder when it is a new one, else nothing."""
        token = self.token_of(target, file)
        if not token:
            trees.say(f"  {file.name}: not seen again by the judging build; kept at {file}")
            return None
        if token in self.known:
            file.unlink()
            return None
        smallest = self._minimised(target, file, token)
        arguments = ["finding", smallest, "--target", target, "--token", token, "--into",
                     self.folder]
        if self.implementation:
            arguments += ["-i", self.implementation]
        if target not in trees.REQUESTS:
            arguments += ["--bytes"]
        folder = Path(trees.reshape_fuzz(*arguments).stdout.strip())
        self.known[token] = folder
        self.new.append((token, folder))
        self._write_known()
        file.unlink()
        trees.say(f"  FOUND {token}")
        for name in ("finding.yaml", "replay.txt"):
            if (folder / name).exists():
                for line in (folder / name).read_text(encoding="utf-8").splitlines():
                    if line.strip().startswith(("request:", "expect:", "reshape-conf", "replay_")):
                        trees.say(f"        {line.strip()}")
        trees.say(f"        kept in {trees.shown(folder)}")
        return folder

    def _minimised(self, target, file, token):
        smallest = trees.HOME / "smallest"
        if target == "plugin" and self.implementation:
            judged = trees.reshape_fuzz("judge", file, "-i", self.implementation, "--minimise",
                                        smallest, "--deadline", 1,
                                        "--most", 60 if "timed out" in token else 300)
            # A library that fails now and then may have answered well, or otherwise wrong: then what
            # lies there is not this finding.
            return smallest if _token(judged.stdout) == token else file
        shutil.copyfile(file, smallest)
        if target in trees.REQUESTS:
            self._simpler_requests(target, smallest, token)
        else:
            self._fewer_bytes(target, smallest, token)
        return smallest

    def _simpler_requests(self, target, smallest, token):
        """Requests of the same class with less in them, as long as the same thing goes wrong."""
        tries = 0
        while True:
            with tempfile.TemporaryDirectory() as folder:
                trees.reshape_fuzz("simpler", smallest, folder)
                for candidate in sorted(Path(folder).iterdir()):
                    tries += 1
                    if tries > MOST_TRIES:
                        return
                    if self.token_of(target, candidate) == token:
                        shutil.copyfile(candidate, smallest)
                        break
                else:
                    return

    def _fewer_bytes(self, target, smallest, token):
        """Halves, quarters, ... of the bytes left out, as long as the same thing goes wrong."""
        data = smallest.read_bytes()
        piece = max(1, len(data) // 2)
        tries = 0
        trial = trees.HOME / "trial"
        while piece and tries < MOST_TRIES:
            at = 0
            shrunk = False
            while at < len(data) and tries < MOST_TRIES:
                shorter = data[:at] + data[at + piece:]
                trial.write_bytes(shorter)
                tries += 1
                if self.token_of(target, trial) == token:
                    data = shorter
                    shrunk = True
                else:
                    at += piece
            piece = piece if shrunk and piece > 1 else piece // 2
        smallest.write_bytes(data)


def _token(text):
    tokens = TOKEN.findall(text)
    return tokens[-1].strip() if tokens else ""
