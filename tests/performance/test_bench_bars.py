"""scripts/bench_bars.py says which bars are missed, by ratios to the fixed loop and not by rates."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))
import bench_bars  # noqa: E402


def run_at(rate, name="BM_RandomConfigurations/gpt3-175b/iterations:4096"):
    """A benchmark as a machine of any speed writes it."""
    return {"name": name, "items_per_second": 1.0, "loops": 1.0 / (rate * bench_bars.FIXED_LOOP_S)}


def lines_of(run):
    return [line for line in bench_bars.judge([run])[0] if run["name"] in line]


def test_a_bar_is_met_within_its_margin():
    assert lines_of(run_at(0.91e6))[0].startswith("met ")
    assert lines_of(run_at(0.89e6))[0].startswith("MISSED")


def test_what_is_reached_below_a_bar_is_not_lost(monkeypatch):
    monkeypatch.setattr(bench_bars, "REACHED", ((r".*/gpt3-175b/.*", 500_000), (r".*/resume/.*", 0.16)))
    assert lines_of(run_at(0.95e6))[0].startswith("met ")
    assert lines_of(run_at(0.40e6))[0].startswith("short ")
    assert lines_of(run_at(0.30e6))[0].startswith("MISSED")
    resumed = {"name": "BM_SearchCost/resume/llama3-405b", "share_of_search": 0.16}
    assert lines_of(resumed)[0].startswith("short ")
    assert lines_of(resumed | {"share_of_search": 0.22})[0].startswith("MISSED")


def test_every_row_of_what_is_reached_is_below_its_bar():
    for names, reached in bench_bars.REACHED:
        assert any(bar.of and reached > bar.most or bar.rate > reached for bar in bench_bars.BARS), names


def test_models_have_bars_of_their_own():
    for name, bar in (("ads-73b", 300_000), ("dlrm-criteo", 400_000), ("deepseek-v3", 250_000), ("tiny-gpt", 1_000_000)):
        line = lines_of(run_at(1e6, f"BM_RandomConfigurations/{name}/iterations:4096"))[0]
        assert f"at least {bar:,}" in line


def test_shares_of_a_search_are_no_rates():
    merged = {"name": "BM_SearchCost/merge/llama3-405b", "share_of_search": 0.21}
    assert lines_of(merged)[0].startswith("met ")
    assert lines_of(merged | {"share_of_search": 0.23})[0].startswith("MISSED")


def test_what_failed_or_was_not_measured_is_missed():
    failed = {"name": "BM_EventStep/folded/131072", "error_message": "the plan does not fit"}
    lines, missed = bench_bars.judge([failed])
    assert missed == len(bench_bars.BARS) == len(lines)


def test_benchmarks_without_a_bar_count_nothing():
    assert bench_bars.judge([{"name": "BM_FixedLoop"}]) == bench_bars.judge([])
