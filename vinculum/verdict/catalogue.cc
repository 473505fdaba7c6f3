// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/catalogue.h"

#include <algorithm>
#include <iterator>

namespace vinculum {

namespace {

constexpr CatalogueEntry kCatalogue[] = {
    // VN-BALANCE: synthesis of balanced mechanisms
    {"VN-BALANCE-001", "velocity constraints of a mechanism to be balanced are gears",
     "The conditions hold for all positions, so constraints must be the same in all: linear with constant coefficients and no "
     "other "
     "term, as gears and belts are. Leave a rolling or driven constraint out."},
    {"VN-BALANCE-002", "a mechanism to be balanced is a tree",
     "Gears apart, joints must be all that connects the bodies: contacts, strings and guides limit the positions for which the "
     "conditions would have to hold. Cut the loop and balance the tree; that is enough, though it may be more than is needed."},
    {"VN-BALANCE-003", "the rank of the conditions is clear",
     "Pivots that count and those that are round-off should lie four orders of magnitude apart. Check lengths: one that is "
     "almost, but "
     "not quite zero makes a condition that is almost there."},
    {"VN-BALANCE-004", "the linear program of a design is solved",
     "The simplex method gave up. Sites that are almost the same, or bounds of very different size, can make it so."},

    // VN-CONTACT: contacts and the rows they make
    {"VN-CONTACT-001", "a contact has axes lateral and forward",
     "The axis of a wheel, or the direction `forward` of a point or a sphere, is parallel to the normal of the surface: a wheel "
     "that lies flat, a heading that points into the ground. Choose another heading, or another state."},
    {"VN-CONTACT-002", "the angles of a frame contact are determined",
     "At a pitch of 90 degrees yaw and roll turn about the same axis. Write `angular: vector`, or turn the frames of the contact "
     "so that pitch stays far from 90 degrees."},
    {"VN-CONTACT-003", "a wheel or a sphere finds its point of contact",
     "The search for the point nearest to the surface did not converge. The body may be too far away, or the surface may have no "
     "slope or curvature where it was looked for."},
    {"VN-CONTACT-004", "a wheel or a sphere touches at one point",
     "The surface is more curved than the body there: in a valley narrower than the wheel it touches at two points. Smooth the "
     "surface, or take a smaller radius."},
    {"VN-CONTACT-005", "the path of a guided frame moves",
     "The frame follows the direction of travel, which does not exist while the path stands still. Use `point` and `rotation` to "
     "hold a frame in place."},
    {"VN-CONTACT-010", "constraints agree with each other",
     "The rows named depend on each other and ask for different motions, such as two supports of one rigid body that are driven "
     "apart. No motion obeys them all. Forbid one axis less, or let the given motions agree."},
    {"VN-CONTACT-011", "friction depends on normal reactions that are determined",
     "With more supports than are needed the normal reactions are not determined, and with them sliding friction and so the "
     "motion itself. Use as many supports as determine the reactions, or give them stiffness by `laws`."},
    {"VN-CONTACT-012", "friction and normal reactions have a solution together",
     "No normal reactions agree with the friction they bring about, which is there only where they press (Painlevé's paradox). "
     "Lower the friction coefficient, or model the contact with a stiffness."},
    {"VN-CONTACT-013", "a state can be moved onto the constraints",
     "Newton's method from this state found no position that obeys all contacts: the mechanism cannot be assembled near it, or "
     "at "
     "all. Start closer, or check lengths and frames of the contacts named."},
    {"VN-CONTACT-014", "a position is far from singular ones",
     "The rows are almost dependent: the motion named is almost free, and reactions against it are large and sensitive. At the "
     "singular position itself the mechanism can move in two ways, or reactions are not determined."},
    {"VN-CONTACT-015", "a mechanism has one assembly near its start",
     "With the same values of the coordinates held, the loops close in several ways: elbow up or elbow down. The one nearest to "
     "the start is taken."},
    {"VN-CONTACT-016", "a contact that lets go does not touch down at once",
     "Letting go and touching down, or sticking and slipping, follow each other without end: more than 200 times within a "
     "ten-thousandth of the run. Run with `--contacts bilateral`, model the contact with a stiffness, or give its slip a smooth "
     "`law`."},
    {"VN-CONTACT-017", "contacts can keep bodies apart by pushing",
     "Where bodies strike or press, impulses and forces of contacts that only push must keep every gap from closing. None do if "
     "supports are driven against each other, or friction jams. Look at the contacts named."},
    {"VN-CONTACT-020", "laws that move a contact can be differentiated",
     "Velocity and acceleration of an environment body, and the frame of a path, need derivatives everywhere: abs has none at "
     "0, nor have min, max, floor and if where they change over."},
    {"VN-CONTACT-100", "a position from which the motion is unique",
     "Rows that are independent nearby depend on each other at this very position: the bars of a parallelogram in line, a crank "
     "at a "
     "dead centre that is driven from the other end. Several motions cross there, so neither accelerations nor reactions are "
     "unique. "
     "Start beside it, on the branch that is meant. A run that comes through such a position on its way goes on on the smooth "
     "branch, "
     "and says so."},
    {"VN-CONTACT-101", "a run can pass a singular position on its way",
     "A step is never accepted if its end obeys the constraints only with velocities that jump. Steps were halved until nothing "
     "was "
     "left: the mechanism locks at this position (a toggle driven against itself), or it comes to rest in a singular one, where "
     "the "
     "motion beyond is open."},
    {"VN-CONTACT-120", "friction and normal reactions have one solution together",
     "Sliding friction follows the normal reaction where that presses, and the normal reaction depends on friction: at this "
     "state a "
     "contact could press and rub as well as do neither (Painlevé's paradox). Lower the friction coefficient, or model the "
     "contact "
     "with a stiffness."},
    {"VN-CONTACT-121", "a law of slip can be followed",
     "`simulate --contacts frictional` follows `law`, `bound` and `friction`. Every law but a viscous one needs a bound or a "
     "friction; a law with a memory or a dead zone (hysteresis, delay, lag, backlash, dead-zone) is of one row; one that lags "
     "needs a constant bound."},
    {"VN-CONTACT-122", "friction acts across its normal force",
     "The friction of a velocity constraint is a part of the multiplier named by `normal`, and acts along the slip of that "
     "constraint. Where both have the same direction the force would have to be larger than itself or nothing. Name the "
     "constraint "
     "that presses across the slip, or give a `bound`."},
    {"VN-CONTACT-130", "velocities that are held leave the others room to obey the constraints",
     "`--hold` keeps the velocities named, and no values of the others obey all rows then. The residuals left are named. Hold "
     "fewer, "
     "or give them values that agree."},
    {"VN-CONTACT-150", "rigid contacts with friction have finite forces, or an impulse that leads on",
     "Where friction turns the push of a sliding contact into a pull, no choice of modes is consistent (Painlevé). The motion "
     "goes "
     "on "
     "behind an impact without collision, which stops the slide; here none does. Less friction, or a compliance by `laws`."},
    {"VN-CONTACT-151", "of several choices of modes one is reached as friction grows from none",
     "All of them are consistent, and rigid bodies do not tell which one is realised. Lower the friction, or give the contact "
     "its "
     "compliance by `laws`."},

    // VN-EXPR: expressions and units
    {"VN-DERIVE-001", "printed equations are those of a tree without constraints",
     "Contacts, velocity constraints, strings and guides add rows and multipliers that `derive` does not write, and the "
     "equations of the "
     "tree alone would be wrong for the model. Take the constraints out to see the equations of the tree, or ask `evaluate` for "
     "the rows "
     "and multipliers at a state."},
    {"VN-DERIVE-002", "printed equations are short enough to be read",
     "The equations of a tree in space grow quickly with the number of joints that turn about different axes. `derive --to c` "
     "prints them "
     "for any tree, with common parts shared. Fewer terms come from numbers in place of parameters and from a smaller part of "
     "the tree; "
     "--terms N allows more."},
    {"VN-DERIVE-003", "equations of motion need something that moves",
     "All joints of the model are fixed, so there is no equation to print. Give a body a joint that moves."},
    {"VN-DERIVE-004", "the closed form is for planar trees",
     "In absolute angles the equations have the closed form of planar trees: all bodies on revolute joints with parallel axes "
     "(or fixed "
     "to such a body), no forces but gravity and joint laws. Without `--form closed` the equations are printed in the "
     "coordinates of the "
     "joints."},
    {"VN-EXPR-001", "an expression is not empty", "Write a number or a formula, or leave the key out."},
    {"VN-EXPR-002", "an expression has at most 10 000 bytes",
     "Give its parts names under `parameters`, or split the law into several forces."},
    {"VN-EXPR-003", "an expression is nested at most 200 levels deep",
     "Parentheses, functions and chains of ^ count as levels. Give the inner parts names under `parameters`."},
    {"VN-EXPR-004", "an expression consists of numbers, names, + - * / ^ and parentheses",
     "Remove the character. A decimal point is '.', a power is '^', and a prime stands once, at the end of a velocity's name."},
    {"VN-EXPR-005", "a number is digits with at most one point, and an exponent of digits",
     "Write it as 12, 0.5, .5, 1e-3 or 2.5E6."},
    {"VN-EXPR-006", "a number is zero or lies between 5e-324 and 1.8e308", "Choose another unit, or check the exponent."},
    {"VN-EXPR-007", "every name in an expression is known",
     "Known are the parameters, pi and, in laws, t, the coordinates and the velocities (with a prime). A unit stands only "
     "right behind a number: 1 kg, not kg."},
    {"VN-EXPR-008", "right behind a number stands a unit or an operator",
     "Units are m cm mm km um in ft kg g lb s ms min h rad deg rev N kN mN lbf J kJ W kW Pa kPa MPa GPa bar Hz rpm, joined by * "
     "and / and raised by ^: 3 N*m/rad."},
    {"VN-EXPR-009", "the units behind a number are read in one way only",
     "An exponent of a unit is a whole number. Where a name of the model is spelt like a unit, 3 N*m, put the number and its "
     "units in parentheses, (3 N)*m, or rename the parameter."},
    {"VN-EXPR-010", "between two operands stands an operator", "A product is written with *: 2*length, 2*(a + b)."},
    {"VN-EXPR-011", "an operator has an operand on each side, a function an argument",
     "Complete the formula, or remove the operator."},
    {"VN-EXPR-012", "every parenthesis is closed", "Add the missing ')'; the place named is that of the open '('."},
    {"VN-EXPR-013", "every closing parenthesis was opened", "Remove the ')', or add the '(' it belongs to."},
    {"VN-EXPR-014", "the argument of a function stands in parentheses", "Write sin(x), min(a, b)."},
    {"VN-EXPR-015", "nothing is divided by zero", "The divisor is zero whatever the state; check the parameters in it."},
    {"VN-EXPR-016", "a constant part of an expression has a real value",
     "The root of a negative number, the logarithm of zero or less, a negative power of zero and a broken power of a negative "
     "number do not exist; check the parameters in it."},
    {"VN-EXPR-017", "a constant part of an expression is below 1.8e308", "Check exponents and units."},
    {"VN-EXPR-018", "only quantities of one dimension are added",
     "A bare number takes the dimension of what it is added to; two quantities with units must agree."},
    {"VN-EXPR-019", "functions and exponents take numbers without unit",
     "sin, cos, tan, exp and log and the exponent of a power take a number or an angle. Divide by a reference quantity: "
     "exp(length/(1 m))."},
    {"VN-EXPR-030", "table(NAME, x) names a table of the model",
     "Tables stand under `tables:`, each with a CSV file, its columns and its kind: road: {file: road.csv, x: s, y: height, "
     "kind: "
     "spline}."},
    {"VN-EXPR-031", "distance(P, Q) takes two points of `outputs`",
     "A point is an output of its own: `tip: {point: [0, 0, 1], of: boom}`."},
    {"VN-EXPR-032", "a table has values between its first and its last point",
     "Beyond them it has one only if it says so: `outside: hold` keeps that of the nearest point, `outside: extend` goes on "
     "along a "
     "line."},
    {"VN-EXPR-210", "a function has as many arguments as it takes",
     "min(A, B) and max(A, B) take two, if(A < B, X, Y) a comparison and two values, all others one."},
    {"VN-EXPR-211", "the condition of 'if' compares two values",
     "Write if(A < B, X, Y), or with >, <= or >=: X where the comparison holds, else Y."},

    // VN-FILE: files and their syntax
    {"VN-FILE-001", "a model file can be opened", "Check the path and the permission to read it."},
    {"VN-FILE-002", "a model file has at most 256 MB", "A chain of a million bodies has about 120 MB; is this another file?"},
    {"VN-FILE-003", "a model file is not empty", "`vinculum new model.yaml` writes a commented model to begin with."},
    {"VN-FILE-004", "a model file is a text in UTF-8", "Save the file as UTF-8. A compiled or compressed file is no model."},
    {"VN-FILE-005", "lists and mappings are nested at most 64 deep",
     "A model needs less than ten levels: look for a bracket too many."},
    {"VN-FILE-006", "a model file is valid YAML",
     "Indent with spaces; begin keys that belong together in the same column; close brackets and quotes; put a space behind a "
     "colon; put "
     "quotes round a text that contains `: ` or begins with one of * & ! | > @ ` %."},
    {"VN-FILE-007", "a file holds one model", "A line `---` begins another YAML document. Keep each model in a file of its own."},
    {"VN-FILE-008", "aliases are clear and finite",
     "An alias (*name) refers to a complete node whose anchor (&name) stands once and above it; all of them together stand for "
     "at most a million nodes."},
    {"VN-FILE-009", "a key stands once in its mapping", "YAML programs disagree about which of the two holds. Keep one."},
    {"VN-FILE-010", "every value is of the kind its key asks for",
     "A vector is a list [x, y, z], an element is a mapping {key: value}, a number is a single value."},
    {"VN-FILE-011", "every key is known", "No key is ignored: check the spelling and the place of the key."},
    {"VN-FILE-012", "required keys are there", "Add the key."},
    {"VN-FILE-013", "the format version is 1", "The first line of a model file is `vinculum: 1`."},
    {"VN-FILE-014", "every key has a value", "Give a value, or leave the key out. Without quotes, # begins a comment."},
    {"VN-FILE-015", "lists have the right number of entries",
     "A vector has 3 entries, a quaternion 4, a tensor of inertia 1, 3 or 6."},
    {"VN-FILE-016", "words are chosen from those known", "Check the spelling against the words the hint lists."},
    {"VN-FILE-017", "a number is a finite number", "true, yes, nan and inf are no values of physical quantities."},
    {"VN-FILE-018", "a formula has a finite value", "Check divisions, roots, logarithms and large exponents."},
    {"VN-FILE-019", "a value has the dimension its key asks for",
     "A mass is given in kg, g, lb, a length in m, cm, mm, .. A number without unit is taken in SI units."},
    {"VN-FILE-020", "a formula uses only what it may depend on",
     "Masses, lengths and other constants use parameters; motions and environment bodies also t; surfaces x and y; force laws, "
     "events and "
     "velocity constraints t, coordinates and velocities."},
    {"VN-FILE-021", "a name is made of letters, digits and _, and does not begin with a digit",
     "A name has no dot, space or sign, because it is used in formulas; world, t, pi and the names of functions have a meaning "
     "already."},
    {"VN-FILE-022", "a parameter is used below the line that gives it a value",
     "Parameters are evaluated in file order; change the order."},
    {"VN-FILE-023", "of keys that exclude each other there is one",
     "Keep the one that is meant, or add the one that is missing."},
    {"VN-FILE-024", "every key has an effect", "The key is known but means nothing beside the others. Leave it out."},
    {"VN-FILE-025", "a velocity constraint is an equation", "Write \"left = right\" with one equals sign."},
    {"VN-FILE-026", "a quaternion has the length 1", "The order is w x y z. The hint gives the normalised quaternion."},
    {"VN-FILE-027", "--set names something, once",
     "It overrides a parameter, or the initial value of a coordinate or a velocity."},
    {"VN-FILE-028", "there are no YAML tags", "Tags such as !!float are not needed: the key decides what a value means."},
    {"VN-FILE-029", "a colour is six hexadecimal digits behind #", "Write color: \"#3070c0\", with quotes."},
    {"VN-FILE-030", "a file with very many errors is not read to its end", "Mend the errors told; then the rest will be read."},
    {"VN-FILE-060", "a report cannot be written",
     "Check that the folder exists, that it may be written to, and that there is room on the disk. What stood there before is "
     "unchanged."},
    {"VN-FILE-061", "the report page was not bundled into this program",
     "The page is made with npm when the program is built. Install nodejs and npm, run cmake again and rebuild. All other "
     "results do not need "
     "it."},
    {"VN-FILE-062", "a report is larger than 20 MB",
     "Thinning the samples was not enough: the model has too many bodies or curves for one page. The other result files are "
     "complete."},
    {"VN-FILE-063", "a mesh cannot be drawn",
     "Meshes are read from STL files, ASCII or binary, up to 100 000 triangles in one report. The body is drawn from its inertia "
     "instead."},
    {"VN-FILE-100", "a state file is not a JSON object", "Expected {\"t\": 0, \"q\": {..}, \"v\": {..}}."},
    {"VN-FILE-101", "a value of a state file is not a number",
     "Coordinates, velocities and accelerations are finite numbers by name."},
    {"VN-FILE-102", "a state file names something unknown", "`vinculum check MODEL` lists coordinates and velocities."},
    {"VN-FILE-110", "results cannot be written", "Check the folder given by --output: permissions and free space."},
    {"VN-FILE-111", "there is no checkpoint to resume from",
     "A run writes checkpoints into its results folder every few seconds; a finished run removes it."},
    {"VN-FILE-112", "a checkpoint belongs to another model",
     "The model file, or the values given by --set, changed since the run was started."},
    {"VN-FILE-113", "a checkpoint and its tables must be as they were written",
     "A checkpoint carries checksums of itself and of the rows of the tables before it. The folder was changed by hand, by "
     "another "
     "program or by a fault of the disk. Start the run again."},
    {"VN-FILE-120", "a table cannot be read", "A CSV file with a header line and numbers separated by commas is needed."},
    {"VN-FILE-121", "a row of a table is ragged", "Every row must have as many values as the header has columns."},
    {"VN-FILE-122", "a cell of a table is not a number", "Numbers are finite, with a decimal point."},
    {"VN-FILE-123", "the table of a motion does not begin with t", "The first column is the time in seconds, named t."},
    {"VN-FILE-124", "a column of a motion means nothing in this model",
     "Columns are coordinates, velocities and accelerations a(VELOCITY) of the model."},
    {"VN-FILE-125", "a motion has too few rows", "At least 4 are needed to differentiate."},
    {"VN-FILE-126", "the times of a motion do not ascend",
     "Sort the rows. Two rows of one time are a jump of velocities; coordinates have the same values in both."},
    {"VN-FILE-127", "columns of a table have different names",
     "Two columns of one name would leave open which is meant. Keep one of them, or give the other another name."},
    {"VN-FILE-128", "a table of inputs cannot be used",
     "Its first column is t, in seconds, ascending, each time once. Every other column has the name of an input of the model, "
     "with "
     "its unit in brackets or none: t [s],torque [N*m]. All values lie in the ranges of their inputs."},
    {"VN-FILE-140", "a file that exists is not replaced", "Choose another name, or say --force."},
    {"VN-FILE-141", "a file cannot be written", "Check the folder: is it there, may it be written to, has the disk room left?"},
    {"VN-FILE-142", "one process at a time writes into a results folder",
     "Another run has the folder and would mix its tables with these. The lock goes with the process that holds it, however it "
     "ends. Some network disks have no locks: choose a folder on another one."},
    {"VN-FILE-143", "an interrupted run is not replaced",
     "Go on with it by --resume, replace it by --force, or choose another folder."},
    {"VN-FILE-144", "a checkpoint belongs to another version of the program",
     "Another version may compute other last bits, or keep other things in a checkpoint. Resume with the version that began the "
     "run, "
     "or start it again."},
    {"VN-FILE-145", "standard output cannot be written",
     "What was printed has not arrived, or only a part of it: the disk is full, or the program that reads the pipe has ended."},
    {"VN-FILE-146", "a name has no characters that cannot be seen",
     "Line ends, control characters, characters of zero width and those that turn the direction of writing make one name look "
     "like "
     "another, in the file and in every message. The message shows them escaped: \\n, \\u202E."},
    {"VN-FILE-150", "a page shows at least one sample of a run",
     "The run failed at its start, before there was a sample: there is nothing to draw. Its message tells what was wrong."},
    {"VN-FILE-160", "tables are read from the folder of the model",
     "A model that comes as a text alone has no folder to read a table from."},
    {"VN-FILE-161", "a table lies inside the folder of the model",
     "A model file from elsewhere must not read other files of the machine: no absolute path, no `..`, no symbolic link that "
     "leads "
     "out."},
    {"VN-FILE-162", "the file of a table is there", "Its path is from the folder of the model."},
    {"VN-FILE-163", "the file of a table has at most 64 MB", "Give fewer points."},
    {"VN-FILE-164", "the columns of a table are in its file", "The header of the file names them: `s [m],height [mm]`."},
    {"VN-FILE-165", "the unit of a column is one of the units of model files",
     "A header without a unit is taken in SI; numbers in a known unit are brought to SI."},
    {"VN-FILE-166", "a table has two points at least, a spline four, and a million at most", "Give more points, or fewer."},
    {"VN-FILE-167", "the argument of a table ascends", "Sort the rows; a jump is two points close together."},
    {"VN-FILE-170", "an angle that looks like degrees is told",
     "A bare number is in SI units, and an angle in radians. Write `60 deg`; `60 rad`, if it is meant so, is taken without a "
     "word."},
    {"VN-FILE-171", "a mesh that a model names is there",
     "Without it the body is not drawn; the motion does not change. Paths begin at the folder of the model file; of "
     "`package://NAME/PATH` the folder NAME is looked for there and above."},

    {"VN-FILE-180", "a page is made again from a folder that holds a finished run",
     "Name a folder that `simulate --output` has left; its run.json tells what was asked and what came out."},
    {"VN-FILE-181", "what a run left fits its model",
     "Something in run.json is missing or has another form: make the run again."},
    {"VN-FILE-182", "a page is made again with the model of the run",
     "The model file, or what it includes, has changed since: other poses would be drawn than were computed. Make the run again, "
     "or "
     "name the model as it was with --model FILE."},

    // VN-GUIDE: models with guides
    {"VN-GUIDE-001", "both faces of a pair take away the same motion",
     "The clearance is so small that a pair is one constraint, whichever face carries. On a body that can turn, the faces of a "
     "single "
     "pair must push along one line; two pairs that hold it from turning may have faces at different places."},
    {"VN-GUIDE-002", "the loads of guides are found apart from other friction",
     "The friction of a contact that hangs on its normal row, and that of guides, would have to be found together."},
    {"VN-GUIDE-003", "some choice of loaded faces carries the load",
     "If none does the guides jam: whatever the reactions, friction grows with them by more. The message says what part of the "
     "friction would still let it slide. `variants` has all of it."},
    {"VN-GUIDE-004", "the realised variant is reached as friction grows",
     "Several choices of loaded faces carry the load (a paradox of Painlevé), and none is connected with the one without "
     "friction. "
     "`variants` lists them."},
    {"VN-GUIDE-005", "guides at rest hold the load",
     "No reactions within the cones of friction are in equilibrium: it breaks away."},
    {"VN-GUIDE-006", "rest is tested with at most 12 pairs of faces", "Leave out pairs that carry nothing."},
    {"VN-GUIDE-007", "at most 6 sliders stop sliding at once", "Leave out pairs that carry nothing."},
    {"VN-GUIDE-008", "faces that stop sliding stick or slide on",
     "Every choice of sliding on, sliding back and sticking of the points that stop, with every choice of loaded faces, "
     "contradicts "
     "itself. A point that may slide along more than one line and is let go by friction is not followed."},
    {"VN-GUIDE-009", "a model that comes to rest or breaks away does so in a direction",
     "The equations for it were not solved. Begin with a small velocity."},
    {"VN-GUIDE-010", "commands that know rows alone refuse dry friction",
     "Which face rubs, and which way, changes along the motion. With `friction: 0` on its faces a guide is an ideal constraint "
     "for "
     "every command."},
    {"VN-GUIDE-011", "`--until rest` needs guides with friction", "Give the end as a time in seconds."},
    {"VN-GUIDE-012", "a run until rest comes to rest", "Within 10 000 s it does not. Give the end as a time in seconds."},
    {"VN-GUIDE-013", "the reactions of guides are bounded",
     "On the way the determinant of the loaded faces vanishes: reactions grow beyond all bounds (a paradox of Painlevé), which "
     "only a "
     "blow without collision could end. The run ends there."},
    {"VN-GUIDE-030", "a load on a face of a guide moves its bodies by numbers that can be computed with",
     "A point of a face far beyond any machine, or a mass next to nothing, makes accelerations overflow. Check the units of the "
     "point, "
     "mass and inertia."},

    // VN-INPUT: inputs and sampled controllers of a model
    {"VN-INPUT-001", "an input has a finite value in its range",
     "The value comes from `inputs`, `initial`, --set, a state file, or the program that sets it. It is refused, never clamped: "
     "saturate in a law, min(max(u, -20), 20), where that is meant."},
    {"VN-INPUT-002", "the range of an input is not empty", "Write the smaller number first: range: [-20, 20]."},
    {"VN-INPUT-003", "inputs and sampled values have names of their own",
     "Formulas, --set and state files know them by their names alone, so that no body, coordinate, parameter, state, table, "
     "string "
     "or velocity constraint has the same."},
    {"VN-INPUT-004", "nothing that is moved as given follows an input or a sampled value",
     "It may jump, and a coordinate that is driven, an environment body or a velocity constraint would jump with it. Let a force "
     "follow it: a law such as \"k*(u - arm) - c*arm'\". A target that does not jump is a state whose rate is the input."},
    {"VN-INPUT-005", "the unit of an input is an SI unit",
     "Values of inputs are in SI wherever they come from: N, N*m, m/s, rad/s, 1. Behind a number any unit may stand: initial: 2 "
     "kN."},
    {"VN-INPUT-006", "start values of a sampled controller are those of its own values",
     "`initial` of an entry of `samples` names what its `memory` and `hold` name."},

    // VN-INTEGRAL: first integrals
    {"VN-INTEGRAL-001", "what is conserved differs clearly from what is not",
     "Rates that count as zero and rates that do not must be at least 1e4 apart, else round-off decides. A damper, a force or an "
     "inertia that is very small beside the others makes this gap small: leave it out, or make it larger."},
    {"VN-INTEGRAL-002", "a model has states with a motion",
     "First integrals are tried at random states around the start of the model. At too few of them the contacts could be "
     "assembled and the accelerations computed; the message tells what was wrong at the last one."},
    {"VN-INTEGRAL-150", "the search for first integrals fits the size of the model",
     "The search takes time and memory that grow with the third power of the number of candidates, and of the rows of contacts. "
     "What it costs is known before it begins: beyond a limit sums of candidates are left out, and beyond that there is none. A "
     "run goes on without it; ask `integrals` about a part of the model."},
    {"VN-INTEGRAL-151", "first integrals are looked for unless the run is told not to",
     "With `--no-integrals` a run watches the energy alone. Leave it out to watch all that the model conserves."},

    // VN-LINEAR: linearisation and equilibrium
    {"VN-LINEAR-001", "contacts of a model at rest, searched for, close loops and nothing more",
     "`equilibrium` moves along positions, so rows must limit positions: contacts that roll, have laws of force or friction, or "
     "stand on something that a law moves are not searched with. A contact that works as a joint or as a spring can be written "
     "as one. `linearise` takes them all, about a state that you give."},
    {"VN-LINEAR-002", "driven coordinates stand still in an equilibrium",
     "The law under `motions` has a rate or an acceleration at this time. Take it out, or search at a time when it has none (`t` "
     "in the "
     "file of `--state`)."},
    {"VN-LINEAR-003", "an equilibrium is found from the start",
     "Newton's method ended where accelerations are still there: nothing holds the coordinate named, or the start is too far "
     "away. "
     "Start from a state that looks like the equilibrium."},
    {"VN-LINEAR-004", "a model with contacts is linearised about an equilibrium or a steady motion",
     "The equations of small departures are constant only if all velocities are: of a motion straight ahead, or in a turn about "
     "the vertical with everything as it is. The velocity named changes. `vinculum equilibrium` finds a state of rest and writes "
     "it by `--write-state`; `evaluate` shows the accelerations of a state."},
    {"VN-LINEAR-005", "a steady motion with the given rates is found from the start",
     "The search ended where something still accelerates, a constraint is not kept or a given rate is not reached: there is no "
     "steady motion with these rates, or the start is too far away. Start from positions and velocities that look like it, or "
     "give "
     "fewer rates."},
    {"VN-LINEAR-130", "the ground of an equilibrium stands still",
     "A spring stands on an environment body that moves at this time, so nothing stays at rest. Stop it by a parameter, choose a "
     "time "
     "when it stands still (`t` in the file of `--state`), or look at the motion by `simulate`."},
    {"VN-LINEAR-131", "an equilibrium or a linearisation holds for later times too",
     "The laws named depend on t. What is told is of the moment named: as if the clock stood still there. Eigenvalues then say "
     "nothing "
     "about the motion later."},
    {"VN-LINEAR-220", "in a steady motion, what moves is ignorable",
     "The equations were computed again farther along the motion, and they are others: something depends on the coordinate named "
     "(a wheel out of balance, a surface that bends, a force that hangs on the place or on the time). Departures from such a "
     "motion do not obey constant equations. Where the coordinate can be left out of laws, shapes and inertias, do so."},
    {"VN-LINEAR-221", "a steady motion stays on its contacts",
     "With the velocities of this state kept constant, the contact or the given motion named is violated a little later: the "
     "surface curves away, or the law of the motion changes its rate. Choose a state that can go on as it is."},
    {"VN-LINEAR-222", "accelerations have slopes where they are linearised",
     "Contacts with laws, friction or a curved surface under a wheel or a sphere are differentiated by differences, and these do "
     "not agree with each other here: a corner of a law, or a scale much smaller than the steps. Smooth the law, or depart from "
     "another state."},
    {"VN-LINEAR-223", "a model stays valid over the whole range of --over",
     "With the value named the model file has an error: the first one is told. Choose a range in which masses, lengths and laws "
     "make sense, and a name that is a parameter or an initial value of the model."},
    {"VN-LINEAR-224", "along a motion the same departures stay independent",
     "With contacts the states of a linearisation are as many departures as the rows leave independent, and along this motion "
     "other "
     "ones have to be chosen from the time named on. Linearise the states one by one (`--state`): each answer names its states."},
    {"VN-LINEAR-225", "laws have a slope where they are linearised",
     "The state lies on a kink or a jump of the law named (max(p, 0) at p = 0), so that small departures to either side obey "
     "different equations. The linearisation of each side is given. Whether departures that cross the kink grow, neither of them "
     "decides: `simulate` from states nearby shows it."},

    // VN-MODEL: what a model says
    {"VN-MODEL-001", "the parent of a body is not a body of the model",
     "A parent is `world` or the name of another body. Check the spelling."},
    {"VN-MODEL-002", "the parents of bodies go round in a circle",
     "Following the parents must lead to `world`. A closed loop is modelled as a tree, with one of its joints "
     "replaced by a contact `with: BODY`."},
    {"VN-MODEL-003", "two elements have the same name", "Bodies and environment bodies share one space of names."},
    {"VN-MODEL-004", "a parameter has the name of a coordinate",
     "Expressions could mean either. Rename the parameter or the body."},
    {"VN-MODEL-005", "the model has no bodies", "At least one body is needed under `bodies:`."},
    {"VN-MODEL-006", "a direction has no length", "Axes and normals are x, y, z, -x, -y, -z or a vector that is not zero."},
    {"VN-MODEL-010", "a value is not finite",
     "The expression has no finite value: check divisions, roots, logarithms and large exponents."},
    {"VN-MODEL-011", "a mass is negative", "A mass is positive, or zero for a body that only connects others."},
    {"VN-MODEL-012", "the mass centre of a massless body has no effect", "Give the body a mass, or leave `com` out."},
    {"VN-MODEL-020", "a tensor of inertia has a negative principal moment",
     "Check the signs of the products of inertia: they are the entries of the matrix, Ixy = -(sum of m x y)."},
    {"VN-MODEL-021", "a tensor of inertia breaks the triangle inequality",
     "For every rigid body the sum of two principal moments is at least the third. A common cause: the moments are "
     "about another point than the mass centre."},
    {"VN-MODEL-022", "a tensor of inertia breaks the triangle inequality by less than 1 %",
     "Data rounded to a few digits can do this; the values are taken as they are."},
    {"VN-MODEL-030", "there is no such body", "The element must name one of `bodies`."},
    {"VN-MODEL-031", "there is no such body or environment body",
     "The element must name `world`, one of `bodies` or one of `environment`."},
    {"VN-MODEL-032", "a motion is given for something that is not a coordinate", "`vinculum check MODEL` lists the coordinates."},
    {"VN-MODEL-033", "a component of a quaternion is driven",
     "Quaternion components are not independent. Use a joint with `axes`, whose angles can be driven one by one."},
    {"VN-MODEL-034", "a coordinate is driven twice", "Keep one of the two laws."},
    {"VN-MODEL-035", "a joint force acts on something that is not a single motion",
     "Name a scalar joint (`boom`), or one velocity of a joint without its prime (`sled.tx`, `ball.wx`)."},
    {"VN-MODEL-036", "a contact of a body with itself", "Name another body, an environment body or `world` under `with`."},
    {"VN-MODEL-037", "a law of motion has no value at the start", "The law or its rate is not finite at t = 0."},
    {"VN-MODEL-038", "an initial value is given for something that is neither a coordinate nor a velocity",
     "`vinculum check MODEL` lists both. Velocities carry a prime, and need quotes in YAML: \"boom'\"."},
    {"VN-MODEL-039", "a quaternion has no direction",
     "The four components of a start state's quaternion are (almost) zero or not finite."},
    {"VN-MODEL-040", "a quaternion of the start state was normalised",
     "Its length was not 1. The orientation is that of the normalised quaternion."},
    {"VN-MODEL-101", "a value has the sign its meaning asks for",
     "Radii, lengths of strings and bounds are positive; coefficients are not negative."},
    {"VN-MODEL-102", "a velocity constraint is linear in the velocities",
     "Velocities may be multiplied by functions of coordinates and time, and added. Other constraints are not supported."},
    {"VN-MODEL-103", "a velocity constraint contains a velocity",
     "Velocities carry a prime: sled.tx'. A coordinate that is given is a motion."},
    {"VN-MODEL-105", "laws act on axes that are free",
     "`forbid` holds an axis; force laws and sliding friction act on the others."},
    {"VN-MODEL-106", "constraints have different names",
     "Contacts, velocity constraints, strings and guides name the rows of the constraint equations."},
    {"VN-MODEL-107", "the pressure of a pad carries a load", "power is at least -1, cosine is greater than -1."},
    {"VN-MODEL-108", "a body without inertia is a point mass", "Write `inertia: [0, 0, 0]` if this is meant."},
    {"VN-MODEL-109", "a friction limit acts on a forbidden tangential axis",
     "`friction`, `bound` and `law` limit the forces of forbidden axes; friction of sliding along allowed ones is "
     "`sliding_friction`."},
    {"VN-MODEL-110", "the normal force of friction is one of the model",
     "A contact with friction forbids its normal or has a law of it; for a velocity constraint rows are CONTACT.AXIS, the names "
     "of velocity constraints and strings, and GUIDE.1, .."},
    {"VN-MODEL-111", "an event can happen", "Its function depends on t, coordinates or velocities."},
    {"VN-MODEL-112", "a body without mass only connects others", "Write `mass: 0` if this is meant, else give its mass."},
    {"VN-MODEL-113", "the range of a joint has room to move in", "Write `position: [lower, upper]` with lower below upper."},
    {"VN-MODEL-114", "limits belong to coordinates of the joint",
     "A joint of one degree takes them directly, others by the name of a coordinate: `limits: {wrist.rx: {position: [-1, 1]}}`. "
     "Balls have no coordinate with a range."},
    {"VN-MODEL-115", "an impact gives no energy",
     "Coefficients of `restitution` (newton, poisson, energetic, tangential) lie between 0 and 1."},
    {"VN-MODEL-116", "the name of a joint means one thing",
     "`name:` of a joint is another name of its coordinates. No other coordinate, velocity or joint may have it; a body of the "
     "same "
     "name is one, if it moves. A start value is given by one of the two names."},
    {"VN-MODEL-120", "the faces of a pair push against each other",
     "face1 and face2 lie on opposite sides of the body's part between them: their normals, both into the body, are opposed."},
    {"VN-MODEL-121", "a normal has the length 1", "It is a direction, and is brought to that length."},
    {"VN-MODEL-122", "a guide leads a body along another one", "Name another body, an environment body or `world` under `with`."},
    {"VN-MODEL-140", "a tensor of inertia that no body can have was accepted",
     "The body says `accept_inertia: true`. The equations of motion need a positive mass matrix, and where it is not the "
     "computation "
     "is refused; but energies and reactions are those of a body that cannot exist."},
    {"VN-MODEL-150", "an output has a name of its own",
     "In formulas of outputs and events its name must mean nothing else: no parameter, coordinate, velocity or row."},
    {"VN-MODEL-151", "outputs are not made of themselves",
     "An output may use others, above it or below it, but the chain must end in coordinates, velocities, accelerations, points, "
     "forces or rows."},
    {"VN-MODEL-152", "a requirement is a comparison with a number",
     "Write `require: \"< 2 m/s^2\"`, with <, <=, > or >=, or a list of such: [\"> -1\", \"< 1\"]."},
    {"VN-MODEL-153", "the quantities an output names are in the model",
     "Accelerations (boom''), rows (foot.normal, motion:boom), forces (spring.force), points (tip.vx) and outputs have names."},
    {"VN-MODEL-154", "a further state has a name of its own",
     "States share one space of names with coordinates, velocities and parameters."},
    {"VN-MODEL-155", "a velocity constraint hangs on bodies alone",
     "Its factors are formulas of t and of coordinates of bodies; a further state is none. Put a law of force in its place."},

    // VN-REALIZE: velocity constraints realized by forces
    {"VN-REALIZE-001", "a name given to `realize` is a row or a group that can slip",
     "Rows are `contact.lateral`, `contact.forward`, velocity constraints by their name, or NAME.1, NAME.2 of several equations; "
     "groups are contacts and entries of `velocity_constraints`."},
    {"VN-REALIZE-002", "a row chosen by --rows can be realized by a force",
     "Normals, rotations, joint stops and given motions are always kept. Lateral and forward of contacts and velocity "
     "constraints without `permanent: true` can slip."},
    {"VN-REALIZE-003", "bounds and numbers of laws are positive",
     "A bound is the largest force a row can have, in the unit of its multiplier; the number of a law is a coefficient, a slip "
     "or "
     "a time."},
    {"VN-REALIZE-004", "a certificate is of rows whose forces change no friction elsewhere",
     "Contacts with `sliding_friction` on an allowed axis rub the harder the more the realizing forces press: the slip mobility "
     "is not symmetric then, and no slip energy bounds the slip. Reactions and motions are computed all the same. For a "
     "certificate forbid the axis and give the contact `friction` instead."},
    {"VN-REALIZE-005", "a slip mobility is symmetric and positive definite",
     "W = J P J^T of independent rows is. Check the numbers of the problem."},
    {"VN-REALIZE-006", "inputs of a servo constraint can move every row",
     "There must be as many inputs as rows, and the matrix J P B of what they do to the slips must be regular. Where it is not, "
     "the "
     "inputs do not reach the acceleration of the constraint: it is of higher index."},
    {"VN-REALIZE-007", "the rows of a certificate are independent",
     "Where rows depend on each other there is no slip inertia. Leave one out by --rows, or merge them into one."},
    {"VN-REALIZE-008", "a velocity constraint limits no position",
     "The row named is the rate of a position (Frobenius). Kept as a velocity its position drifts by round-off and by slip, and "
     "nothing corrects it. Use a contact, a joint or a given motion for it."},
    {"VN-REALIZE-009", "the constants of a certificate come from exact slopes",
     "Contacts on curved surfaces, with laws, or that hold a rolling body upright are differentiated by extrapolated "
     "differences, "
     "good to about eleven digits."},
    {"VN-REALIZE-010", "a model for `realize` has rows that can slip",
     "Give a contact `forbid: [lateral, forward]` as well, or write the constraint under `velocity_constraints`."},
    {"VN-REALIZE-011", "the model with forces in place of its rows can be built",
     "The forces of a law stand in place of the rows they realize; what this model lacks then is told."},
    {"VN-REALIZE-012", "no guide rubs beside rows that slip",
     "The friction of a guide changes with the face that carries the load, and that with the realizing forces. `simulate "
     "--contacts frictional` follows guides and slip together; `realize` takes guides without friction as permanent rows."},
    {"VN-REALIZE-030", "sliding friction beside rows that slip is told",
     "Reactions, verdicts and motions have it; Appell's form, the constants and the certificate are of rows without."},

    // VN-RUN: computations
    {"VN-RUN-002", "the mass matrix is singular",
     "Some motion meets no inertia, so no acceleration is determined: a massless body at the end of a chain, a point mass "
     "turning about "
     "itself, or axes of a joint that have come into line. Give the body an inertia, drive the coordinate, or choose another "
     "joint."},
    {"VN-RUN-003", "a law has no finite value",
     "A force or a law of motion divides by zero, takes the root or logarithm of a negative number, or overflows at this state."},
    {"VN-RUN-004", "the state violates a constraint",
     "Positions and velocities of the state must obey the constraints (contacts and given motions) to the residual allowed, 1e-8 "
     "in SI units by default."},
    {"VN-RUN-005", "there is no such integrator", "`vinculum simulate --help` lists the integrators."},
    {"VN-RUN-006", "there is no such event", "`--stop-at` names one of the model's `events`."},
    {"VN-RUN-010", "the step of the integrator must not become round-off of t",
     "The solution is singular at the time named (a force or velocity grows without bound), or changes faster than an explicit "
     "method "
     "can follow. Look at the motion just before; for a stiff model choose the integrator cvode or arkode."},
    {"VN-RUN-011", "the equations must have a finite derivative along the motion",
     "At the time named an expression has no value (a root of a negative number, a division by zero), or the accelerations are "
     "not "
     "determined. The motion is right up to that time."},
    {"VN-RUN-012", "the tolerance must leave the integrator some digits",
     "A tolerance near the precision of double numbers cannot be met. Relax it."},
    {"VN-RUN-013", "the implicit equations of a step must have a solution that Newton's method finds",
     "The implicit integrator named did not converge, even with a very short step. Change the tolerance, or choose another "
     "integrator; "
     "a force with a jump is better split by an event."},
    {"VN-RUN-014", "a motion computed as a power series has laws that are analytic",
     "abs has no power series where its argument changes sign, nor have sign, min, max, floor, if and tables. One motion is "
     "followed from branch to branch, an ensemble of motions side by side is not. Run them one by one, or write a smooth law, "
     "such as sqrt(x^2 + small^2)."},
    {"VN-RUN-015", "a motion computed as a power series has contacts whose place is a formula",
     "Loops, frames, points on surfaces, wheels and spheres on planes enter the series. Contacts that are searched for (a wheel "
     "or a "
     "sphere on a curved surface), follow a path, have laws or may let go do not, and an ensemble takes none: `simulate` says so "
     "and "
     "takes dop853."},
    {"VN-RUN-020", "the variants of a batch must be made alike",
     "A batch computes one structure with many sets of numbers side by side: the same bodies in the same order, on the same "
     "parents "
     "by the same joints, the same coordinates driven."},
    {"VN-RUN-021", "a model whose full matrices are asked for has at most 2000 velocities",
     "`linearise`, `equilibrium` and the vector and aggregate forms of `evaluate` compute matrices without zeros to spare: "
     "memory "
     "grows with the square of their size and time with the cube. The recursive form has no limit. Take a part of the mechanism, "
     "or fewer bodies in its place."},
    {"VN-RUN-110", "a motion that reaches the jump of a law must be able to leave it",
     "On both sides of the jump the law pushes the motion towards it: `-15*sign(v)` holds a body that a weaker force would move. "
     "It "
     "then slides along the jump, and the law does not say with which force. Let it rise steeply instead of jumping, "
     "`x/sqrt(x^2 + small^2)` for `sign(x)`, or model dry friction as a contact with `sliding_friction`."},
    {"VN-RUN-111", "a run goes on until it is stopped", "It was asked to stop. With a results folder it goes on by `--resume`."},
    {"VN-RUN-112", "a given motion must not jump, nor its velocity",
     "Only a blow of infinite force could do that, and what it does to the other bodies is not computed. Give a smooth law, such "
     "as "
     "`sqrt(x^2 + small^2)` for `abs(x)`."},
    {"VN-RUN-113", "the steps of a run must bring it to its end",
     "Ten thousand steps at whose pace the end would take a billion more: a force grows very steeply or oscillates very fast, or "
     "the "
     "model is stiff. Look at the motion just before; for stiff springs and dampers choose the integrator cvode or arkode."},
    {"VN-RUN-114", "the integrator that `auto` chose at the start should serve to the end",
     "A warning: on the way something very stiff began to act, such as a damper that grips, and steps became much smaller than "
     "the "
     "motion needs. After two thousand steps, and whenever their number has doubled, the work of the integrator cvode is "
     "compared "
     "from there. The run is right, and goes on; it would be sooner done with `--integrator cvode`."},
    {"VN-RUN-115", "a delayed slip law has at most 64 changes of side pending",
     "Within the delay the slip changed its sign more than 64 times. Use a shorter delay, or look at why the slip oscillates."},
    {"VN-RUN-130", "the accelerations handed to `inverse` obey the rows",
     "Contacts and loops allow only accelerations with jacobian * a = gamma; `evaluate` prints both. The residuals are named row "
     "by "
     "row. A table whose accelerations come from a spline needs finer steps where they change fast."},
    {"VN-RUN-131", "drives and rows can make the motion handed to `inverse`",
     "On a velocity that no drive acts on, the rows alone must supply what the motion needs; the message tells what is missing. "
     "Name more drives by `--drives`, or ask for another motion."},
    {"VN-RUN-132", "every quantity that is told is a finite number",
     "The quantity named overflowed on the way, or was computed from one that did: doubles end at 1.8e308, and squares of more "
     "than "
     "1e154 are beyond. The answer is refused as a whole. Look for a value of the wrong size or unit in the element named."},
    {"VN-RUN-140", "a checkpoint must fit the model it is gone on with",
     "Something in it has another size than the model gives it. Start the run again."},
    {"VN-RUN-141", "tables that fill a disk are not begun without being told to",
     "The number of samples is the length of the run over --every; each is a row in two tables. Take a larger --every (by "
     "default a "
     "thousandth of the run), or --allow-large."},
    {"VN-RUN-142", "the image of a run cannot be read",
     "An image is valid for the version of the program that made it, and has a checksum over all its bytes. It was shortened or "
     "changed, or comes from another version. Start the run again."},
    {"VN-RUN-143", "a run was asked for a time that it cannot reach",
     "A run only goes one way, from its start to its end. Give `advance` a time between the present and the end of the run; give "
     "`extend` a later end; give `set_state` a state with the time of the run. To return to an earlier time, keep an image."},
    {"VN-RUN-144", "a formula of a sampled controller has no finite value",
     "The formulas of `samples:` are evaluated at their instants, with the values from before. Check divisions, roots and "
     "logarithms at the time named."},
    {"VN-RUN-145", "a controller or an input of a run is used in a way it does not allow",
     "A controller has a positive period, a delay below it, and writes inputs that the model has. Only inputs with `hold: "
     "linear` have a slope."},
    {"VN-RUN-146", "sampled controllers and tables of inputs act forward in time only",
     "A run backwards cannot know what a controller will have held. Run forward, or leave the controllers out."},
    {"VN-RUN-147", "forces from outside do not fit the model",
     "`Applied::tau` has one number for each velocity of the model and `wrenches_W` one wrench for each body, in the order of "
     "the "
     "model, all finite. Leave empty what does not act."},
    {"VN-RUN-150", "a computation that is interrupted has no answer",
     "Ctrl-C ended the command before there was anything to tell. `simulate` with `--output` can go on from where it was."},
    {"VN-RUN-160", "steps of fixed length follow rows, contacts and the law `sign`",
     "`simulate --step` takes implicit steps of one length (Moreau, Jean): forwards in time, to the end. Other laws of slip, "
     "sliding "
     "friction and events of the model file need an integrator: leave --step out."},
    {"VN-RUN-170", "an output has a finite value wherever the motion comes",
     "A division by zero, a root or logarithm of a negative number, a table beyond its range, or no accelerations at this state. "
     "if(A < B, X, Y) needs no value where it is not taken."},
    {"VN-RUN-171", "a law asks a table for values inside its range only",
     "Beyond its points a table has no value unless it says `outside: hold` or `outside: extend`. The run is good up to there."},
    {"VN-RUN-172", "this computation is of the mechanism alone",
     "Further states (`states:`) change it: `simulate`, `evaluate`, `series` and `linearise` without contacts know them, others "
     "refuse the model."},
    {"VN-RUN-173", "printed equations are formulas",
     "A law that looks something up in a table, or hangs on a further state, is not printed."},
    {"VN-RUN-174", "a force along a line has two points that are apart",
     "Where its points coincide the line has no direction, so the force of `between:` with `law:` has no value. Start with the "
     "points apart, or write the force as one on a joint (`joint:`) or on a body (`body:`)."},
    {"VN-RUN-180", "a verdict is one that --fail-on asked to fail for",
     "The run is complete and its results are written; only the exit code is 1, for scripts. The verdict says what to do."},

    // VN-STEADY: steady motions of bodies on strings
    {"VN-STEADY-001", "steady motions are those of trees of symmetric bodies on strings",
     "Each body is free, hangs on one string from the world, an environment body or another body, has its mass centre beside the "
     "string's "
     "end and equal moments of inertia across the line between the two; strings that hang on it begin on this line. What is "
     "named is not "
     "so."},
    {"VN-STEADY-002", "strings and weight are all that acts on the bodies",
     "Contacts, given motions, constraints, guides, forces and limits would change every steady motion. Take the element out of "
     "the model."},
    {"VN-STEADY-003", "bodies on strings hang",
     "Without gravity there is no downward vertical from which angles are measured. Give `gravity`."},
    {"VN-STEADY-010", "a branch reaches the amplitude that is asked for",
     "The family turns back before its amplitude along the null vector has this size. Start it smaller and follow it with "
     "--to-rate."},
    {"VN-STEADY-011", "all motions with given spins can be searched for few bodies",
     "Their number grows like a power of the number of bodies. Follow branches instead, or give angles."},
    {"VN-STEADY-012", "a family has all its angles",
     "A coplanar family needs the angle of every string, a carousel with more than three strings also azimuths. Give the one "
     "named."},
    {"VN-STEADY-013", "azimuths along strings are those of a chain",
     "Only a chain can bend at a body out of its plane with a free angle between the planes. Branches form a carousel."},
    {"VN-STEADY-014", "the angle above a bend follows from the rate",
     "Where a chain leaves its plane the rod of the body carries no horizontal force, and that fixes the angle of its string. "
     "Leave its "
     "--angle out."},
    {"VN-STEADY-015", "the first string defines the plane from which azimuths count",
     "It has azimuth 0; turning the whole about the vertical changes nothing. On a carrier beside the axis no azimuth is free."},
    {"VN-STEADY-016", "a carousel turns about a vertical body on the axis",
     "The body carries two strings or more, and what is above it hangs straight down. Name such a body."},
    {"VN-STEADY-017", "permanent rotations are asked of one body on one string",
     "The body may have any inertia; the string begins on the axis. Make a model of this body alone."},
    {"VN-STEADY-018", "measurements determine the imbalance",
     "Tilts at two speeds or more, different enough to tell the offset of the string from the moments of inertia."},
    {"VN-STEADY-019", "the measured tilts belong to this body",
     "No body with the mass, string and inertia of the model turns near its axis z with these tilts. Check units, signs and "
     "speeds."},
    {"VN-STEADY-020", "spins are slow enough to be simulated",
     "A body spins faster than 1000 rad/s: it is nearly vertical and a simulation needs steps of about 1/spin. The numbers are "
     "right; such a "
     "motion is hardly meant."},
    {"VN-STEADY-021", "one motion is written as a state",
     "--write-state needs exactly one feasible family. Choose sides by --side BODY=below|above, or other angles."},
    {"VN-STEADY-022", "the signs of all solutions sum to zero",
     "Over all solutions of the bounded equations the signs of the Jacobian sum to zero. They do not, so some motions were not "
     "found: treat "
     "the list as incomplete and follow the branches."},
    {"VN-STEADY-023", "a carrier turns as fast as the motion",
     "Hung beside the axis of a turning carrier, bodies can only be steady at its rate. Give --rate the rate of the environment "
     "body."},
    {"VN-STEADY-024", "measured tilts are components along principal axes",
     "The imbalance is what the string's end is off the principal axis z. Write the body in its principal axes: three moments of "
     "inertia, no "
     "products."},

    // VN-STRING: strings
    {"VN-STRING-001", "a string holds at least one body",
     "Both ends are on the world or on environment bodies, whose motion is given: such a string could change nothing."},
    {"VN-STRING-002", "a string joins two different bodies",
     "Two points of one rigid body keep their distance, so that a string between them is always taut or always slack."},
    {"VN-STRING-010", "a taut string has a direction",
     "Its ends coincide. A string of positive length is slack there; where two points stay together, use a spherical joint or a "
     "contact of kind `frame`."},
    {"VN-STRING-011", "a string only pulls",
     "In the equilibrium that was found the string would have to push, so that the bodies do not rest there. Take the string "
     "out, or start the search where it hangs below what holds it."},
    {"VN-STRING-012", "a string that a state says is taut is at its length",
     "Its ends are nearer to each other than its length. Say `slack`, or leave the mode out: it is then found from the state."},

    // VN-STUDY: studies
    {"VN-STUDY-001", "a study varies something and collects something",
     "Name what varies under `over` (or by --over) and what to keep of each answer under `collect` (or by --collect)."},
    {"VN-STUDY-002", "a range of a study has values",
     "A grid has different ends and count 2 or more (one value is a list), a list has entries, a range its smaller end first, a "
     "normal distribution a positive deviation. Equal ratios (`scale: log`) need ends of one sign."},
    {"VN-STUDY-003", "random parameters are drawn a given number of times",
     "`samples: 1000` says how often parameters with `uniform`, `normal` or `sobol` are drawn; without such parameters it has no "
     "meaning. Sobol's sequence is tabulated for some dimensions only; Saltelli's design needs two for each parameter."},
    {"VN-STUDY-004", "every column of a study has a name of its own",
     "Parameters and collected values are columns of one table, beside point, status, code and message. Capital letters do not "
     "make a difference there. Collect a value under another name: NAME=PATH."},
    {"VN-STUDY-005", "refinement halves cells of a grid where a collected value changes",
     "`refine: {on: slips, levels: 3}` names a collected word, or with `at: 1` the contour of a collected number, and needs a "
     "parameter with from, to and count."},
    {"VN-STUDY-006", "a study has a bounded number of points",
     "The numbers of values multiply. Take fewer, or let `refine` find the boundary: it asks only where the answer changes."},
    {"VN-STUDY-007", "the values of a study are numbers with units of one kind",
     "Write FROM:TO:COUNT or a list on the command line; {from, to, count}, a list, or {uniform|normal|sobol: [.., ..]} in the "
     "file."},
    {"VN-STUDY-010", "a point ends within the time that --limit gives it",
     "The point is a failed row and the study goes on. `--resume --retry --limit SECONDS` asks failed points again with more "
     "time."},
    {"VN-STUDY-011", "a question has an answer or a reason",
     "The command ended without an answer and did not say why. Ask it again by itself, with the line that the study gives."},
    {"VN-STUDY-012", "a collected path leads to a value",
     "It goes through the JSON of the command, names joined by points: final.q.car.tx, verdicts.front.friction.margin, "
     "events.bottom.t. `vinculum COMMAND MODEL --json` shows what there is."},
    {"VN-STUDY-013", "a study asks a command about a model",
     "These can be asked: simulate, realize, variants, limit, steady, equilibrium, linearise, evaluate."},
    {"VN-STUDY-014", "the question of a study writes no files",
     "Options that write, resume or read a table of motions belong to a single command. A study keeps what `collect` names."},
    {"VN-STUDY-015", "the question is a good command line",
     "The options under `run`, or of --run, must be those of the command. Try it by itself first."},
    {"VN-STUDY-020", "a study has a folder of its own",
     "A new study is begun where there is none; --resume goes on with one, --force begins anew, --merge and --csv read those "
     "that "
     "are there."},
    {"VN-STUDY-021", "rows of a study can be written",
     "The disk is full, or the folder cannot be written, or another process writes the same study. Rows written before are safe; "
     "--resume goes on."},
    {"VN-STUDY-022", "a store is a study of this program",
     "The file is damaged, is not a study, or was written by another version."},
    {"VN-STUDY-023", "rows of one store belong to one study of one model",
     "The model, the parameters, the question or the collected values are not those the store was begun with. Take another "
     "folder, or begin anew with --force."},
    {"VN-STUDY-024", "rows of a store are as they were written",
     "Each row has a checksum. A row that does not fit its own was changed by a failing disk, a broken copy or by hand, and "
     "nothing is "
     "computed from it. Take the store from a copy, or run the study again with --force."},
    {"VN-STUDY-030", "ranks of a study find each other by MPI",
     "mpirun or srun started several processes, but this program was built where MPI was not installed, or its library "
     "libvinculum_ranks.so cannot be loaded. Without MPI, `--shard I/N` and `--merge` share a study among jobs."},
    {"VN-STUDY-050", "the points of a study fit into its page",
     "The page gives up digits, then points of a random study or the last quantities of a grid. Collect fewer quantities, or "
     "read the store itself."},
    {"VN-STUDY-051", "statistics and the page of a study are made of ten million points at most",
     "All points are held in memory for them. The store is whole; read it, or the table that --csv writes."},

    // VN-URDF: conversion of URDF
    {"VN-URDF-001", "the file is not XML",
     "The place is where the XML breaks: a tag that is not closed, an attribute without quotes, or no XML at all."},
    {"VN-URDF-002", "the outermost element is not <robot>",
     "SDF files begin with <sdf> and MuJoCo's with <mujoco>: convert them to URDF first."},
    {"VN-URDF-003", "the robot has no links", "Bodies are written as <link name=\"..\"> directly inside <robot>."},
    {"VN-URDF-004", "a link or joint has no name of its own",
     "Joints refer to links by name, so that every link and every joint needs one that no other has."},
    {"VN-URDF-005", "something required is missing",
     "A joint has a type, a parent and a child, an inertial a mass and an inertia, a shape its sizes. Nothing is assumed for "
     "them."},
    {"VN-URDF-006", "the type of a joint is unknown",
     "URDF knows revolute, continuous, prismatic, fixed, floating and planar. Other joints are written in the model file."},
    {"VN-URDF-007", "a joint refers to a link that does not exist", "Check the spelling of its parent and child."},
    {"VN-URDF-008", "a link is the child of two joints",
     "URDF describes trees. Leave one of the joints out and close the loop in the model by a contact `with: BODY`."},
    {"VN-URDF-009", "the robot has two roots",
     "Every link but one is the child of a joint. Connect the others, by a floating joint if they are free."},
    {"VN-URDF-010", "a link carries itself",
     "Following the parents from this link leads back to it. One of these joints has its parent and child swapped."},
    {"VN-URDF-011", "a value is not what it must be",
     "Values are finite numbers separated by blanks, xyz=\"0 0 0.5\", without units or arithmetic. Axes and quaternions are not "
     "zero."},
    {"VN-URDF-012", "the file contains macros", "It is a source of xacro: `xacro FILE.xacro > FILE.urdf` makes the URDF."},
    {"VN-URDF-100", "elements of a URDF were not taken over, and --strict was given",
     "Leave out --strict to accept the model as written."},
    {"VN-URDF-140", "links of a URDF have an inertia that no body can have",
     "Many published files do, by rounding or by guessed numbers. No model is written. Mend the links, or let --accept-inertia "
     "take "
     "them as they are: the model then says `accept_inertia: true` at each, and a warning names the nearest possible tensor."},
    {"VN-URDF-141", "a model made of a URDF must be readable",
     "What was made of it breaks a rule of model files, which the message tells. No model is written."},

    // VN-USAGE: the command line
    {"VN-USAGE-001", "the command line is wrong", "`vinculum COMMAND --help` shows the options with an example."},
    {"VN-USAGE-010", "--fail-on names verdicts",
     "Those are `violated`, `not-unique`, `impossible`, `not-checked` and `holds`; several stand with commas or in several "
     "--fail-on."},
    {"VN-USAGE-011", "standard input is one file", "Only one of MODEL and --state can be `-`. Put the other into a file."},
    {"VN-USAGE-012", "a port belongs to one program",
     "`studio` could not listen at this port of 127.0.0.1. --port N takes another one, --port 0 any that is free."},
    {"VN-USAGE-013", "a run in the studio ends within its time",
     "The page shows the run as far as it came. Ask for a shorter one, or start the studio with a larger --limit SECONDS."},
    {"VN-USAGE-014", "every option given is used",
     "An option that a command cannot use beside the others, or a start value that it does not use, is refused rather than "
     "ignored. "
     "The message says why; leave the option out."},
    {"VN-USAGE-015", "Ctrl-C and SIGTERM end every computation",
     "A computation that is interrupted ends in order where it can. If it does not within a second it is ended as it is: results "
     "written before are good, and a run or a study goes on with --resume from its last checkpoint."},

    // VN-VARIANT: loaded faces of guides
    {"VN-VARIANT-001", "the matrices of a bare problem fit together",
     "B1, B2, F1 and F2 have one row and one column for each pair of faces, d has one entry; all are finite numbers. B1 and B2 "
     "are "
     "whole columns, their friction parts F1 and F2 included."},
    {"VN-VARIANT-002", "pairs of faces are at most 62", "Leave out guides whose loaded faces are not in question."},
    {"VN-VARIANT-003", "without friction the determinants of all variants have one sign",
     "If not, faces are paired across each other: a face of one pair lies between those of another one. Pair each face with the "
     "one "
     "opposite to it. Nothing is computed, for the loaded faces would not even be unique without friction."},
    {"VN-VARIANT-004", "every pair takes away a motion of its own",
     "Pairs on one line of a body on three pads, or at one place of a slider, are dependent: their reactions do not follow from "
     "the "
     "loads. Move a pair or leave it out; a real support shares the load by its compliance."},
    {"VN-VARIANT-005", "without friction some variant carries the loads",
     "Check the normals: a pair pushes both ways, on face 1 one way and on face 2 the other."},
    {"VN-VARIANT-006", "the critical friction is computed for at most 14 pairs",
     "It needs an eigenvalue problem for each of the 2^m variants. The variants themselves are found all the same."},
    {"VN-VARIANT-007", "the scales of friction at which loaded faces change are found",
     "The iterations for these eigenvalues did not converge. Change a coefficient of friction slightly."},
    {"VN-VARIANT-010", "a pad's pressure is one of those known",
     "uniform, punch (a rigid flat foot), hertz (a round one), power:N for (1 - x^2)^N, cosine:N for cos^N(pi x/2), x = "
     "r/radius."},
    {"VN-VARIANT-011", "the exponent of a pad's pressure is in its range",
     "The force on the pad must be finite: a power from -1 (a thin ring) on, a cosine above -1; and at most 1000."},
    {"VN-VARIANT-012", "the ratios of a pad are not negative",
     "beta = V/(|Omega| radius) is 0 for a pad that only spins; the gyration J/(m R^2) of a disc is positive, 0.5 if it is "
     "uniform."},
    {"VN-VARIANT-020", "a limit load is found for at most 10 pairs of faces",
     "Each of the 2^m variants is a convex problem of its own. Leave out guides that do not matter for the question."},
    {"VN-VARIANT-021", "the load of a limit moves something",
     "At this state all generalised forces of the named force are zero. Name one that acts on the guided bodies, or move the "
     "state."},
    {"VN-VARIANT-022", "the linear programs of a limit load are solved",
     "Numbers of very different size make them unsolvable. Check the units of loads, points, friction and radii."},
    {"VN-VARIANT-023", "a slip that begins has accelerations that agree with its friction",
     "Friction is against the acceleration itself, and no variant of the faces was found for which both agree. Test rest first; "
     "give "
     "faces a pad of some radius: a point may stay stuck while others slide."},
    {"VN-VARIANT-024", "a limit load is asked of a model at rest",
     "A given motion or a moving environment body carries the model along at this state. Choose a time at which it stands "
     "still."},
    {"VN-VARIANT-025", "a limit load is a force of the model",
     "--load names one of `forces`; --polar turns a force on a body. Outputs and events must not need it."},
    {"VN-VARIANT-026", "`variants` and `limit` are asked of a model with guides",
     "Give the model `guides`, with pairs of faces."},
    {"VN-VARIANT-040", "the determinants of variants are finite",
     "Entries of very different sizes make them overflow. Scale the equations; check the units of points, masses and inertia."},
};

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kCatalogue; }

const CatalogueEntry* find_in_catalogue(std::string_view code) {
  const auto entry = std::lower_bound(std::begin(kCatalogue), std::end(kCatalogue), code,
                                      [](const CatalogueEntry& e, std::string_view c) { return e.code < c; });
  return entry != std::end(kCatalogue) && entry->code == code ? entry : nullptr;
}

}  // namespace vinculum
