#!/usr/bin/env python3
"""Draws what reshape_benchmark wrote (--benchmark_out=stand.json) as an SVG: a bar for ours and one
for the best of the others in each row, as fractions of the best plain copy of as many bytes.

usage: plot.py stand.json stand.svg
"""
import html
import json
import sys

ROW, LEFT, WIDTH, TOP = 22, 340, 520, 50
OURS, OTHER, GRID = "#1b6ca8", "#c9a227", "#cccccc"


def rows_of(report):
    names = report["context"]["peers"].split(",") + ["reference"]
    for run in report["benchmarks"]:
        if run.get("error_occurred") or "ours" not in run:
            continue
        others = {name: run[name] for name in names if name in run}
        best = max(others, key=others.get) if others else None
        yield run["name"].split("/iterations:")[0], run["ours"], best, others.get(best, 0.0)


def drawn(rows, machine):
    most = max([1.0] + [max(ours, other) for _, ours, _, other in rows])
    scale = WIDTH / most
    height = TOP + ROW * len(rows) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="18" font-size="13">Fraction of the best plain copy, {html.escape(machine)}'
        "</text>",
        f'<rect x="10" y="27" width="10" height="10" fill="{OURS}"/><text x="24" y="36">ours</text>',
        f'<rect x="70" y="27" width="10" height="10" fill="{OTHER}"/>'
        '<text x="84" y="36">best of the others measured (named at the bar)</text>',
    ]
    for tenth in range(0, int(most * 10) + 1, 2):
        x = LEFT + tenth / 10 * scale
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{height - 18}" '
                     f'stroke="{"#555555" if tenth == 10 else GRID}"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 6}" text-anchor="middle">{tenth / 10:.1f}</text>')
    for i, (name, ours, best, other) in enumerate(rows):
        y = TOP + i * ROW
        parts.append(f'<text x="{LEFT - 6}" y="{y + 12}" text-anchor="end">{html.escape(name)}</text>')
        parts.append(f'<rect x="{LEFT}" y="{y + 1}" width="{ours * scale:.1f}" height="9" fill="{OURS}"/>')
        parts.append(f'<text x="{LEFT + ours * scale + 3:.1f}" y="{y + 9}" font-size="9">{ours:.2f}</text>')
        if best:
            parts.append(f'<rect x="{LEFT}" y="{y + 11}" width="{other * scale:.1f}" height="6" '
                         f'fill="{OTHER}"/>')
            parts.append(f'<text x="{LEFT + other * scale + 3:.1f}" y="{y + 18}" font-size="8">'
                         f"{html.escape(best)} {other:.2f}</text>")
    return "\n".join(parts + ["</svg>", ""])


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[1], encoding="utf-8") as file:
        report = json.load(file)
    rows = list(rows_of(report))
    if not rows:
        print(f"{arguments[1]}: no rows of the copy benchmark", file=sys.stderr)
        return 2
    context = report["context"]
    machine = f"{context['num_cpus']} processors at {context['mhz_per_cpu']} MHz"
    with open(arguments[2], "w", encoding="utf-8") as file:
        file.write(drawn(rows, machine))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
