// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of analyses: balancing, equations, conservation laws, linearisation, steady motions.
#include "vinculum/verdict/catalogue_sections.h"

namespace vinculum {

namespace {

constexpr CatalogueEntry kAnalysisMessages[] = {
    {"VN-BALANCE-001", FailureKind::unsupported, "a velocity constraint in balancing is not a gear",
     "Balance conditions must hold in all positions, so every constraint must be linear with constant coefficients and no other "
     "term, as gears and belts are.",
     "Remove rolling, driven or position-dependent velocity constraints from the model.", "blade: \"sled.ty'*cos(sled.rz) = 0\"",
     "gear: \"wheel' = 3*pinion'\""},
    {"VN-BALANCE-002", FailureKind::unsupported, "a mechanism to be balanced is not a tree",
     "Contacts, strings and guides limit the positions for which the balance conditions would have to hold. Gears are allowed.",
     "Cut each loop and balance the resulting tree. This is sufficient, though it may ask for more than necessary."},
    {"VN-BALANCE-003", FailureKind::singular, "the rank of the balance conditions is not clear",
     "Significant pivots and round-off must lie four orders of magnitude apart. Here round-off would decide which conditions "
     "count.",
     "Check lengths: one that is almost, but not exactly, zero makes a condition that is almost satisfied."},
    {"VN-BALANCE-004", FailureKind::no_solution, "the linear program of a balance design was not solved",
     "The simplex method stopped without a solution, so there is no design to report.",
     "Remove sites that are almost the same, and avoid bounds of very different size."},
    {"VN-DERIVE-001", FailureKind::unsupported, "`derive` does not print models with constraints",
     "Contacts, velocity constraints, strings and guides add equations and multipliers. Equations of the tree alone would be "
     "wrong for this model.",
     "Remove the constraints to see the equations of the tree. `evaluate` gives constraint equations and multipliers at a "
     "state."},
    {"VN-DERIVE-002", FailureKind::unsupported, "the equations are too long to be printed",
     "Equations of spatial trees grow quickly with the number of joints that turn about different axes.",
     "Allow more with `--terms N`, use numbers in place of parameters, or print C code, where common parts are shared.",
     "derive arm.yaml", "derive arm.yaml --to c"},
    {"VN-DERIVE-003", FailureKind::unsupported, "the model has no equation of motion",
     "All joints are fixed, so there are no degrees of freedom.", "Give a body a joint that moves.", "joint: fixed",
     "joint: { type: revolute, axis: y }"},
    {"VN-DERIVE-004", FailureKind::unsupported, "the closed form does not exist for this model",
     "It exists for planar trees: revolute joints with parallel axes, or fixed joints, and no forces but gravity and joint laws.",
     "Leave out `--form closed` to get the equations in joint coordinates.", "derive arm.yaml --form closed", "derive arm.yaml"},
    {"VN-INTEGRAL-001", FailureKind::singular, "conserved and changing quantities cannot be distinguished",
     "Rates that count as zero and rates that do not must differ by a factor of at least 1e4; otherwise round-off decides. A "
     "very small damper, force or inertia closes this gap.",
     "Remove the small element, or make it larger.", "", "", FailureCause::undecided_rank},
    {"VN-INTEGRAL-002", FailureKind::no_solution, "too few states of the model have a motion",
     "First integrals are tested at random states around the start. At too few of them the contacts could be assembled and the "
     "accelerations computed.",
     "Read the reason in the message, or start from a state with more room to move."},
    {"VN-INTEGRAL-150", FailureKind::unsupported, "the model is too large for the search for first integrals",
     "Time and memory grow with the third power of the number of candidates and constraints. A run continues without them.",
     "Search in a part of the model with `vinculum integrals`."},
    {"VN-INTEGRAL-151", FailureKind::unsupported, "first integrals were not searched for",
     "With `--no-integrals` a run checks energy only.", "Leave the option out to check everything the model conserves.",
     "simulate top.yaml --until 5 --no-integrals", "simulate top.yaml --until 5"},
    {"VN-LINEAR-001", FailureKind::unsupported, "`equilibrium` does not support this contact",
     "The search moves along positions, so constraints must limit positions. Contacts that roll, rub, have force laws, or move "
     "by a law do not.",
     "Write a contact that acts as a joint or spring as one. `linearise` takes all contacts, at a state that you give."},
    {"VN-LINEAR-002", FailureKind::unsupported, "a driven coordinate moves, so there is no equilibrium",
     "The law under `motions` has a rate or an acceleration at this time.",
     "Remove it, or search at a time when it stands still (`t` in the file of --state).", "motions: { arm: \"0.3*sin(t)\" }",
     "motions: { arm: \"0.3\" }"},
    {"VN-LINEAR-003", FailureKind::no_solution, "no equilibrium was found",
     "Newton's method ended where accelerations remain: nothing holds the coordinate named, or the start is too far away.",
     "Start from a state closer to the equilibrium."},
    {"VN-LINEAR-004", FailureKind::no_solution, "the state is neither an equilibrium nor a steady motion",
     "Small deviations obey constant equations only if all velocities are constant. The velocity named changes.",
     "Find a state of rest with `vinculum equilibrium MODEL --write-state FILE`; `evaluate` shows the accelerations of a state.",
     "linearise car.yaml", "linearise car.yaml --state rest.json"},
    {"VN-LINEAR-005", FailureKind::no_solution, "no steady motion with the given rates was found",
     "The search ended where something accelerates, a constraint is violated or a given rate is not reached.",
     "Start from positions and velocities close to the motion, or give fewer rates."},
    {"VN-LINEAR-130", FailureKind::unsupported, "the ground of a spring moves, so there is no equilibrium",
     "A spring is attached to an environment body that moves at this time.",
     "Stop it by a parameter, choose a time when it stands still (`t` in the file of --state), or use `simulate`."},
    {"VN-LINEAR-131", FailureKind::unsupported, "laws depend on time, so the result is for this instant",
     "The laws named are frozen at their present value. Eigenvalues say nothing about the later motion.",
     "Use `simulate` for the later motion."},
    {"VN-LINEAR-220", FailureKind::unsupported, "a steady motion depends on a coordinate that moves",
     "Farther along the motion the linearised equations are different: a wheel out of balance, a curved surface, or a force that "
     "depends on position or time.",
     "Remove the coordinate named from laws, shapes and inertias, or use `simulate`."},
    {"VN-LINEAR-221", FailureKind::off_constraints, "a steady motion leaves its constraints",
     "With constant velocities the contact or given motion named is violated a little later.",
     "Choose a state that can continue with constant velocities."},
    {"VN-LINEAR-222", FailureKind::not_finite, "accelerations have no clear derivative at this state",
     "Some contacts are differentiated by finite differences, and these do not agree with each other: a corner of a law, or a "
     "very small scale.",
     "Smooth the law, or linearise at another state."},
    {"VN-LINEAR-223", FailureKind::model, "the model is not valid over the whole range of --over",
     "At the value named the model has an error; the first one is shown.",
     "Choose a range in which masses, lengths and laws are valid.", "--over mass=0:2:20", "--over mass=0.1:2:20"},
    {"VN-LINEAR-224", FailureKind::unsupported, "the states of the linearisation change along the motion",
     "With contacts, the states are the deviations that the constraints leave independent. From the time named on, others must "
     "be chosen.",
     "Linearise single states with --state; each answer names its states."},
    {"VN-LINEAR-225", FailureKind::not_unique, "the linearisation state lies on a kink or jump of a law",
     "Deviations to either side obey different equations, such as max(p, 0) at p = 0. Both linearisations are given; neither "
     "decides stability across the kink.",
     "Use `simulate` from states nearby."},
    {"VN-STEADY-001", FailureKind::unsupported, "the model is not a tree of symmetric bodies on strings",
     "Each body is free, is suspended by one string, and has equal moments of inertia across the line from the string's end to "
     "its mass centre. Strings attached to it begin on this line.",
     "Change the element named."},
    {"VN-STEADY-002", FailureKind::unsupported, "something other than strings and weight acts on the bodies",
     "Contacts, given motions, constraints, guides, forces and limits would change every steady motion.",
     "Remove the element named."},
    {"VN-STEADY-003", FailureKind::unsupported, "the model has no gravity", "Angles are measured from the downward vertical.",
     "Give `gravity`.", "gravity: [0, 0, 0]", "gravity: [0, 0, -9.81]"},
    {"VN-STEADY-010", FailureKind::no_solution, "the branch does not reach the amplitude",
     "The family turns back before its amplitude along the null vector has this size.",
     "Start with a smaller amplitude and follow the branch with --to-rate.", "--branch 1 --amplitude 2",
     "--branch 1 --amplitude 0.05 --to-rate 20"},
    {"VN-STEADY-011", FailureKind::unsupported, "the model has too many bodies for a complete search",
     "The number of motions with given spins grows exponentially with the number of bodies.", "Follow branches, or give angles.",
     "--spin b1=0 --spin b2=0", "--branch 1"},
    {"VN-STEADY-012", FailureKind::usage, "an angle of the family is missing",
     "A coplanar family needs the angle of every string, a carousel with more than three strings also azimuths.",
     "Give the angle named.", "--rate 5 --angle s1=0.4", "--rate 5 --angle s1=0.4 --angle s2=0.3"},
    {"VN-STEADY-013", FailureKind::usage, "azimuths are given for a model that is not a chain",
     "Only a chain can bend at a body out of its plane with a free angle between the planes.", "Use --carousel for branches."},
    {"VN-STEADY-014", FailureKind::usage, "the angle above a bend cannot be chosen",
     "Where a chain leaves its plane, the rod of the body carries no horizontal force, and this determines the angle of its "
     "string.",
     "Leave its --angle out."},
    {"VN-STEADY-015", FailureKind::usage, "the first string cannot have an azimuth",
     "Azimuths count from its plane; turning the whole about the vertical changes nothing.", "Leave its --azimuth out."},
    {"VN-STEADY-016", FailureKind::usage, "the body cannot be the centre of a carousel",
     "A carousel turns about a vertical body on the axis that carries two strings or more.", "Name such a body."},
    {"VN-STEADY-017", FailureKind::unsupported, "permanent rotations need one body on one string",
     "The body may have any inertia; the string begins on the axis.", "Make a model of this body alone."},
    {"VN-STEADY-018", FailureKind::singular, "the measurements do not determine the imbalance",
     "Tilts are needed at two speeds or more that differ enough.", "Add a measurement at another speed."},
    {"VN-STEADY-019", FailureKind::no_solution, "the measured tilts do not belong to this body",
     "No body with the mass, string and inertia of the model turns near its axis z with these tilts.",
     "Check units, signs and speeds."},
    {"VN-STEADY-020", FailureKind::step_limit, "a spin is too fast to be simulated",
     "Above 1000 rad/s the body is nearly vertical, and a simulation needs steps of about 1/spin. The numbers are correct.",
     "Choose other angles or another rate."},
    {"VN-STEADY-021", FailureKind::no_solution, "--write-state needs exactly one motion", "A state file holds one motion.",
     "Choose sides with --side BODY=below|above, or other angles.", "--angle s1=0.4 --write-state start.json",
     "--angle s1=0.4 --side b1=below --write-state start.json"},
    {"VN-STEADY-022", FailureKind::no_solution, "the list of steady motions is incomplete",
     "Over all solutions of the bounded equations the signs of the Jacobian sum to zero. Here they do not, so some motions were "
     "not found.",
     "Follow the branches to find the others."},
    {"VN-STEADY-023", FailureKind::usage, "the rate differs from the rate of the carrier",
     "Bodies hung beside the axis of a turning carrier can be steady at its rate only.",
     "Give --rate the rate of the environment body."},
    {"VN-STEADY-024", FailureKind::unsupported, "the body is not written in its principal axes",
     "The imbalance is the offset of the string's end from the principal axis z.",
     "Write the body in principal axes: three moments of inertia, no products.", "inertia: [1, 1, 2, 0.1, 0, 0]",
     "inertia: [0.9, 1.1, 2]"},
};

}  // namespace

std::span<const CatalogueEntry> analysis_messages() { return kAnalysisMessages; }

}  // namespace vinculum
