"""The Gymnasium environment, on a stand-in for the package where it is missing."""

import sys
import types

import pytest

import cubicbench

pytest.importorskip("numpy")


@pytest.fixture
def environment(monkeypatch):
    """The module, with as much of gymnasium as it uses."""
    gymnasium = types.ModuleType("gymnasium")
    gymnasium.Env = type("Env", (), {"reset": lambda self, *, seed=None, options=None: None})
    gymnasium.spaces = types.SimpleNamespace(
        MultiDiscrete=lambda sizes: ("MultiDiscrete", sizes), Box=lambda *box: ("Box", *box)
    )
    monkeypatch.setitem(sys.modules, "gymnasium", gymnasium)
    monkeypatch.delitem(sys.modules, "cubicbench.environment", raising=False)
    import cubicbench.environment

    yield cubicbench.environment
    sys.modules.pop("cubicbench.environment", None)


def action_of(problem, config):
    return [p.values.index(config[p.name]) if p.name in config else 0 for p in problem.parameters]


def test_needs_gymnasium_only_where_it_is_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    sys.modules.pop("cubicbench.environment", None)
    with pytest.raises(ImportError):
        import cubicbench.environment


def test_an_episode_is_a_study(environment):
    problem = cubicbench.Problem("tiny-llama")
    env = environment.TuningEnv(problem, trials=12)
    assert env.action_space == ("MultiDiscrete", [len(p.values) for p in problem.parameters])
    observation, info = env.reset(seed=4)
    assert info["trial"].config == problem.baseline
    assert list(observation) == [1.0, 0.0, 1.0, 11 / 12]
    rewards, best = 0.0, 1.0
    for number in range(11):
        config = problem.config_at(number * 7 % problem.configurations)
        action = action_of(problem, config)
        assert env.config(action) == config
        observation, reward, terminated, truncated, info = env.step(action)
        trial = info["trial"]
        assert trial.config == config and not truncated
        assert terminated == (env.study.left == 0)
        ratio = trial.value / env.study.trials[0].value if trial.state == "complete" else 0.0
        best = max(best, ratio)
        assert observation[0] == pytest.approx(ratio) and observation[2] == pytest.approx(best)
        rewards += reward
        if terminated:
            break
    assert rewards == pytest.approx(best - 1.0)


def test_the_next_episode_has_its_own_budget(environment):
    env = environment.TuningEnv(cubicbench.Problem("tiny-llama"), trials=2, start="none")
    for _ in range(2):
        env.reset()
        assert env.study.left == 2
        env.step([0] * len(env.study.problem.parameters))
