# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
import pickle
import threading
import time

import numpy as np
import pytest

import vinculum as vn


def test_run_is_the_simulation():
    model = vn.example("car-with-trailer")
    whole = model.simulate(2, contacts="frictional")
    run = vn.Run(model, until=2, contacts="frictional")
    for t in np.linspace(0.1, 2, 20):
        assert run.advance(t) == "reached"
    assert run.state == whole.final
    assert run.result().document["verdicts"] == [
        entry for entry in whole.document["verdicts"] if entry["subject"] != "accuracy"
    ]
    assert [event.t for event in run.events] == [event.t for event in whole.events]
    np.testing.assert_array_equal(run.result()["front"], whole["front"])


def test_steps_of_fixed_length():
    model = vn.example("car-with-trailer")
    whole = model.simulate(0.2, step=1e-3)
    run = vn.Run(model, until=0.2, step=1e-3)
    run.advance(0.1)
    again = pickle.loads(pickle.dumps(run))
    for each in (run, again):
        each.advance(0.2)
        assert each.state == whole.final


def test_image_and_pickle_continue_to_the_bit():
    model = vn.example("car-with-trailer")
    whole = model.simulate(2, contacts="frictional")
    run = vn.Run(model, until=2, contacts="frictional")
    run.advance(0.777)
    resumed = vn.Run.resume(model, run.image())
    copy = pickle.loads(pickle.dumps(run))
    for each in (run, resumed, copy):
        assert each.t == 0.777
        each.advance(2)
        assert each.state == whole.final
    np.testing.assert_array_equal(copy.result()["car.tx"], whole["car.tx"])
    with pytest.raises(vn.FileError) as caught:
        vn.Run.resume(model, run.image()[:-1])
    assert caught.value.code == "VN-RUN-142"


def test_image_in_another_process(run_python):
    script = """
import sys, vinculum as vn
model = vn.example("double-pendulum")
run = vn.Run.resume(model, bytes.fromhex(sys.stdin.read()))
run.advance(1)
print(run.state.q.tobytes().hex())
"""
    model = vn.example("double-pendulum")
    run = vn.Run(model, until=1)
    run.advance(0.3)
    answer = run_python(script, input=run.image().hex())
    assert answer.stdout.strip() == model.simulate(1).final.q.tobytes().hex(), answer.stderr


def test_inputs_of_a_run(pushed):
    run = vn.Run(pushed, until=2)
    run.inputs["push"] = 3
    run.advance(0.5)
    run.inputs["push"] = -3
    run.advance(1)
    assert run["block"] == pytest.approx(0.375, abs=1e-13) and run["twice"] == pytest.approx(0.75, abs=1e-12)
    with pytest.raises(vn.UsageError) as caught:
        run.inputs["push"] = 11
    assert caught.value.code == "VN-INPUT-001"
    assert run.inputs["push"] == -3
    with pytest.raises(vn.UsageError):
        run.inputs["push"] = float("nan")
    with pytest.raises(KeyError) as unknown:
        run.inputs["pusch"] = 1
    assert unknown.value.nearest == "push"
    state = run.state
    state["block'"] = 1
    run.set_state(state)
    run.inputs.update(push=0)
    run.advance(2)
    assert run["block"] == pytest.approx(1.375, abs=1e-13)
    # The motion between samples, with what was set on the way.
    assert run.result().at(0.25)["block"] == pytest.approx(0.5 * 1.5 * 0.0625, abs=1e-12)


# A double integrator under a sampled PD law is a linear map from instant to instant:
#   x+ = x + v h + u h^2/2m,  v+ = v + u h/m
def test_controller_is_the_exact_discrete_solution(pushed):
    period = 0.05

    def law(t, state):
        return {"push": -4 * state["block"] - 3 * state["block'"]}

    start = pushed.state({"block": 1.0})
    result = pushed.simulate(1.0, start=start, controllers=vn.Controller(law, period=period), at=np.arange(0, 21) * period)
    x, v = 1.0, 0.0
    for k in range(20):
        assert result["block"][k] == pytest.approx(x, abs=1e-12)
        u = -4 * x - 3 * v
        x, v = x + v * period + u * period**2 / 4, v + u * period / 2
    assert result.final["block"] == pytest.approx(x, abs=1e-12) and result.final["block'"] == pytest.approx(v, abs=1e-12)
    # Between samples the motion is found again without calling the function.
    t = 0.31
    k = 6
    u = -4 * result["block"][k] - 3 * result["block'"][k]
    s = t - k * period
    assert result.at(t)["block"] == pytest.approx(result["block"][k] + result["block'"][k] * s + u * s * s / 4, abs=1e-12)


def test_controller_with_delay_and_outputs(pushed):
    seen = []

    def law(t, state, outputs):
        seen.append((t, outputs["twice"], state["push"]))
        return 2.0

    result = pushed.simulate(0.5, controllers=[vn.Controller(law, period=0.2, delay=0.1, inputs="push")])
    assert [t for t, _, _ in seen] == pytest.approx([0, 0.2, 0.4])
    assert seen[0][2] == 0 and seen[1][2] == 2.0
    assert seen[1][1] == pytest.approx(2 * 0.5 * 1.0 * 0.1**2, abs=1e-12)
    assert result.final["block"] == pytest.approx(0.5 * 1.0 * 0.4**2, abs=1e-12)


def test_exception_in_a_controller(pushed):
    def law(t, state):
        if t > 0.35:
            raise ZeroDivisionError("no more")
        return {"push": 1.0}

    with pytest.raises(vn.MotionError) as caught:
        pushed.simulate(1, controllers=vn.Controller(law, period=0.1), every=0.1)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.code == "VN-PYTHON-004"
    assert caught.value.result.final.t == pytest.approx(0.4)
    run = vn.Run(pushed, until=1, controllers=vn.Controller(law, period=0.1))
    with pytest.raises(vn.MotionError) as caught:
        run.advance(1)
    assert isinstance(caught.value.__cause__, ZeroDivisionError) and run.t == pytest.approx(0.4)
    for wrong, cause in (("x", TypeError), ({"nothing": 1.0}, KeyError), ({"push": float("nan")}, ValueError), ([1.0], TypeError)):
        with pytest.raises(vn.MotionError) as caught:
            pushed.simulate(1, controllers=vn.Controller(lambda t, s, wrong=wrong: wrong, period=0.1))
        assert isinstance(caught.value.__cause__, cause), wrong
    with pytest.raises(vn.MotionError) as caught:  # out of range: the library refuses
        pushed.simulate(1, controllers=vn.Controller(lambda t, s: 100.0, period=0.1))
    assert caught.value.code == "VN-INPUT-001"


def test_controller_cannot_use_its_run(pushed):
    runs = []

    def law(t, state):
        return {"push": runs[0].inputs["push"]}

    runs.append(vn.Run(pushed, until=1, controllers=vn.Controller(law, period=0.1)))
    with pytest.raises(vn.MotionError) as caught:
        runs[0].advance(1)
    assert caught.value.__cause__.code == "VN-PYTHON-003"


def test_two_threads_on_one_run():
    model = vn.example("double-pendulum")
    run = vn.Run(model, until=2000, tolerance=1e-12, integrals=False)
    errors = []
    begun = threading.Event()

    def advance():
        begun.set()
        try:
            run.advance(100)
        except vn.UsageError as error:
            errors.append(error)

    first = threading.Thread(target=advance)
    first.start()
    begun.wait()
    refused = 0
    while first.is_alive():
        try:
            run.state
        except vn.UsageError as error:
            assert error.code == "VN-PYTHON-003"
            refused += 1
    first.join()
    assert refused > 0 and not errors
    assert run.t == 100


def test_threads_share_a_model():
    model = vn.example("double-pendulum")
    expected = model.simulate(1).final
    results = []
    threads = [threading.Thread(target=lambda: results.append(model.simulate(1).final)) for _ in range(4)]
    for each in threads:
        each.start()
    a = [model.forward(model.initial) for _ in range(1000)]
    for each in threads:
        each.join()
    assert all(each == expected for each in results) and len(results) == 4
    assert all((each == a[0]).all() for each in a)


def test_controllers_in_threads(pushed):
    finals = []

    def work():
        law = vn.Controller(lambda t, s: -s["block"], period=0.01)
        finals.append(pushed.simulate(1, start=pushed.state({"block": 1}), controllers=law).final["block"])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(set(finals)) == 1 and len(finals) == 4


INTERRUPT = """
import os, signal, threading, time, sys
import vinculum as vn
model = vn.example("double-pendulum")
def press():
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
"""


def test_interrupt_of_a_run(run_python):
    script = (
        INTERRUPT
        + """
run = vn.Run(model, until=1e6, integrals=False, every=1e3)
begin = time.monotonic()
try:
    run.advance(1e6)
    print("not interrupted")
except KeyboardInterrupt:
    late = time.monotonic() - begin - 0.5
    t = run.t
    run.advance(t + 1)
    print("late" if late > 1.5 else "soon", run.t == t + 1)
"""
    )
    answer = run_python(script, timeout=60)
    assert answer.stdout.split() == ["soon", "True"], answer.stdout + answer.stderr


def test_interrupt_of_a_simulation(run_python):
    script = (
        INTERRUPT
        + """
try:
    model.simulate(1e6, integrals=False, every=1e3)
except KeyboardInterrupt as error:
    print(error.result.end, error.result.final.t > 0)
print(model.simulate(1).ok)
"""
    )
    answer = run_python(script, timeout=60)
    assert answer.stdout.split() == ["interrupted", "True", "True"], answer.stdout + answer.stderr


def test_interrupt_of_an_ensemble_and_of_a_controller(run_python):
    script = (
        INTERRUPT
        + """
import numpy as np
try:
    model.ensemble(np.ones((64, 2)), until=1e5, threads=2)
except KeyboardInterrupt:
    print("ensemble")
pushed = vn.Model.from_string('''
vinculum: 1
bodies:
  block: { joint: {type: prismatic, axis: x}, mass: 2 kg, inertia: [0, 0, 0] }
inputs: { push: {unit: N} }
forces: { motor: {joint: block, law: push} }
''')
threading.Thread(target=press, daemon=True).start()
def slow(t, state):
    end = time.monotonic() + 0.02
    while time.monotonic() < end: pass
    return 1.0
run = vn.Run(pushed, until=1e4, controllers=vn.Controller(slow, period=1))
try:
    run.advance(1e4)
except KeyboardInterrupt:
    t = run.t
    run.advance(t + 1)
    print("controller", run.t == t + 1)
"""
    )
    answer = run_python(script, timeout=90)
    assert answer.stdout.split() == ["ensemble", "controller", "True"], answer.stdout + answer.stderr


def test_a_motion_that_ends_before_its_time():
    # x'' = 1/(1 - x) has no value at x = 1.
    model = vn.Model.from_string(
        """
vinculum: 1
bodies:
  block: { joint: {type: prismatic, axis: x}, mass: 1 kg, inertia: [0, 0, 0] }
forces: { wall: {joint: block, law: "1/sqrt(1 - block)"} }
initial: { "block'": 1 }
"""
    )
    with pytest.raises(vn.MotionError) as caught:
        model.simulate(5)
    part = caught.value.result
    assert 0 < part.final.t < 5 and part.end == "failed" and not part.ok
    assert caught.value.code.startswith("VN-")
    returned = model.simulate(5, on_failure="return")
    assert returned.failure is not None and returned.final == part.final


def test_check_and_verdicts():
    result = vn.example("car-with-trailer").simulate(1, contacts="frictional")
    with pytest.raises(vn.VerdictError) as caught:
        result.check()
    assert [each.subject for each in caught.value.verdicts] == ["front"]
    assert result.verdicts["front"].status == "violated" and not result.ok
    assert result.verdicts.gravest is not None and result.verdicts.gravest.subject == "front"
    assert result.check(fail_on=("impossible",)) is result
    with pytest.raises(KeyError):
        result.check(fail_on=("violatd",))
    np.testing.assert_allclose(result.events["slip:front"], [0.489339], atol=1e-5)
    assert len(result.events["nothing"]) == 0
    event = result.events[0]
    assert event.kind == "slip" and event.element == "front" and event.state.t == event.t


def test_result_at_any_time():
    model = vn.example("double-pendulum")
    result = model.simulate(2, tolerance=1e-12)
    exact = model.simulate(2, tolerance=1e-12, at=[0.12345])
    np.testing.assert_allclose(result.at(0.12345).q, exact.q[0], rtol=1e-10)
    assert result.at(2.0) == result.final and result.at(0.0)["upper"] == model.initial["upper"]
    with pytest.raises(vn.UsageError):
        result.at(2.1)
    with pytest.raises(vn.UsageError):
        result.at(float("nan"))


def test_tables_and_frames():
    result = vn.example("car-with-trailer").simulate(1, contacts="frictional", every=0.1)
    assert len(result) == 11
    np.testing.assert_array_equal(result.table["car.tx"], result["car.tx"])
    np.testing.assert_array_equal(result.q[:, 0], result["car.tx"])
    assert set(result["mode:front.grip"]) <= {"sticks", "slips", "forward", "backward"} and result.units["car.tx"] == "m"
    with pytest.raises(KeyError) as caught:
        result["car.tz"]
    assert caught.value.nearest.startswith("car.t")
    pandas = pytest.importorskip("pandas")
    frame = result.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame["car.tx"].iloc[-1] == result.final["car.tx"]


def test_plots():
    pytest.importorskip("matplotlib")
    result = vn.example("car-with-trailer").simulate(1, contacts="frictional")
    axes = result.plot("car.tx'", "front")
    assert sum(len(each.get_lines()) for each in axes.figure.axes) == 2 + len(result.events)
    vn.example("double-pendulum").simulate(1).plot()


def test_stop_at_and_progress():
    model = vn.example("double-pendulum")
    name = model.events[0]
    told = []
    result = model.simulate(30, stop_at=name, progress=lambda t, until: told.append((t, until)))
    assert result.end == "stopped at event" and result.events[-1].name == name
    assert result.final.t == result.events[-1].t

    def stop(t, until):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as caught:
        model.simulate(1e5, progress=stop, integrals=False, every=100)
    assert caught.value.result.end == "interrupted"
