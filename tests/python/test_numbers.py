# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Everything Python says equals what the command line prints, to the bit."""
import numpy as np
import pytest

import vinculum as vn

SIMULATIONS = [
    ("double-pendulum", {"until": 3}, []),
    ("car-with-trailer", {"until": 2, "contacts": "frictional"}, ["--contacts", "frictional"]),
    ("double-pendulum", {"until": 1, "integrator": "dop853", "every": 0.1}, ["--integrator", "dop853", "--every", "0.1"]),
    ("four-bar-loop", {"until": 0.5, "tolerance": 1e-8}, ["--tolerance", "1e-8", "--project"]),
    ("drawer", {"until": 0.3}, []),
    ("car-with-trailer", {"until": 0.2, "step": 1e-3}, ["--step", "1e-3"]),
    ("sling-load", {"until": 1}, []),
]


@pytest.mark.parametrize("name,options,words", SIMULATIONS, ids=[f"{each[0]}-{i}" for i, each in enumerate(SIMULATIONS)])
def test_simulate(name, options, words, examples, command_line):
    file = examples / name / "model.yaml"
    printed = command_line("simulate", file, "--until", options["until"], *words)
    model = vn.Model.from_file(file)
    start = model.assemble() if "--project" in words else None
    result = model.simulate(**options, start=start, on_failure="return")
    printed.pop("diagnostics")
    printed.pop("projection", None)
    assert result.document == printed
    assert result.final.to_dict() == printed["final"]
    assert [each.t for each in result.events] == [each["t"] for each in printed["events"]]
    for verdict, entry in zip(result.verdicts, printed["verdicts"], strict=True):
        assert (verdict.subject, verdict.status, verdict.margin) == (entry["subject"], entry["verdict"], entry["margin"])


def test_tables_are_those_of_the_folder(examples, command_line, tmp_path):
    file = examples / "car-with-trailer" / "model.yaml"
    command_line("simulate", file, "--until", 1, "--contacts", "frictional", "--output", tmp_path / "cli")
    car = vn.Model.from_file(file)
    result = car.simulate(1, contacts="frictional", output=tmp_path / "python")
    result.save(tmp_path / "saved")
    for name in ("states.csv", "reactions.csv", "report.html"):
        expected = (tmp_path / "cli" / name).read_bytes()
        assert (tmp_path / "python" / name).read_bytes() == expected, name
        assert (tmp_path / "saved" / name).read_bytes() == expected, name
    opened = vn.open_result(tmp_path / "cli")
    for column in ("t", "car.tx", "front", "trailer.force.x", "mode:front.grip"):
        np.testing.assert_array_equal(opened[column], result[column])
    assert opened.document["verdicts"] == result.document["verdicts"]
    assert opened.final == result.final


def test_looking_at_given_times_changes_no_bit(examples, command_line):
    file = examples / "car-with-trailer" / "model.yaml"
    printed = command_line("simulate", file, "--until", 2, "--contacts", "frictional")
    result = vn.Model.from_file(file).simulate(2, contacts="frictional", at=[0, 0.123, 0.7, 1.999])
    np.testing.assert_array_equal(result.t, [0, 0.123, 0.7, 1.999])
    assert result.final.to_dict() == printed["final"]
    assert result.document["verdicts"] == printed["verdicts"]


COMMANDS = [
    ("equilibrium", "double-pendulum", lambda m: vn.equilibrium(m), []),
    ("linearise", "double-pendulum", lambda m: vn.linearise(m), []),
    ("series", "double-pendulum", lambda m: vn.series(m, order=9), ["--order", "9"]),
    ("integrals", "double-pendulum", lambda m: vn.integrals(m), []),
    ("derive", "double-pendulum", lambda m: vn.derive(m, "latex"), ["--to", "latex"]),
    ("derive", "double-pendulum", lambda m: vn.derive(m, "c"), ["--to", "c"]),
    ("balance", "double-pendulum", lambda m: vn.balance(m, "static"), ["--property", "static"]),
    (
        "steady",
        "top-on-a-string",
        lambda m: vn.steady(m, rate=5, angle={"s1": 0.4}, stability=True),
        ["--rate", "5", "--angle", "s1=0.4", "--stability"],
    ),
    ("variants", "lift-in-guides", lambda m: vn.variants(m), []),
    ("limit", "bar-clamp", lambda m: vn.limit(m, "workpiece"), ["--load", "workpiece"]),
    ("realize", "car-with-trailer", lambda m: vn.realize(m), []),
    ("realize", "car-with-trailer", lambda m: vn.realize(m, until=0.3), ["--until", "0.3"]),
    ("check", "four-bar-loop", lambda m: m.check(assemble=True), ["--assemble"]),
    ("evaluate", "four-bar-loop", lambda m: m.evaluate(project=True), ["--project"]),
    ("evaluate", "double-pendulum", lambda m: m.evaluate(form="vector"), ["--form", "vector"]),
]


@pytest.mark.parametrize("command,name,ask,words", COMMANDS, ids=[f"{each[0]}-{i}" for i, each in enumerate(COMMANDS)])
def test_command(command, name, ask, words, examples, command_line):
    file = examples / name / "model.yaml"
    printed = command_line(command, file, *words)
    answer = ask(vn.Model.from_file(file))
    assert dict(answer.document) == printed
    assert isinstance(repr(answer), str)
    answer._repr_html_()


def test_command_with_settings_and_state(examples, command_line, tmp_path):
    file = examples / "double-pendulum" / "model.yaml"
    model = vn.Model.from_file(file, set={"length": 0.7})
    state = model.state({"upper": 0.2, "lower'": 1.5}, t=0.25)
    state_file = tmp_path / "state.json"
    state_file.write_text(__import__("json").dumps(state.to_dict()))
    printed = command_line("evaluate", file, "--set", "length=0.7", "--state", state_file)
    answer = model.evaluate(state)
    assert dict(answer.document) == printed
    np.testing.assert_array_equal(model.forward(state), answer.a)
    np.testing.assert_array_equal(model.mass_matrix(state), answer.mass_matrix)
    np.testing.assert_array_equal(model.bias(state), answer.bias)


def test_inputs(pushed, command_line, tmp_path):
    file = tmp_path / "pushed.yaml"
    file.write_text(pushed.text)
    table = tmp_path / "push.csv"
    table.write_text("t [s],push [N]\n0,3\n0.5,-3\n")
    printed = command_line("simulate", file, "--until", 1, "--inputs", table)
    result = pushed.simulate(1, inputs={"push": ([0, 0.5], [3, -3])})
    assert result.final.to_dict() == printed["final"]
    # a = F/m = 1.5: half a second forward, half a second back: x = 2 (1/2 1.5 0.25), v = 0.
    assert result.final["block"] == pytest.approx(0.375, abs=1e-13) and abs(result.final["block'"]) < 1e-13
    assert pushed.simulate(1, inputs={"push": 2.0}).final["block"] == pytest.approx(0.5, rel=1e-13)


def test_sweep(examples, command_line, tmp_path):
    file = examples / "double-pendulum" / "model.yaml"
    printed = command_line(
        "sweep", file, "--over", "upper=0:1:4", "--over", "length=0.4:0.6:3", "--run", "simulate --until 0.3",
        "--collect", "end=final.q.lower", "--collect", "energy=verdicts.energy.verdict", "--output", tmp_path / "study",
    )  # fmt: skip
    model = vn.Model.from_file(file)
    study = vn.sweep(
        model,
        over={"upper": vn.grid(0, 1, 4), "length": vn.grid(0.4, 0.6, 3)},
        ask=vn.ask.Simulate(until=0.3),
        collect={"end": "lower", "energy": "verdicts.energy.verdict"},
        threads=2,
    )
    assert study.array("end").shape == (4, 3)
    assert list(study.array("end").ravel()) == [row["end"] for row in printed["rows"]]
    assert set(study.array("energy").ravel()) == {"holds"}
    # Functions see the same motions.
    by_hand = vn.sweep(
        model,
        over={"upper": vn.grid(0, 1, 4), "length": vn.grid(0.4, 0.6, 3)},
        ask=vn.ask.Simulate(until=0.3, integrals=False),
        collect={"end": lambda result: result.final["lower"], "same": "lower"},
        threads=2,
    )
    np.testing.assert_array_equal(by_hand.array("end"), study.array("end"))
    np.testing.assert_array_equal(by_hand.array("same"), study.array("end"))
    assert len(vn.open_study(tmp_path / "study")) == 12
    assert "iframe" in study.report()._repr_html_()
