# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Whatever is passed: an exception with a message, never a crash, never a silent answer."""
import pickle

import numpy as np
import pytest

import vinculum as vn

NAN = float("nan")


@pytest.fixture(scope="module")
def two():
    return vn.example("double-pendulum")


def test_models():
    with pytest.raises(vn.ModelError) as caught:
        vn.Model.from_string("vinculum: 1\nbodies:\n  arm: { joint: {type: revolut}, masss: 1, colour: x }\n")
    assert len(caught.value.diagnostics) >= 2
    assert {each.line for each in caught.value.diagnostics} == {3}
    assert caught.value.kind == "model"
    assert "[VN-" in str(caught.value) and caught.value.code.startswith("VN-") and isinstance(caught.value, ValueError)
    with pytest.raises(vn.FileError) as missing:
        vn.Model.from_file("no-such-model.yaml")
    assert isinstance(missing.value, OSError) and missing.value.code == "VN-FILE-001"
    with pytest.raises(vn.Error):
        vn.Model.from_string("")
    with pytest.raises(vn.Error):
        vn.Model.from_string("[" * 1000)
    with pytest.raises(TypeError):
        vn.Model.from_string(5)
    with pytest.raises(TypeError):
        vn.Model("x")
    with pytest.raises(vn.ModelError):
        vn.Model.from_string("vinculum: 1\nbodies: {a: {mass: 1, inertia: 1}}\n", set={"nothing": 1})
    with pytest.raises(vn.UsageError):
        vn.example("double-pendulum").with_(length=NAN)
    with pytest.raises(KeyError):
        vn.example("double-pendulumm")


def test_half_made_objects(two):
    raw = vn.Model.__new__(vn.Model)
    with pytest.raises(TypeError):
        raw.forward(two.initial)
    with pytest.raises(TypeError):
        vn.State("x")
    with pytest.raises(TypeError):
        two.forward(vn.State.__new__(vn.State))


def test_names(two):
    state = two.initial
    with pytest.raises(vn.UnknownNameError) as caught:
        state["uper"]
    assert caught.value.nearest == "upper" and "did you mean 'upper'?" in str(caught.value)
    assert isinstance(caught.value, KeyError)
    for call in (
        lambda: state.__setitem__("uper", 1),
        lambda: two.state({"uper": 1}),
        lambda: two.forward(state, {"uper'": 1}),
        lambda: two.jacobian(state, "uper"),
        lambda: two.simulate(1, inputs={"u": 1}),
        lambda: two.simulate(1, contacts="frictionl"),
        lambda: vn.sweep(two, over={"lenght": vn.grid(0, 1, 2)}, ask=vn.ask.Simulate(until=1), collect=["upper"]),
        lambda: vn.explain("VN-RUN-00"),
        lambda: vn.derive(two, "latx"),
    ):
        with pytest.raises(vn.UnknownNameError):
            call()
    with pytest.raises(vn.Error) as caught:
        two.simulate(1, stop_at="nothing")
    with pytest.raises(vn.Error):
        two.simulate(1, integrator="euler")


def test_shapes_and_numbers(two):
    state = two.initial
    for tau in ([1.0], [1, 2, 3], [[1, 2]], [NAN, 0], [float("inf"), 0], {"upper'": NAN}):
        with pytest.raises(vn.UsageError):
            two.forward(state, tau)
    for tau in ("ab", ["a", "b"], [1j, 0], object(), [None, 1], 5 + 2j):
        with pytest.raises((TypeError, ValueError)):
            two.forward(state, tau)
    for wrenches in (np.zeros((1, 6)), np.zeros((2, 5)), np.full((2, 6), NAN)):
        with pytest.raises(vn.UsageError):
            two.forward_derivatives(state, wrenches=wrenches)
        with pytest.raises(vn.UsageError):
            two.forward(state, wrenches=wrenches)
    with pytest.raises(vn.UsageError):
        two.inverse(state, [NAN, 0])
    with pytest.raises(TypeError):
        two.inverse(state)
    with pytest.raises(TypeError):
        two.inverse(state, None)
    for call in (
        lambda: two.forward(),
        lambda: two.forward(None),
        lambda: two.forward(5),
        lambda: two.forward(state, None, None, None),
        lambda: two.forward(state, nothing=1),
        lambda: two.forward(state, state=state),
        lambda: two.jacobian(state, 3),
        lambda: two.jacobian(state, None),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(vn.UsageError):
        two.jacobian(state, "upper", [0, 0])


def test_out(two):
    state = two.initial
    read_only = np.zeros(2)
    read_only.flags.writeable = False
    for out in (np.zeros(3), np.zeros((2, 1)), read_only, np.zeros(4)[::2]):
        with pytest.raises(vn.UsageError):
            two.forward(state, out=out)
    for out in (np.zeros(2, dtype=np.float32), np.zeros(2, dtype=int), [0, 0], "x", np.zeros(2, dtype=">f8")):
        with pytest.raises((TypeError, vn.UsageError)):
            two.forward(state, out=out)
    unaligned = np.frombuffer(bytearray(17), dtype=np.uint8)[1:].view(np.float64)
    with pytest.raises(vn.UsageError):
        two.forward(state, out=unaligned)


def test_states(two):
    state = two.initial
    state.q[0] = NAN
    for call in (two.forward, two.mass_matrix, two.energy, two.poses, lambda s: two.simulate(1, start=s), two.evaluate):
        with pytest.raises((vn.UsageError, vn.Error)):
            call(state)
    state = two.initial
    for name, value in (("upper", NAN), ("t", float("inf"))):
        with pytest.raises(vn.UsageError):
            state[name] = value
    with pytest.raises(TypeError):
        state["upper"] = None
    with pytest.raises(vn.UsageError):
        state["upper"] = "3 parrots"
    with pytest.raises(vn.UsageError):
        state.q = [1, 2, 3]
    with pytest.raises(vn.UsageError):
        state.t = NAN
    other = vn.example("spinning-top").initial
    with pytest.raises(vn.UsageError):
        two.forward(other)
    top = vn.example("spinning-top")
    state = top.initial
    state.q[:] = 0
    with pytest.raises(vn.UsageError) as caught:
        top.forward(state)
    assert "quaternion" in str(caught.value)
    with pytest.raises(vn.UsageError):
        two.state({"upper": NAN})
    with pytest.raises(vn.UsageError):
        two.state(t=NAN)
    with pytest.raises(vn.Error):
        two.state(modes={"nothing": "here"})


def test_runs(two, pushed):
    for options in (
        {"until": NAN},
        {"until": 1, "tolerance": 0},
        {"until": 1, "tolerance": NAN},
        {"until": 1, "order": 3},
        {"until": 1, "every": -1},
        {"until": 1, "max_step": 0},
        {"until": 1, "step": -1},
        {"until": 1, "step": 0.1, "integrator": "taylor"},
        {"until": 1, "baumgarte": -1},
        {"until": 1, "at": [0.5, 0.2]},
        {"until": 1, "at": [2.0]},
        {"until": 1, "at": [NAN]},
        {"until": 1e12, "every": 1e-9},
    ):
        with pytest.raises(vn.UsageError):
            two.simulate(**options)
    for options in ({"until": None}, {"until": 1, "tolerance": "x"}, {"until": 1, "start": 5}, {"until": 1, "controllers": [5]}):
        with pytest.raises((TypeError, ValueError)):
            two.simulate(**options)
    with pytest.raises(vn.UnknownNameError):
        two.simulate(1, on_failure="ignore")
    for table in (([0, 0], [1, 2]), ([0, 1], [1]), ([], []), ([0], [NAN]), ([NAN], [0])):
        with pytest.raises(vn.UsageError):
            pushed.simulate(1, inputs={"push": table})
    with pytest.raises(vn.UsageError):
        pushed.simulate(1, inputs={"push": 100.0})
    with pytest.raises(vn.UsageError):
        vn.Controller(lambda t, s: 0, period=0)
    with pytest.raises(vn.UsageError):
        vn.Controller(lambda t, s: 0, period=1, delay=1)
    with pytest.raises(TypeError):
        vn.Controller(5, period=1)
    with pytest.raises(vn.Error):
        two.simulate(1, controllers=vn.Controller(lambda t, s: 0, period=1))
    run = vn.Run(two, until=1)
    for to in (NAN, -1, 2):
        with pytest.raises(vn.UsageError):
            run.advance(to)
    with pytest.raises(vn.UnknownNameError):
        run.advance(0.5, arrive="fly")
    with pytest.raises(vn.UsageError):
        run.set_state(two.state(t=0.7))
    with pytest.raises(vn.FileError):
        vn.Run.resume(two, b"nonsense")
    with pytest.raises(vn.FileError):
        vn.Run.resume(vn.example("spinning-top"), run.image())


def test_batches(two):
    for n in (0, -5, 10**12):
        with pytest.raises(vn.UsageError):
            two.batch(n)
    with pytest.raises(vn.UsageError):
        two.batch(3, threads=0)
    batch = two.batch(3)
    with pytest.raises(vn.UsageError):
        batch.forward(np.zeros((3, 3)))
    with pytest.raises(vn.UsageError):
        batch.forward(np.full((3, 2), NAN))
    for wrenches in (np.zeros((3, 1, 6)), np.zeros((3, 2, 5)), np.zeros((2, 2, 6)), np.full((3, 2, 6), NAN)):
        with pytest.raises(vn.UsageError):
            batch.forward(wrenches=wrenches)
        with pytest.raises(vn.UsageError):
            batch.inverse(np.zeros((3, 2)), wrenches=wrenches)
    with pytest.raises(vn.UsageError):
        batch.forward(out=np.zeros((3, 2)))
    with pytest.raises(TypeError):
        batch.forward(out=np.zeros((3, 2), dtype=np.float32))
    with pytest.raises((vn.UsageError, ValueError)):
        batch.q = np.zeros((2, 2))
    batch.q[1, 0] = NAN
    with pytest.raises(vn.UsageError) as caught:
        batch.forward()
    assert "state 1" in str(caught.value)
    with pytest.raises(IndexError):
        batch.state(3)
    with pytest.raises(vn.UnsupportedError):
        vn.example("four-bar-loop").batch(2)
    for options in ({"q": [[NAN, 0]]}, {"q": [[1.0]]}, {"q": [[0, 0]], "until": NAN}, {}, {"q": [[0, 0]], "tolerance": 2.0}):
        with pytest.raises(vn.UsageError):
            two.ensemble(**options)


def test_commands(two):
    with pytest.raises(vn.UsageError) as caught:
        vn.linearise(two, nonsense=3)
    assert "nonsense" in str(caught.value)
    with pytest.raises(vn.UsageError):
        vn.balance(two, "nothing")
    with pytest.raises(vn.UsageError):
        vn.series(two, order=1000)
    with pytest.raises(TypeError):
        vn.series("model")
    with pytest.raises(TypeError):
        vn.series(two, state=5)
    with pytest.raises(vn.Error):
        vn.limit(two, "nothing")
    with pytest.raises(vn.UsageError):
        vn.steady(vn.example("top-on-a-string"), rate=NAN)


def test_damaged_pickles(two):
    text = pickle.dumps(two.simulate(0.1))
    good = 0
    for at in range(0, len(text), max(1, len(text) // 200)):
        broken = text[:at] + bytes([text[at] ^ 0x55]) + text[at + 1 :]
        try:
            pickle.loads(broken)
            good += 1
        except Exception as error:  # noqa: BLE001  whatever pickle thinks of it; it must not crash
            assert str(error) is not None
    assert good >= 0
