"""The tables of costs: files and pages have what is computed, and it is what it should be."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cost_tables import constants, every_method, priors, winner_only
from cost_tables.constants import CONSTANTS, rounded_down
from cost_tables.methods import METHODS
from cost_tables.table import DATA, Row, Rows
from cost_tables.winner_only import Way
from tables import TABLES
from tgite import Confidence
from tgite_checks.bounds.constants.constant import STATED
from tgite_pages.pages import DOCS, page_with_table

TENTH = Confidence.of("1/10")
FILES = {name: table for name, table in TABLES.items() if table.rows is not None}


@pytest.mark.parametrize("name", FILES)
def test_a_page_has_its_part_of_the_file(name: str, tmp_path: Path) -> None:
    table = FILES[name]
    assert table.rows is not None
    found = table.rows.read()
    table.rows.write(reversed(found), tmp_path)
    again = table.rows.read(tmp_path)
    assert sorted(map(str, again)) == sorted(map(str, found))
    page, made = (DOCS / table.page).read_text(encoding="utf-8"), table.text(found)
    assert made.count("\n") > 6
    assert page_with_table(page, made, table.name) == page, f"python benchmarks/tables.py {name}"


def one_more(key: tuple[str, ...]) -> list[Row]:
    return [{"arms": key[0], "cost": f"{2 * int(key[0])}"}]


def test_only_what_a_file_lacks_is_computed(tmp_path: Path) -> None:
    keys = [("3",), ("1",), ("2",)]
    rows = Rows("few.csv", ("arms", "cost"), lambda: keys, one_more, ("arms",))
    (tmp_path / "few.csv").write_text("arms,cost\n1,kept\n", encoding="utf-8")
    rows.complete(tmp_path)
    assert (tmp_path / "few.csv").read_text(encoding="utf-8") == "arms,cost\n3,6\n1,kept\n2,4\n"


def test_the_file_of_every_method_has_what_is_computed() -> None:
    found = {(*tuple(row.values())[:4], row["way"]): row for row in every_method.ROWS.read()}
    computed = [
        *every_method.computed(("cyclic", "8", "0.4", "1/10")),
        *every_method.computed(("cyclic", "8", "0.2", "1/100"), METHODS[1:4:2]),
    ]
    assert {row["how"] for row in computed} == {"exact", "played"}
    for row in computed:
        filed = found[(*tuple(row.values())[:4], row["way"])]
        assert float(row["comparisons"]) == pytest.approx(float(filed["comparisons"]), rel=1e-6)
        assert (row["told"], row["how"]) == (filed["told"], filed["how"])
        for name in ("least", "over_least"):
            assert float(row[name]) == pytest.approx(float(filed[name]), rel=1e-3)


def test_no_cost_in_the_file_is_below_the_least_and_the_aim_is_met() -> None:
    rows = every_method.ROWS.read()
    for row in rows:
        # What any algorithm needs, it needs at a level that it keeps: the played means vary.
        slack = 4 * float(row["error"]) if row["how"] == "played" else 0.0
        assert float(row["comparisons"]) + slack >= float(row["least"])
    over = {
        row["way"]: float(row["over_least"])
        for row in rows
        if tuple(row.values())[:4] == ("cyclic", "256", "0.1", "1/100")
    }
    assert max(over["TG-ITE-BAI, MixtureTest"], over["BKT, MixtureTest"]) <= 2.5
    assert min(over["TG-ITE-BAI, DuelTest"], over["BKT, DuelTest"]) > 2.5


def test_a_prior_s_leads_are_those_of_exact_arithmetic() -> None:
    gaps = [Fraction(1, 4), Fraction(1, 8), Fraction(1, 16)]
    prior = priors.Prior(np.array([float(g) for g in gaps]), np.array([3.0, 2.0, 1.0]))
    leads = prior.leads(np.arange(1.0, 80.0), TENTH).tolist()
    for n, lead in enumerate(leads, 1):
        for won, enough in ((n + lead, True), (n + lead - 2, False)):
            s = won // 2
            ratios = [(1 + 2 * g) ** s / (1 - 2 * g) ** (s - n) for g in gaps]
            weighted = sum(w * ratio for w, ratio in zip((3, 2, 1), ratios, strict=True))
            assert (weighted / 6 >= 10) is enough


def test_the_page_has_what_the_priors_compute() -> None:
    page = (DOCS / "beyond.md").read_text(encoding="utf-8").replace("*", "")
    for name in priors.PRIORS:
        first = [f"{priors.over_wald(name, '1/10', gap):.2f}" for gap in priors.GAPS[:2]]
        assert f"| 1/10 | {name} | {' | '.join(first)} |" in page
    above = next(prior for name, prior in priors.PRIORS.items() if "0.05 on" in name)
    assert above.ends(0.03)
    assert not above.ends(0.02), "what no ratio grows for need not end"


def test_the_file_of_the_winner_has_what_is_computed() -> None:
    one = next(one for one in winner_only.instances() if one.name == "cyclic, N = 8, .32 and .32")
    rows = winner_only.ROWS.read()
    for way in set(Way) - {Way.NOTHING, Way.A_WINNER}:
        assert winner_only.computed(one, way) in rows, way
    few = one._replace(runs=3)
    again = [winner_only.computed(few, way) for way in (Way.NOTHING, Way.NOTHING, Way.A_WINNER)]
    assert again[0] == again[1] != again[2]


def test_the_page_names_the_constants_that_are_proved() -> None:
    coq = DOCS.parent / "proofs_checks" / "coq"
    files = "RoundsStages.v", "RoundsCost.v", "EndlessRegret.v"
    source = "".join((coq / name).read_text("utf-8") for name in files)
    values = re.findall(r"Definition (C_\w+) : R := ([\d/]+)\.", source)
    proved = {name: Fraction(value) for name, value in values}
    for name in ("C_level", "C_arm", "C_once"):
        assert proved[name] == getattr(winner_only, name)
    page = (DOCS / "one-assumption.md").read_text("utf-8")
    for kind in ("C", "C_winner"):
        (factor,) = set(re.findall(rf"duels_at_most {kind}_level (\d) {kind}_arm", source))
        level, arm = proved[f"{kind}_level"], proved[f"{kind}_arm"]
        again = f"{int(factor) * level} log(log(1/Delta*) + 1)"
        assert f"({level} log(1/delta) + {again} + {arm}) + {proved['C_once']})" in page
    for kind in ("C_endless_weak", "C_endless_strong"):
        loglog, arm = proved[f"{kind}_loglog"], proved[f"{kind}_arm"]
        assert f"{loglog} log(log(1/Delta*) + 1) + {arm})" in page
    assert f"({proved['C_endless_strong']} (log(T+1) + 2 log(log(T+2) + 1))" in page


def test_the_page_names_where_a_competitor_is_cheaper() -> None:
    page = (DOCS / "one-assumption.md").read_text("utf-8")
    said = page.partition("SAVAGE costs less than our search on")[2].partition("at delta = 1/10")[0]
    rows = winner_only.ROWS.read()
    costs = {(*list(row.values())[:4],): float(row["comparisons"]) for row in rows}
    for *one, way in costs:
        is_shown = (*one, Way.A_WINNER) in costs and (int(one[1]) >= 64 or one[2] == "1/10")
        if way == Way.SAVAGE_MIXTURE and is_shown:
            ours = min(costs[*one, Way.A_WINNER], costs[*one, Way.NOTHING])
            assert (costs[*one, way] < ours) is (one[0] in said), one


def test_the_constants_have_intervals_as_narrow_as_promised() -> None:
    _, *lines = constants.lines([])
    made = constants.TABLE.text([])
    page = (DOCS / "constants.md").read_text(encoding="utf-8")
    assert page_with_table(page, made) == page, "python benchmarks/tables.py constants"
    assert [one.stated.key for one in CONSTANTS] == list(STATED)
    wide = {key for key, line in zip(STATED, lines, strict=True) if float(line[5]) >= 1.1}
    names = ("epoch", "weak", "weak-high-confidence", "strong-anytime")
    assert wide == {f"budgeted-{name}" for name in names}


@pytest.mark.parametrize(
    ("value", "text"), [(2.06536, "2.0653"), (0.924199, "0.92419"), (12.34567, "12.345")]
)
def test_numbers_are_rounded_down(value: float, text: str) -> None:
    assert rounded_down(value) == text


def test_every_file_of_data_belongs_to_a_table() -> None:
    files = {table.rows.file for table in FILES.values() if table.rows is not None}
    assert {path.name for path in DATA.iterdir()} == files
