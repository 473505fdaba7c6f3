// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of contacts, guides and velocity constraints.
#include "vinculum/verdict/catalogue_sections.h"

namespace vinculum {

namespace {

constexpr CatalogueEntry kContactsMessages[] = {
    {"VN-CONTACT-001", FailureKind::singular, "the axes lateral and forward of a contact are not defined",
     "The axis of the wheel, or `forward` of a point or sphere, is parallel to the surface normal. The wheel lies flat, or the "
     "heading points into the ground.",
     "Choose another heading, or another state.", "forward: z        # the surface normal", "forward: x"},
    {"VN-CONTACT-002", FailureKind::singular, "the angles of a frame contact are not defined",
     "At a pitch of 90 degrees yaw and roll turn about the same axis.",
     "Write `angular: vector`, or rotate the frames of the contact so that pitch stays far from 90 degrees.", "angular: angles",
     "angular: vector"},
    {"VN-CONTACT-003", FailureKind::no_solution, "no point of contact was found for a wheel or sphere",
     "The search for the point nearest to the surface did not converge, so the contact has no constraint equations at this "
     "state.",
     "Check that the body is near the surface, and that the surface has a slope and a curvature there."},
    {"VN-CONTACT-004", FailureKind::not_unique, "a wheel or sphere touches the surface at several points",
     "The surface is more curved than the body, as in a valley narrower than the wheel. A contact has one point, so the result "
     "would be arbitrary.",
     "Smooth the surface, or use a smaller radius."},
    {"VN-CONTACT-005", FailureKind::singular, "the path of a guided frame stands still",
     "The frame follows the direction of travel, which does not exist while the path does not move.",
     "Hold a fixed frame by `point` and `rotation` instead of `path`.", "on_environment: { path: [1, 0] }",
     "on_environment: { point: [1, 0, 0] }"},
    {"VN-CONTACT-010", FailureKind::no_solution, "constraints contradict each other",
     "The constraints named depend on each other and require different motions, such as two supports of one rigid body that are "
     "driven apart. No motion satisfies them all.",
     "Forbid one axis less, or make the given motions agree."},
    {"VN-CONTACT-011", FailureKind::not_unique, "friction depends on normal reactions that are not determined",
     "There are more supports than rigid-body equations can resolve. Sliding friction, and therefore the motion, depends on how "
     "they share the load.",
     "Use as many supports as determine the reactions, or give them stiffness by `laws`.", "four feet: forbid: [normal]",
     "four feet: laws: { normal: { stiffness: 1e6 } }", FailureCause::load_sharing},
    {"VN-CONTACT-012", FailureKind::no_solution, "friction and normal reactions have no common solution",
     "Friction acts only where a contact presses, and no normal reactions agree with the friction they cause. This is Painlevé's "
     "paradox.",
     "Lower the friction coefficient, or give the contact a stiffness by `laws`.", "", "", FailureCause::contact_friction},
    {"VN-CONTACT-013", FailureKind::no_solution, "a state cannot be moved onto the constraints",
     "Newton's method found no position near this state that satisfies all constraints: the mechanism cannot be assembled there, "
     "or not at all.",
     "Start closer to an assembled position, or check lengths and frames of the contacts named."},
    {"VN-CONTACT-014", FailureKind::singular, "the position is close to a singular one",
     "Constraints are almost dependent. The motion named is almost free, and its reactions are large and sensitive to small "
     "errors.",
     "Check whether this position is intended; otherwise start farther away from it."},
    {"VN-CONTACT-015", FailureKind::not_unique, "the mechanism has several assemblies near its start",
     "With the same values of the held coordinates the loops close in several ways, such as elbow up and elbow down. The nearest "
     "one is used.",
     "Give initial values close to the assembly you want."},
    {"VN-CONTACT-016", FailureKind::step_limit, "a contact changes its state without end",
     "Separation and touch-down, or stick and slip, alternate more than 200 times within 1/10000 of the run. The events "
     "accumulate, and the run cannot pass that instant.",
     "Use `--contacts bilateral`, give the contact a stiffness, or give its slip a smooth `law`."},
    {"VN-CONTACT-017", FailureKind::no_solution, "contacts cannot keep bodies apart by pushing",
     "No impulses or forces that only push keep every gap from closing, for example where supports are driven against each other "
     "or friction jams.",
     "Check the contacts named and the motions given near them."},
    {"VN-CONTACT-020", FailureKind::model, "a law that moves a contact has no derivative",
     "A moving environment body or path needs velocity and acceleration everywhere. abs, min, max, floor and if have no "
     "derivative where they change over.",
     "Use a smooth law.", "position: [\"abs(t - 1)\", 0, 0]", "position: [\"sqrt((t - 1)^2 + 1e-4)\", 0, 0]"},
    {"VN-CONTACT-100", FailureKind::singular, "the motion is not unique at a singular position",
     "Constraints that are independent nearby depend on each other here: a parallelogram with its bars in line, or a crank at a "
     "dead centre. Several motions pass through this position.",
     "Start beside it, on the branch you want. A run that passes such a position on its way continues on the smooth branch and "
     "reports it."},
    {"VN-CONTACT-101", FailureKind::singular, "a run cannot pass a singular position",
     "Every step across it ends with velocities that jump. The mechanism locks there, or comes to rest where the further motion "
     "is not unique.",
     "Look at the motion just before. Change lengths or the drive if the mechanism should not lock."},
    {"VN-CONTACT-120", FailureKind::not_unique, "friction and normal reactions have several solutions",
     "A contact could press and rub, or do neither, at this state (Painlevé's paradox). Rigid bodies do not decide which.",
     "Lower the friction coefficient, or give the contact a stiffness by `laws`.", "", "", FailureCause::contact_friction},
    {"VN-CONTACT-121", FailureKind::unsupported, "a law of slip is not supported in this run",
     "`--contacts frictional` needs a `bound` or `friction` with every law but `viscous`. Laws with memory or dead zone act on "
     "one axis only; `lag` needs a constant bound.",
     "Add a bound, use the law on one axis, or choose another law.", "skid: { equation: \"sled.tx' = 0\", law: { tanh: 0.01 } }",
     "skid: { equation: \"sled.tx' = 0\", law: { tanh: 0.01 }, bound: 5 N }"},
    {"VN-CONTACT-122", FailureKind::no_solution, "friction acts along its own normal force",
     "The friction of a velocity constraint is a fraction of the multiplier named by `normal`. If both have the same direction, "
     "no consistent force exists.",
     "Name the constraint that presses across the slip, or give a `bound`.",
     "{ equation: \"sled.tx' = 0\", friction: 0.3, normal: stop.normal }", "{ equation: \"sled.tx' = 0\", bound: 30 N }"},
    {"VN-CONTACT-130", FailureKind::no_solution, "the held velocities leave no way to satisfy the constraints",
     "`--hold` keeps the velocities named, and no values of the others satisfy all constraints. The message lists the residuals.",
     "Hold fewer velocities, or give them values that agree.", "--project --hold wheel',car.tx'", "--project --hold wheel'"},
    {"VN-CONTACT-150", FailureKind::no_solution, "rigid contacts with friction have no consistent motion",
     "Friction turns the push of a sliding contact into a pull (Painlevé's paradox). An impact without collision can stop the "
     "slide, but none exists here.",
     "Lower the friction coefficient, or give the contact a stiffness by `laws`.", "", "", FailureCause::contact_friction},
    {"VN-CONTACT-151", FailureKind::not_unique, "several contact states are consistent",
     "No state is reached continuously as friction grows from zero, and rigid bodies do not decide which one occurs.",
     "Lower the friction coefficient, or give the contact a stiffness by `laws`.", "", "", FailureCause::contact_friction},
    {"VN-GUIDE-001", FailureKind::unsupported, "the two faces of a pair remove different motions",
     "With vanishing clearance a pair is one constraint, whichever face carries the load. On a body that can turn, both faces "
     "must push along one line.",
     "Put the faces opposite to each other. Two pairs that keep a body from turning may have faces at different places.",
     "face1: { point: [0, 0, 0] }, face2: { point: [1, 0, 0.1] }", "face1: { point: [0, 0, 0] }, face2: { point: [0, 0, 0.1] }"},
    {"VN-GUIDE-002", FailureKind::unsupported, "friction of guides cannot be combined with this contact friction",
     "The friction of a contact that depends on its normal constraint, and the friction of guides, would have to be found "
     "together.",
     "Give the contact a constant `bound` or a normal stiffness, or remove one of the frictions."},
    {"VN-GUIDE-003", FailureKind::no_solution, "the guides jam",
     "No choice of loaded faces carries the load: friction grows faster than the reactions that cause it. The message says which "
     "fraction of the friction would still let it slide.",
     "Lower the friction, move the faces farther apart, or bring the load nearer. `vinculum variants` shows every case.", "", "",
     FailureCause::jammed_guides},
    {"VN-GUIDE-004", FailureKind::not_unique, "several choices of loaded faces carry the load",
     "None of them is reached continuously as friction grows from zero (Painlevé's paradox).",
     "Lower the friction; `vinculum variants` lists them."},
    {"VN-GUIDE-005", FailureKind::no_solution, "guides at rest do not hold the load",
     "No reactions within the friction cones are in equilibrium, so the body starts to move.",
     "Raise the friction or lower the load if it should rest."},
    {"VN-GUIDE-006", FailureKind::unsupported, "rest is tested with at most 12 pairs of faces",
     "The number of cases doubles with each pair.", "Leave out pairs that carry no load."},
    {"VN-GUIDE-007", FailureKind::unsupported, "more than 6 sliders stop at once",
     "The number of cases multiplies with each slider that may stick or slide on.", "Leave out pairs that carry no load."},
    {"VN-GUIDE-008", FailureKind::no_solution, "no consistent motion exists where faces stop sliding",
     "Every combination of sliding on, sliding back and sticking contradicts itself. Points that may slide along several lines "
     "and are released by friction are not supported.",
     "Lower the friction, or give the faces a pad."},
    {"VN-GUIDE-009", FailureKind::no_solution, "the direction of the starting or stopping motion was not found",
     "The equations for a model that comes to rest or starts to move were not solved.", "Start with a small velocity."},
    {"VN-GUIDE-010", FailureKind::unsupported, "this command does not support guides with friction",
     "Which face rubs, and in which direction, changes along the motion. Without friction a guide is an ideal constraint for "
     "every command.",
     "Set `friction: 0` on its faces, or use `simulate`, `evaluate` or `variants`.", "face1: { friction: 0.2 }",
     "face1: { friction: 0 }"},
    {"VN-GUIDE-011", FailureKind::usage, "`--until rest` needs guides with friction",
     "Without them nothing brings the model exactly to rest.", "Give the end as a time.", "--until rest", "--until 10"},
    {"VN-GUIDE-012", FailureKind::step_limit, "the model does not come to rest within 10 000 s",
     "`--until rest` has no end time.", "Give the end as a time in seconds.", "--until rest", "--until 60"},
    {"VN-GUIDE-013", FailureKind::singular, "the reactions of guides grow without bound",
     "The determinant of the loaded faces vanishes on the way (Painlevé's paradox). Only an impact without collision could end "
     "this, so the run ends.",
     "Lower the friction or move the faces farther apart."},
    {"VN-GUIDE-030", FailureKind::not_finite, "a load on a face of a guide gives accelerations that overflow",
     "A point far outside any machine, or a mass close to zero, causes this.", "Check the units of the point, mass and inertia."},
    {"VN-REALIZE-001", FailureKind::usage, "a name given to `realize` is not a constraint that can slip",
     "Constraints are `contact.lateral`, `contact.forward`, velocity constraints by name, or NAME.1, NAME.2. Groups are contacts "
     "and entries of `velocity_constraints`.",
     "Check the name.", "--rows front.normal", "--rows front.lateral"},
    {"VN-REALIZE-002", FailureKind::usage, "a constraint chosen by --rows cannot slip",
     "Normals, rotations, joint stops and given motions are always kept, and so are velocity constraints with `permanent: true`.",
     "Choose lateral or forward axes of contacts, or other velocity constraints.", "--rows front.normal", "--rows front.lateral"},
    {"VN-REALIZE-003", FailureKind::model, "a bound or the number of a law is not positive",
     "A bound is the largest force of a constraint, in the unit of its multiplier. The number of a law is a coefficient, a slip "
     "or a time.",
     "Give a positive number.", "--bound front=-3000", "--bound front=3000"},
    {"VN-REALIZE-004", FailureKind::unsupported, "a certificate does not support sliding friction elsewhere",
     "Contacts with `sliding_friction` rub harder the more the realizing forces press. The slip mobility is then not symmetric, "
     "and no slip energy bounds the slip. Reactions and motions are still computed.",
     "Forbid the axis and give the contact `friction` instead."},
    {"VN-REALIZE-005", FailureKind::model, "a slip mobility is not symmetric and positive definite",
     "W = J P J^T of independent constraints is both.", "Check the numbers of the problem."},
    {"VN-REALIZE-006", FailureKind::singular, "the inputs cannot move every constraint",
     "There must be as many inputs as constraints, and the matrix J P B must be regular. Otherwise the servo constraint is of "
     "higher index.",
     "Choose other inputs or other constraints."},
    {"VN-REALIZE-007", FailureKind::singular, "the constraints of a certificate depend on each other",
     "Dependent constraints have no slip inertia, so there is no bound on the slip.",
     "Leave one out with --rows, or merge them into one.", "realize car.yaml --certificate",
     "realize car.yaml --certificate --rows front.lateral", FailureCause::dependent_rows},
    {"VN-REALIZE-008", FailureKind::unsupported, "a velocity constraint is the rate of a position",
     "Kept as a velocity, its position drifts by round-off and by slip, and nothing corrects it (Frobenius).",
     "Use a contact, a joint or a given motion."},
    {"VN-REALIZE-009", FailureKind::unsupported, "the constants of a certificate use finite differences",
     "Contacts on curved surfaces, with laws, or that keep a rolling body upright are differentiated by extrapolated "
     "differences, accurate to about eleven digits.",
     "Nothing is required; use plane surfaces for exact derivatives."},
    {"VN-REALIZE-010", FailureKind::unsupported, "the model has no constraint that can slip",
     "`realize` replaces constraints by forces of limited size.",
     "Give a contact `forbid: [lateral, forward]`, or write the constraint under `velocity_constraints`.", "forbid: [normal]",
     "forbid: [normal, lateral, forward]"},
    {"VN-REALIZE-011", FailureKind::unsupported, "the model with forces instead of constraints cannot be built",
     "The message says what this model lacks.", "Correct the law or the constraint named."},
    {"VN-REALIZE-012", FailureKind::unsupported, "`realize` does not support guides with friction",
     "The friction of a guide changes with the loaded face, and this face with the realizing forces.",
     "Use `simulate --contacts frictional`, or set `friction: 0` on the faces.", "realize table.yaml",
     "simulate table.yaml --until 5 --contacts frictional"},
    {"VN-REALIZE-030", FailureKind::unsupported, "sliding friction acts beside constraints that slip",
     "Reactions, verdicts and motions include it. Appell's form, the constants and the certificate do not.",
     "Read those results as valid without sliding friction."},
    {"VN-VARIANT-001", FailureKind::model, "the matrices of a bare problem do not fit together",
     "B1, B2, F1 and F2 have one row and one column for each pair of faces, d has one entry. All are finite. B1 and B2 are whole "
     "columns, with the friction parts F1 and F2 included.",
     "Correct the sizes and values."},
    {"VN-VARIANT-002", FailureKind::unsupported, "more than 62 pairs of faces", "The number of cases doubles with each pair.",
     "Leave out guides whose loaded faces are not in question."},
    {"VN-VARIANT-003", FailureKind::not_unique, "without friction the loaded faces would not be unique",
     "The determinants of all variants must have one sign. Otherwise faces are paired wrongly: a face of one pair lies between "
     "those of another.",
     "Pair each face with the one opposite to it."},
    {"VN-VARIANT-004", FailureKind::singular, "pairs of faces depend on each other",
     "Pairs on one line of a body, or at one place of a slider, have reactions that the loads do not determine.",
     "Move a pair, or leave it out. A real support shares the load by its compliance."},
    {"VN-VARIANT-005", FailureKind::no_solution, "no variant carries the loads even without friction",
     "A pair pushes both ways: on face 1 one way, on face 2 the other.", "Check the normals."},
    {"VN-VARIANT-006", FailureKind::unsupported, "critical friction is not computed for more than 14 pairs",
     "It needs an eigenvalue problem for each of the 2^m variants. The variants themselves are found.",
     "Leave out pairs that do not matter."},
    {"VN-VARIANT-007", FailureKind::step_limit, "the friction at which loaded faces change was not found",
     "The iterations for these eigenvalues did not converge.", "Change a coefficient of friction slightly."},
    {"VN-VARIANT-010", FailureKind::usage, "the pressure of a pad is unknown",
     "Pressures are uniform, punch (a rigid flat foot), hertz (a round one), power:N for (1 - x^2)^N and cosine:N for cos^N(pi "
     "x/2), x = r/radius.",
     "Use one of these.", "pad --pressure parabolic", "pad --pressure power:1"},
    {"VN-VARIANT-011", FailureKind::model, "the exponent of a pad's pressure is out of range",
     "The force on the pad must be finite: a power of at least -1 (a thin ring), a cosine above -1, at most 1000.",
     "Choose an exponent in this range.", "--pressure power:-2", "--pressure power:-1"},
    {"VN-VARIANT-012", FailureKind::model, "a ratio of a pad has the wrong sign",
     "beta = V/(|Omega| radius) is 0 for a pad that only spins. The gyration J/(m R^2) of a disc is positive, 0.5 if it is "
     "uniform.",
     "Give a valid ratio.", "--gyration 0", "--gyration 0.5"},
    {"VN-VARIANT-020", FailureKind::unsupported, "limit loads are found for at most 10 pairs of faces",
     "Each of the 2^m variants is a convex problem of its own.", "Leave out guides that do not matter."},
    {"VN-VARIANT-021", FailureKind::no_solution, "the load of a limit moves nothing",
     "At this state all generalised forces of the named force are zero.",
     "Name a force that acts on the guided bodies, or change the state."},
    {"VN-VARIANT-022", FailureKind::no_solution, "the linear programs of a limit load were not solved",
     "Numbers of very different size make them unsolvable.", "Check the units of loads, points, friction and radii."},
    {"VN-VARIANT-023", FailureKind::no_solution, "no consistent start of slip was found",
     "Friction acts against the acceleration, and no variant was found for which both agree.",
     "Test rest first. Give faces a pad with a radius: a point may stick while others slide."},
    {"VN-VARIANT-024", FailureKind::unsupported, "the model is not at rest",
     "A limit load is a question of statics. A given motion or an environment body moves at this state.",
     "Choose a time at which it stands still (`t` in the file of --state)."},
    {"VN-VARIANT-025", FailureKind::usage, "the load is not a force of the model",
     "--load names one of `forces`, --polar needs a force on a body. Outputs and events must not need the load.",
     "Check the spelling.", "limit drawer.yaml --load pul", "limit drawer.yaml --load pull"},
    {"VN-VARIANT-026", FailureKind::unsupported, "the model has no guides",
     "`variants` and `limit` are about loaded faces of guides.", "Give the model `guides` with pairs of faces."},
    {"VN-VARIANT-040", FailureKind::not_finite, "the determinants of variants overflow", "Entries differ too much in size.",
     "Scale the equations; check the units of points, masses and inertia."},
};

}  // namespace

std::span<const CatalogueEntry> contacts_messages() { return kContactsMessages; }

}  // namespace vinculum
