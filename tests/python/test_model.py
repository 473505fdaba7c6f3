# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
import copy
import pickle

import numpy as np
import pytest

import vinculum as vn

PENDULUM = """
vinculum: 1
parameters: { length: 0.5 m, mass: 2 kg }
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: mass, com: [0, 0, "-length"], inertia: [0, 0, 0] }
initial: { arm: 0.3 }
"""


def test_pendulum_by_hand():
    model = vn.Model.from_string(PENDULUM)
    assert model.coordinates == ("arm",) and model.velocities == ("arm'",)
    assert dict(model.parameters) == {"length": 0.5, "mass": 2.0}
    state = model.state({"arm": 0.3, "arm'": 2.0})
    assert model.forward(state)[0] == pytest.approx(-9.81 / 0.5 * np.sin(0.3), rel=1e-14)
    assert model.mass_matrix(state)[0, 0] == pytest.approx(2 * 0.5**2, rel=1e-14)
    assert model.bias(state)[0] == pytest.approx(2 * 9.81 * 0.5 * np.sin(0.3), rel=1e-14)
    assert model.inverse(state, [3.0])[0] == pytest.approx(0.5 * 3 + 9.81 * np.sin(0.3), rel=1e-14)
    assert model.energy(state).kinetic == pytest.approx(0.5 * 0.5 * 4, rel=1e-14)
    assert model.energy(state).potential == pytest.approx(-2 * 9.81 * 0.5 * np.cos(0.3), rel=1e-14)
    R, p = model.poses(state)
    np.testing.assert_allclose(R[0], [[np.cos(0.3), 0, np.sin(0.3)], [0, 1, 0], [-np.sin(0.3), 0, np.cos(0.3)]], atol=1e-15)
    # The tip: velocity = J v, and acceleration = J v' + J' v.
    J = model.jacobian(state, "arm", [0, 0, -0.5])
    np.testing.assert_allclose(J[:, 0], [-0.5 * np.cos(0.3), 0, 0.5 * np.sin(0.3), 0, 1, 0], atol=1e-15)
    J_rate = model.jacobian_rate(state, "arm", [0, 0, -0.5])
    np.testing.assert_allclose(J_rate[:3, 0], [0.5 * np.sin(0.3) * 2, 0, 0.5 * np.cos(0.3) * 2], atol=1e-14)


def test_forces_from_outside():
    model = vn.Model.from_string(PENDULUM)
    state = model.initial
    alone = model.forward(state)
    assert model.forward(state, [1.5])[0] - alone[0] == pytest.approx(1.5 / 0.5, rel=1e-12)
    assert model.forward(state, {"arm'": 1.5})[0] - alone[0] == pytest.approx(3.0, rel=1e-12)
    # A moment about the axis is a force on the velocity.
    assert model.forward(state, wrenches=[[0, 0, 0, 0, 1.5, 0]])[0] - alone[0] == pytest.approx(3.0, rel=1e-12)
    tau = model.inverse(state, alone)
    np.testing.assert_allclose(tau, [0], atol=1e-12)


LOADED = """
vinculum: 1
bodies:
  upper: { joint: { type: revolute, axis: y }, mass: 2, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.2] }
  lower: { parent: upper, joint: { type: spherical, origin: [0.6, 0, 0] }, mass: 1, com: [0.2, 0, 0.1], inertia: [0.1, 0.1, 0.1] }
initial: { upper: 0.4, "upper'": 1, lower.wx: 0.5, lower.wz: -2 }
"""
OWN_FORCES = """
forces:
  push: { body: lower, force: [1, -2, 3], torque: [0.4, 0.5, -0.6] }
  drive: { joint: upper, law: "7" }
"""
HELD = "contacts: { tip: { body: lower, with: world, point: [0.4, 0, 0], forbid: [lateral] } }\n"


@pytest.mark.parametrize("rows", ["", HELD])
def test_derivatives_with_forces_from_outside(rows):
    # The same forces written into the model have the same slopes: a wrench stays in world axes while its body turns.
    bare, own = vn.Model.from_string(LOADED + rows), vn.Model.from_string(LOADED + rows + OWN_FORCES)
    tau, wrenches = [7, 0, 0, 0], [[0] * 6, [1, -2, 3, 0.4, 0.5, -0.6]]
    state = bare.initial
    given = bare.forward_derivatives(state, tau=tau, wrenches=wrenches)
    expected = own.forward_derivatives(own.initial)
    for name in ("a", "by_q", "by_v", "by_tau"):
        np.testing.assert_allclose(getattr(given, name), getattr(expected, name), rtol=1e-9, atol=1e-9, err_msg=name)
    assert np.abs(given.by_q - bare.forward_derivatives(state).by_q).max() > 0.1
    if not rows:
        inverse, of_model = bare.inverse_derivatives(state, given.a, wrenches=wrenches), own.inverse_derivatives(own.initial, given.a)
        np.testing.assert_allclose(inverse.by_q, of_model.by_q, rtol=1e-9, atol=1e-9)


def test_laws_agree():
    model = vn.example("six-axis-arm")
    rng = np.random.default_rng(2)
    state = model.initial
    state.q = rng.uniform(-1, 1, len(model.coordinates))
    state.v = rng.uniform(-1, 1, len(model.velocities))
    tau = rng.uniform(-1, 1, len(model.velocities))
    a = model.forward(state, tau)
    A, h = model.mass_matrix(state), model.bias(state)
    np.testing.assert_allclose(A @ a + h, model.inverse(state, a), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(A, A.T, atol=1e-12)
    d = model.forward_derivatives(state, tau)
    step = 1e-6
    for j in range(len(model.velocities)):
        plus, minus = state.copy(), state.copy()
        plus.v[j] += step
        minus.v[j] -= step
        slope = (model.forward(plus, tau) - model.forward(minus, tau)) / (2 * step)
        np.testing.assert_allclose(d.by_v[:, j], slope, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(d.a, a, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(model.inverse_derivatives(state, a).by_a, A, rtol=1e-10, atol=1e-12)
    Y = model.regressor(state, a)
    assert Y.shape == (len(a), 10 * len(model.bodies))
    np.testing.assert_allclose(Y @ model.inertial_parameters, A @ a + h, rtol=1e-9, atol=1e-9)


def test_out_and_views():
    model = vn.example("double-pendulum")
    state = model.initial
    out = np.empty(2)
    assert model.forward(state, out=out) is out
    np.testing.assert_array_equal(out, model.forward(state))
    matrix = np.empty((2, 2))
    assert model.mass_matrix(state, out=matrix) is matrix
    # Writing the result over the velocities themselves is no trap: it is computed first.
    expected = model.forward(state)
    model.forward(state, out=state.v)
    np.testing.assert_array_equal(state.v, expected)
    # The arrays of a State are its memory, of which nobody else has a view.
    other = state.copy()
    other.q[0] = 7
    assert state.q[0] != 7 and other["upper"] == 7
    q = model.initial.q
    assert q[0] == model.initial["upper"]  # outlives its State


def test_constrained_forward_is_that_of_evaluate():
    for name in ("four-bar-loop", "car-with-trailer", "lift-in-guides", "rolling-disk", "quarter-car"):
        model = vn.example(name)
        state = model.assemble()
        evaluated = model.evaluate(state)
        assert np.abs(evaluated.a).max() > 0
        np.testing.assert_array_equal(model.forward(state), evaluated.a)
    loop = vn.example("four-bar-loop")
    with pytest.raises(vn.Error) as caught:
        loop.forward(loop.initial)
    assert caught.value.code == "VN-RUN-004"


def test_pickles_and_copies():
    model = vn.Model.from_string(PENDULUM, set={"length": 0.25})
    again = pickle.loads(pickle.dumps(model))
    assert again == model and hash(again) == hash(model) and again.parameters["length"] == 0.25
    assert vn.Model.from_string(PENDULUM) != model
    state = model.state({"arm": 0.1}, t=2.0)
    twin = pickle.loads(pickle.dumps(state))
    assert twin == state and twin.t == 2.0
    np.testing.assert_array_equal(again.forward(state), model.forward(twin))
    assert copy.deepcopy(model) is model and copy.copy(state) == state
    assert model.state_from_dict(state.to_dict()) == state


def test_units_and_set():
    model = vn.Model.from_string(PENDULUM, set={"arm": "30 deg", "length": "20 cm"})
    assert model.initial["arm"] == pytest.approx(np.pi / 6, rel=1e-15)
    assert model.parameters["length"] == pytest.approx(0.2, rel=1e-15)
    assert model.with_(mass=3).parameters == {"length": pytest.approx(0.2), "mass": 3.0}
    assert model.units["arm"] == "rad" and model.units["arm'"] == "rad/s"
    assert model.state({"arm": "90 deg"})["arm"] == pytest.approx(np.pi / 2, rel=1e-15)


def test_warnings():
    with pytest.warns(vn.ModelWarning, match="VN-"):
        vn.Model.from_string(PENDULUM.replace("arm: 0.3", "arm: 90"))
    with pytest.warns(UserWarning, match="VN-MODEL-040"):
        top = vn.example("spinning-top")
        first = next(name for name in top.coordinates if name.endswith(".qw"))
        top.state({first: 2.0})


def test_urdf(tmp_path):
    file = tmp_path / "robot.urdf"
    file.write_text(
        """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="2"/><origin xyz="0 0 -0.5"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial><collision/></link>
        <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""
    )
    robot = vn.Model.from_urdf(file)
    assert len(robot.velocities) == 1 and len(robot.losses) == 1 and "collision" in robot.losses[0]
    assert robot.mass_matrix(robot.initial)[0, 0] == pytest.approx(0.1 + 2 * 0.25, rel=1e-14)
    assert pickle.loads(pickle.dumps(robot)).losses == robot.losses


def test_batch_gives_the_bits_of_single_states():
    model = vn.example("six-axis-arm")
    rng = np.random.default_rng(3)
    batch = model.batch(37, threads=2)
    batch.q = rng.uniform(-1, 1, batch.q.shape)
    batch.v[:] = rng.uniform(-1, 1, batch.v.shape)
    tau = rng.uniform(-1, 1, batch.v.shape)
    a = batch.forward(tau)
    assert a.flags.f_contiguous and a.shape == (37, len(model.velocities))
    forces, matrices, (R, p) = batch.inverse(a), batch.mass_matrices(), batch.poses()
    for k in (0, 5, 36):
        state = batch.state(k)
        np.testing.assert_array_equal(a[k], model.forward(state, tau[k]))
        np.testing.assert_array_equal(forces[k], model.inverse(state, a[k]))
        np.testing.assert_array_equal(matrices[k], model.mass_matrix(state))
        np.testing.assert_array_equal(R[k], model.poses(state)[0])
        np.testing.assert_array_equal(p[k], model.poses(state)[1])
    out = np.empty(a.shape, order="F")
    assert batch.forward(tau, out=out) is out
    np.testing.assert_array_equal(out, a)
    assert batch.undetermined == []


def test_batch_takes_forces_of_each_state():
    model = vn.example("double-pendulum")
    rng = np.random.default_rng(4)
    batch = model.batch(37, threads=2)
    batch.q = rng.uniform(-1, 1, batch.q.shape)
    batch.v[:] = rng.uniform(-1, 1, batch.v.shape)
    tau = rng.uniform(-1, 1, batch.v.shape)
    wrenches = rng.uniform(-1, 1, (37, len(model.bodies), 6))
    a, pushed = batch.forward(tau), batch.forward(tau=tau, wrenches=wrenches)
    needed = batch.inverse(pushed, wrenches=wrenches)
    assert np.abs(pushed - a).min() > 0 and np.abs(pushed - a).max() > 0.1
    for k in (0, 5, 36):
        state = batch.state(k)
        np.testing.assert_array_equal(pushed[k], model.forward(state, tau[k], wrenches[k]))
        np.testing.assert_array_equal(needed[k], model.inverse(state, pushed[k], wrenches[k]))


def test_ensemble_gives_the_bits_of_taylor():
    model = vn.example("double-pendulum")
    starts = np.array([[0.3, 0.1], [1.0, -0.5], [2.0, 1.0]])
    ensemble = model.ensemble(starts, until=1.0, threads=2)
    for k, start in enumerate(starts):
        alone = model.simulate(1.0, start=model.state({"upper": start[0], "lower": start[1]}), integrator="taylor", integrals=False)
        np.testing.assert_array_equal(ensemble.q[k], alone.final.q)
        np.testing.assert_array_equal(ensemble.v[k], alone.final.v)
    assert not ensemble.failures and len(ensemble) == 3
