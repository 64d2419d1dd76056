"""Random edits of real files: ours, ruamel's round trip and yaml-edit, judged by readers that share no code with ours.

    python -m tests.benchmarks.yaml_edits [EDITS_PER_FILE_AND_KIND] [PEERS_EVERY]

Prints how many edits were clean, wrong (other data than meant, or no YAML), collateral (other bytes changed) and
refused, each refusal with its reason. The files come from the shared corpus (CAPDECK_SHARED, else ../shared).
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from zlib import crc32

from model.document import DocumentError, Edit, YamlDoc
from tests.benchmarks import yaml_peers
from tests.model.document import oracle
from tests.model.document.judging import Verdict, judge, judge_ours
from tests.model.document.random_edits import KINDS, random_edit, variants
from tests.shared_data import shared_root

RUAMEL_EVERY = 10  # every tenth result is read by ruamel's slow parser too
Case = tuple[str, str, str, YamlDoc, Edit]  # file, variant, kind, document, edit


def main() -> None:
    per_kind = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    peers_every = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    folder = shared_root() / "data/yaml-corpus"
    ours: Counter[tuple[str, str]] = Counter()
    peers: dict[str, Counter[str]] = {name: Counter() for name in yaml_peers.PEERS}
    asides: list[str] = []
    started = time.process_time()
    for number, case in enumerate(_cases(folder, per_kind)):
        verdict = judge_ours(case[3], case[4], by_ruamel=number % RUAMEL_EVERY == 0)
        ours[case[2], verdict.kind] += 1
        if verdict.kind != "clean":
            asides.append(f"{verdict.kind}: {case[0]} ({case[1]}): {str(case[4])[:110]}: {verdict.detail[:160]}")
        if number % peers_every == 0:
            for name, peer in yaml_peers.PEERS.items():
                peers[name][_judge_peer(peer, case).kind] += 1
    _report(ours, peers, asides, time.process_time() - started)


def _cases(folder: Path, per_kind: int) -> Iterator[Case]:
    for path in sorted(folder.iterdir()):
        for variant, raw in variants(path.read_bytes()):
            try:
                doc = YamlDoc.parse(raw, path.name, document=0)
                oracle.core(raw.decode())
            except (DocumentError, oracle.yaml.YAMLError):
                continue
            for kind in KINDS:
                random = Random(crc32(f"{path.name} {variant} {kind}".encode()))
                for _ in range(per_kind):
                    edit = random_edit(doc, kind, random)
                    if edit is not None:
                        yield path.name, variant, kind, doc, edit


def _judge_peer(peer: Callable[[str, Edit], str], case: Case) -> Verdict:
    doc, edit = case[3], case[4]
    try:
        text = peer(doc.to_bytes().decode(), edit)
    except Exception as error:  # a peer that gives up
        return Verdict("refused", str(error))
    return judge(doc, edit, text)


def _report(ours: Counter[tuple[str, str]], peers: dict[str, Counter[str]], asides: list[str], seconds: float) -> None:
    kinds = ("clean", "wrong", "collateral", "refused")
    total = sum(ours.values())
    print(f"{'ours':18}" + "".join(f"{kind:>12}" for kind in kinds))
    for operation in KINDS:
        print(f"{operation:18}" + "".join(f"{ours[operation, kind]:12,}" for kind in kinds))
    sums = {kind: sum(count for (_, k), count in ours.items() if k == kind) for kind in kinds}
    print(f"{'all':18}" + "".join(f"{sums[kind]:12,}" for kind in kinds) + f"   of {total:,}, {seconds:.0f} s CPU")
    print(f"refused: {100 * sums['refused'] / max(total, 1):.3f} %")
    for name, counts in peers.items():
        print(f"{name:18}" + "".join(f"{counts[kind]:12,}" for kind in kinds) + f"   of {sum(counts.values()):,}")
    print(*asides[:60], sep="\n")


if __name__ == "__main__":
    main()
