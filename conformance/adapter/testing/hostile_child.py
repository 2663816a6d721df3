"""A child that does what the request's dialect says: "right", or one of the wrongs below. With an argument it is
wrong before it is asked."""

import base64
import json
import os
import signal
import sys
import time

HELLO = {"protocol": 1, "name": "hostile", "version": "1", "dialects": ["right"],
         "element_types": ["f32", "u8", "i4"], "pattern_types": ["i64"], "answers": ["shapes", "data"],
         **json.loads(os.environ.get("RESHAPE_HELLO", "{}"))}


def say(words):
    sys.stdout.write((words if isinstance(words, str) else json.dumps(words)) + "\n")
    sys.stdout.flush()


def right(question):
    count = 1
    for size in question["shape"]:
        count *= size
    known = 1
    for value in question["pattern"]:
        known *= 1 if value == -1 else value
    shape = [count // known if value == -1 else value for value in question["pattern"]]
    produced = {"shape": shape}
    if "data" in question:
        produced["data"] = question["data"]
    return {"id": question["id"], "produced": produced}


def produced(question, **changed):
    answer = right(question)
    answer["produced"].update(changed)
    return answer


def crash(question):
    print("assertion failed: the sky is blue", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def exit_at(code):
    return lambda question: os._exit(code)


def hang(question):
    with open(os.environ.get("RESHAPE_PID_FILE", os.devnull), "w") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(600)


def leave_a_daemon(question):
    if os.fork() == 0:
        os.setsid()
        os.close(0)
        os.close(1)
        if os.fork() == 0:
            hang(question)
        os._exit(0)
    time.sleep(0.2)
    return right(question)


def flood(question):
    while True:
        sys.stdout.write("x" * 65536)


def flood_errors(question):
    for turn in range(20000):
        sys.stderr.write(f"line {turn} of a flood of words\n")
    return right(question)


def close_output(question):
    os.close(1)
    time.sleep(600)


def close_output_behind(question):
    say(right(question))
    close_output(question)


def close_input(question):
    say(right(question))
    os.close(0)
    time.sleep(600)


def twice(question):
    sys.stdout.write(json.dumps(right(question)) + "\n")
    say(right(question))


def once_right_then(wrong):
    """The data of all zeros but the first questions is told apart by its id: the second is wrong."""
    seen = []

    def answer(question):
        seen.append(question)
        return right(question) if len(seen) % 2 == 1 else wrong(question)

    return answer


def shape_of(*sizes):
    return lambda question: produced(question, shape=list(sizes))


def text(words):
    return lambda question: say(words.replace("ID", str(question["id"])))


AT_THE_END = None


def at_the_end(wrong):
    """Answers rightly, and is wrong where its input ends."""
    def answer(question):
        global AT_THE_END
        AT_THE_END = wrong
        return right(question)

    return answer


WRONGS = {
    "right": right,
    "crash": crash,
    "abort": lambda question: os.abort(),
    "exit-0": exit_at(0),
    "exit-7": exit_at(7),
    "kill-group": lambda question: os.killpg(0, signal.SIGKILL),
    "stop-parent": lambda question: (os.kill(os.getppid(), signal.SIGSTOP), right(question))[1],
    "kill-parent": lambda question: (os.kill(os.getppid(), signal.SIGKILL), time.sleep(600)),
    "hang": hang,
    "daemon": leave_a_daemon,
    "flood": flood,
    "flood-errors": flood_errors,
    "close-output": close_output,
    "close-output-behind": close_output_behind,
    "close-input": close_input,
    "garbage": text("Segmentation fault (just kidding)"),
    "half-a-line": lambda question: (sys.stdout.write('{"id":'), sys.stdout.flush(), os._exit(0)),
    "empty-line": text(""),
    "nul": text('{"id":ID,\0"produced":{"shape":[3,2]}}'),
    "list": text("[1,2]"),
    "nothing": text('{"id":ID}'),
    "two-shapes": text('{"id":ID,"produced":{"shape":[3,2],"shape":[2,3]}}'),
    "both": lambda question: {**right(question), "rejected": {"message": "no"}},
    "wrong-id": lambda question: {**right(question), "id": question["id"] + 1},
    "text-id": lambda question: {**right(question), "id": str(question["id"])},
    "twice": twice,
    "negative": shape_of(-2, 3),
    "minus-nothing": text('{"id":ID,"produced":{"shape":[-0,3],"data":""}}'),
    "huge": shape_of(2**70),
    "above-int64": shape_of(2**63),
    "fraction": shape_of(2.5),
    "overflow": text('{"id":ID,"produced":{"shape":[1e400]}}'),
    "no-list": lambda question: produced(question, shape="3,2"),
    "no-shape": text('{"id":ID,"produced":{}}'),
    "no-base64": lambda question: produced(question, data="AAA*"),
    "no-data": text('{"id":ID,"produced":{"shape":[3,2]}}'),
    "short-data": lambda question: produced(question, data=base64.b64encode(bytes(20)).decode()),
    "no-message": text('{"id":ID,"rejected":{}}'),
    "rejects": text('{"id":ID,"rejected":{"message":"it differs \\u202e"}}'),
    "unsupported": text('{"id":ID,"unsupported":{"message":"not that type"}}'),
    "wrong-volume": lambda question: produced(question, shape=[3, 3]),
    "77-at-the-end": at_the_end(lambda: os._exit(77)),
    "aborts-at-the-end": at_the_end(os.abort),
    "hangs-at-the-end": at_the_end(lambda: time.sleep(600)),
    "talks-at-the-end": at_the_end(lambda: say("good bye")),
    "second-crashes": once_right_then(crash),
    "second-rejects": once_right_then(text('{"id":ID,"rejected":{"message":"not now"}}')),
    "second-differs": once_right_then(shape_of(2, 3)),
}

STARTS = {
    "banner": lambda: say("Welcome to hostile 1.0!"),
    "silent": lambda: time.sleep(600),
    "exit": lambda: os._exit(3),
    "flood": lambda: flood(None),
    "protocol": lambda: say({**HELLO, "protocol": 2}),
    "no-name": lambda: say({key: HELLO[key] for key in HELLO if key != "name"}),
    "blank-name": lambda: say({**HELLO, "name": "  "}),
    "signal": lambda: os.kill(os.getpid(), signal.SIGUSR1),
    "type": lambda: say({**HELLO, "element_types": ["f32", "float"]}),
    "pattern-type": lambda: say({**HELLO, "pattern_types": ["f32"]}),
    "rank": lambda: say({**HELLO, "max_rank": -1}),
    "answers": lambda: say({**HELLO, "answers": ["shapes", "views"]}),
    "deep": lambda: say('{"protocol":1,"name":' + 30000 * "[" + 30000 * "]" + "}"),
    "talks-on": lambda: say(json.dumps(HELLO) + "\nand ready"),
    "shapes-only": lambda: say({**HELLO, "answers": ["shapes"]}),
    "data-only": lambda: say({**HELLO, "answers": ["data"], "max_rank": 8, "max_bytes": 64}),
}

if len(sys.argv) > 1:
    STARTS[sys.argv[1]]()
else:
    say(HELLO)
for line in sys.stdin:
    asked = json.loads(line)
    answer = WRONGS[asked["dialect"]](asked)
    if answer is not None:
        say(answer)
if AT_THE_END is not None:
    AT_THE_END()
