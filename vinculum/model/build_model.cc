// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/functions.h"
#include "vinculum/expression/period.h"
#include "vinculum/model/change_start.h"
#include "vinculum/model/check_bodies.h"
#include "vinculum/model/compile_forces.h"
#include "vinculum/model/compile_tree.h"
#include "vinculum/model/inputs.h"
#include "vinculum/model/list_rows.h"
#include "vinculum/model/model.h"
#include "vinculum/model/names.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

// A name may mean one thing only: bodies, environment bodies, parameters and coordinates meet in expressions and references.
// Elements of one space of names: who comes second with a name is reported where the first one is.
class NameSpace {
 public:
  explicit NameSpace(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  template <class Elements>
  NameSpace& add(std::string_view kind, const Elements& elements) {
    for (const auto& element : elements) {
      const auto [entry, is_new] = taken_.emplace(element.name, std::pair(kind, element.place.line));
      if (is_new) continue;
      const auto& [other, line] = entry->second;
      diagnostics_.error("VN-MODEL-106", element.place, fmt::format("{} '{}'", kind, element.name),
                         line > 0 ? fmt::format("there is already a {} of this name in line {}", other, line)
                                  : fmt::format("there is already a {} of this name", other),
                         "give one of them another name");
    }
    return *this;
  }

 private:
  Diagnostics& diagnostics_;
  std::map<std::string_view, std::pair<std::string_view, int>> taken_;
};

void check_names_differ(const Model& model, const ModelDescription& words, Diagnostics& diagnostics) {
  NameSpace(diagnostics).add("body", words.bodies);
  NameSpace(diagnostics).add("environment body", words.environment);
  NameSpace(diagnostics).add("event", words.events);
  // Constraints, modes and verdicts are called by the names of their elements.
  NameSpace(diagnostics)
      .add("contact", words.contacts)
      .add("velocity constraint", words.velocity_constraints)
      .add("string", words.strings)
      .add("guide", words.guides);
  for (const auto& body : words.environment) {
    if (!model.find_body(body.name)) continue;
    diagnostics.error("VN-MODEL-003", body.place, fmt::format("environment body '{}'", body.name),
                      "there is already a body of this name", "give one of them another name");
  }
  for (const auto& parameter : words.parameters) {
    if (!model.find_coordinate(parameter.name) && !model.find_velocity(parameter.name)) continue;
    diagnostics.error("VN-MODEL-004", {}, fmt::format("parameter '{}'", parameter.name),
                      "a coordinate has the same name, so a law could mean either", "rename the parameter or the body");
  }
}

// Has it second derivatives without a jump: splines have, beside all that is analytic.
bool is_smooth(const Expression& law) {
  return std::ranges::all_of(law.kinks(), [&](int kink) {
    const Step& step = law.steps()[kink];
    return step.operation == Operation::table && step.table->values.smoothness >= 2;
  });
}

}  // namespace

// Makes a Model out of its words, part by part.
class ModelBuilder {
 public:
  ModelBuilder(ModelDescription words, Diagnostics& diagnostics) : words_(std::move(words)), diagnostics_(diagnostics) {}

  std::optional<Model> build() {
    if (words_.bodies.empty()) {
      diagnostics_.error("VN-MODEL-005", {}, "", "the model has no bodies", "add at least one under `bodies:`");
      return std::nullopt;
    }
    const std::vector<int> order = order_bodies(words_.bodies, diagnostics_);
    check_bodies(words_.bodies, diagnostics_);
    if (diagnostics_.has_errors()) return std::nullopt;

    name_bodies(order);
    name_joints();
    check_names_differ(model_, words_, diagnostics_);
    find_driven_coordinates();
    check_joint_friction();
    compile_links();
    differentiate_environment();
    model_.forces_ = compile_forces(model_, words_, names(), diagnostics_);
    add_extra_states();
    sort_laws();
    check_references();
    if (!diagnostics_.has_errors()) compile_rows();
    if (!diagnostics_.has_errors()) model_.outputs_ = compile_outputs(model_, words_, diagnostics_);
    set_start(model_, words_, diagnostics_);
    if (diagnostics_.has_errors()) return std::nullopt;
    begin_forces(model_.forces_, model_.initial_);
    model_.description_ = std::move(words_);
    model_.scales_ = find_scales(model_, model_.initial_);
    return std::move(model_);
  }

  static void change_start(Model& model, std::vector<InitialValue> initial, Diagnostics& diagnostics) {
    model.description_.initial = std::move(initial);
    set_start(model, model.description_, diagnostics);
    begin_forces(model.forces_, model.initial_);
    model.scales_ = find_scales(model, model.initial_);
  }

 private:
  Names names() const { return Names(model_, words_, diagnostics_); }

  void name_bodies(const std::vector<int>& order);
  void name_joints();
  void find_driven_coordinates();
  void check_joint_friction();
  void compile_links();
  void differentiate_environment();
  void add_extra_states();
  int add_extra_state(const std::string& name, ExtraState::Kind kind, std::optional<Dimension> dimension, Expression rate);
  bool is_free_name(const std::string& name, Place place, const std::string& element);
  void add_inputs();
  void add_samples();
  void sort_laws();
  void check_references();
  void check_pair(const GuidePair& pair, const std::string& element);
  void compile_rows();
  void check_smooth(const Expression& law, Place place, const std::string& element, const std::string& what);
  void check_smooth(const EnvironmentDescription& carrier, const std::string& element);
  static void set_start(Model& model, const ModelDescription& words, Diagnostics& diagnostics);

  ModelDescription words_;
  Diagnostics& diagnostics_;
  Model model_;
  std::set<std::string> split_;  // bodies with a free joint of which a translation is driven
};

void ModelBuilder::name_bodies(const std::vector<int>& order) {
  std::vector<BodyDescription> ordered;
  ordered.reserve(order.size());
  for (int index : order) ordered.push_back(std::move(words_.bodies[index]));
  words_.bodies = std::move(ordered);

  for (const BodyDescription& words : words_.bodies) {
    Body body;
    body.name = words.name;
    body.parent = *words.parent == "world" ? kWorld : model_.body_index_.at(*words.parent);
    body.mass = *words.mass;
    body.p_BoBcm_B = *words.com;
    body.I_Bcm_B = *words.inertia;
    model_.body_index_.emplace(body.name, static_cast<int>(model_.bodies_.size()));
    model_.bodies_.push_back(std::move(body));
    const JointNames names = name_joint(words.name, words.joint);
    for (const std::string& name : names.coordinates) {
      model_.coordinate_index_.emplace(name, static_cast<int>(model_.coordinate_names_.size()));
      model_.coordinate_names_.push_back(name);
    }
    for (const std::string& name : names.velocities) {
      model_.velocity_index_.emplace(name, static_cast<int>(model_.velocity_names_.size()));
      model_.velocity_names_.push_back(name);
    }
  }
}

// A joint with a name of its own: its coordinates are found by that name, too.
void ModelBuilder::name_joints() {
  for (const BodyDescription& words : words_.bodies) {
    const std::string& joint = *words.joint.name;
    if (joint.empty()) continue;
    const JointNames own = name_joint(words.name, words.joint), other = name_joint(joint, words.joint);
    bool means_one_thing = true;
    const auto add = [&](const std::string& name, const std::string& means, auto& index, const auto& rest) {
      const int number = index.at(means);
      const int found = index.emplace(name, number).first->second;
      means_one_thing = means_one_thing && found == number && !rest.contains(name);
    };
    for (size_t i = 0; i < own.coordinates.size(); ++i)
      add(other.coordinates[i], own.coordinates[i], model_.coordinate_index_, model_.velocity_index_);
    for (size_t i = 0; i < own.velocities.size(); ++i)
      add(other.velocities[i], own.velocities[i], model_.velocity_index_, model_.coordinate_index_);
    if (means_one_thing) continue;
    diagnostics_.error("VN-MODEL-116", words.joint.name.place, fmt::format("body '{}'", words.name),
                       fmt::format("the joint's name '{}' is that of another coordinate or joint already", joint),
                       "give one of them another name");
  }
}

void ModelBuilder::find_driven_coordinates() {
  std::map<int, const MotionDescription*> driven_by;
  for (size_t i = 0; i < words_.motions.size(); ++i) {
    const MotionDescription& motion = words_.motions[i];
    const std::string element = fmt::format("motion of '{}'", motion.coordinate);
    const auto q = model_.find_coordinate(motion.coordinate);
    const auto v = model_.find_velocity(motion.coordinate + "'");
    if (!q) {
      diagnostics_.error("VN-MODEL-032", motion.place, element, "there is no such coordinate",
                         did_you_mean(motion.coordinate, model_.coordinate_names(), "`vinculum check` lists the coordinates"));
      continue;
    }
    if (!v) {
      diagnostics_.error("VN-MODEL-033", motion.place, element, "a component of a quaternion cannot be driven alone",
                         "use a joint with `axes: [rz, ..]`, whose angles can be driven");
      continue;
    }
    if (!driven_by.emplace(*q, &motion).second) {
      diagnostics_.error("VN-MODEL-034", motion.place, element, "this coordinate is driven already", "keep one of the two laws");
      continue;
    }
    DrivenCoordinate driven;
    driven.motion = static_cast<int>(i);
    driven.q = *q;
    driven.v = *v;
    driven.law = motion.law;
    driven.rate = differentiate_by_time(driven.law);
    driven.acceleration = differentiate_by_time(driven.rate);
    model_.driven_.push_back(std::move(driven));
    for (const char* axis : {".tx", ".ty", ".tz"}) {
      const size_t length = motion.coordinate.size() - std::min<size_t>(3, motion.coordinate.size());
      if (motion.coordinate.ends_with(axis)) split_.insert(motion.coordinate.substr(0, length));
    }
  }
}

// Where a motion is given, friction would only add to the force of its drive, and at rest share it in an unknown way.
void ModelBuilder::check_joint_friction() {
  for (size_t i = 0; i < words_.bodies.size(); ++i) {
    const auto& friction = words_.bodies[i].joint.friction;
    if (!friction) continue;
    const std::string& name = words_.bodies[i].name;
    const std::string element = fmt::format("joint of body '{}'", name);
    const auto v = model_.find_velocity(name + "'");
    if (std::ranges::any_of(model_.driven_, [&](const DrivenCoordinate& driven) { return driven.v == v; }))
      diagnostics_.error("VN-MODEL-118", friction->place, element, "it has friction and a given motion",
                         "drive it by a force under `forces`, or leave the friction out");
    const auto has_name = [&](const auto& elements) {
      return std::ranges::any_of(elements, [&](const auto& other) { return other.name == name; });
    };
    if (has_name(words_.contacts) || has_name(words_.velocity_constraints))
      diagnostics_.error("VN-MODEL-106", friction->place, element,
                         fmt::format("its slip would be called like that of the {} '{}'",
                                     has_name(words_.contacts) ? "contact" : "velocity constraint", name),
                         "give one of them another name");
  }
}

void ModelBuilder::compile_links() {
  model_.tree_ = compile_tree(words_.bodies, words_.gravity, split_, model_.bodies_);
  for (DrivenCoordinate& driven : model_.driven_) {
    for (size_t i = 0; i < model_.tree_.links.size(); ++i) {
      Link& link = model_.tree_.links[i];
      if (velocity_count(link.kind) != 1 || link.v != driven.v) continue;
      driven.link = static_cast<int>(i);
      link.driven = true;
    }
  }
}

void ModelBuilder::differentiate_environment() {
  for (const EnvironmentDescription& words : words_.environment) {
    EnvironmentBody body;
    body.name = words.name;
    body.surface = words.surface;
    body.rotation = words.rotation;
    for (int k = 0; k < 3; ++k) {
      body.position[k] = words.position[k];
      body.velocity[k] = differentiate_by_time(body.position[k]);
      body.acceleration[k] = differentiate_by_time(body.velocity[k]);
    }
    for (const Turn& turn : words.turns) {
      if (!check_axis(turn.axis, fmt::format("environment body '{}'", words.name), diagnostics_)) continue;
      const Expression rate = differentiate_by_time(turn.angle);
      body.turns.push_back({(1 / norm(*turn.axis)) * *turn.axis, turn.angle, rate, differentiate_by_time(rate)});
    }
    model_.environment_.push_back(std::move(body));
  }
}

// Coordinates that move no body, after all others: states, inputs, what sampled controllers hold.
void ModelBuilder::add_extra_states() {
  for (const ExtraStateDescription& words : words_.states) {
    if (model_.find_coordinate(words.name) || model_.find_velocity(words.name)) {
      diagnostics_.error("VN-MODEL-154", words.place, fmt::format("state '{}'", words.name),
                         "a coordinate or velocity has this name already", "give the state another name");
      continue;
    }
    const auto dimension = words.dimension ? std::optional(*words.dimension * kTime) : std::nullopt;
    add_extra_state(words.name, ExtraState::Kind::state, dimension, words.rate);
  }
  add_inputs();
  add_samples();
}

int ModelBuilder::add_extra_state(const std::string& name, ExtraState::Kind kind, std::optional<Dimension> dimension,
                                  Expression rate) {
  const int q = model_.tree_.coordinates++;
  model_.coordinate_index_.emplace(name, q);
  model_.coordinate_names_.push_back(name);
  model_.extra_states_.push_back({name, q, std::move(rate), kind, dimension, dimension ? to_text(*dimension) : ""});
  return q;
}

// Formulas, --set, state files and programs know an input or a held value by its name alone, so that it means one thing.
bool ModelBuilder::is_free_name(const std::string& name, Place place, const std::string& element) {
  const auto names_it = [&](const auto& elements) {
    return std::ranges::any_of(elements, [&](const auto& each) { return each.name == name; });
  };
  std::string_view taken_by;
  if (model_.find_coordinate(name) || model_.find_velocity(name)) taken_by = "a coordinate";
  if (model_.find_body(name)) taken_by = "a body";
  if (names_it(words_.environment)) taken_by = "an environment body";
  if (names_it(words_.parameters)) taken_by = "a parameter";
  if (names_it(words_.states)) taken_by = "a state";
  if (names_it(words_.tables)) taken_by = "a table";
  if (names_it(words_.strings)) taken_by = "a string";
  if (names_it(words_.velocity_constraints)) taken_by = "a velocity constraint";
  if (model_.find_input(name)) taken_by = "an input";
  for (const ExtraState& known : model_.extra_states_) {
    if (known.kind == ExtraState::Kind::sampled && known.name == name) taken_by = "a sampled value";
  }
  if (taken_by.empty()) return true;
  diagnostics_.error("VN-INPUT-003", place, element, fmt::format("the name '{}' is that of {} already", name, taken_by),
                     "give one of them another name");
  return false;
}

void ModelBuilder::add_inputs() {
  for (const InputDescription& words : words_.inputs) {
    const std::string element = fmt::format("input '{}'", words.name);
    if (!is_free_name(words.name, words.place, element)) continue;
    const int q = add_extra_state(words.name, ExtraState::Kind::input, words.dimension, {});
    std::string& unit = model_.extra_states_.back().unit;
    if (!words.unit.empty()) unit = words.unit;
    model_.inputs_.push_back({words.name, unit, q, -1, words.initial, words.range});
    if (words.range && !((*words.range)[0] <= (*words.range)[1])) {
      diagnostics_.error("VN-INPUT-002", words.place, element,
                         fmt::format("no value lies in its range, {:.9g} to {:.9g}", (*words.range)[0], (*words.range)[1]),
                         "write the smaller number first: range: [-20, 20]");
      model_.inputs_.back().range.reset();  // so that its value is not told as well
    }
    if (!words.linear) continue;
    const auto dimension = words.dimension ? std::optional(*words.dimension / kTime) : std::nullopt;
    const std::string slope = words.name + "'";
    const int rate_q = add_extra_state(slope, ExtraState::Kind::slope, dimension, {});
    model_.inputs_.back().rate_q = rate_q;
    Expression::Builder builder;
    model_.extra_states_[model_.extra_states_.size() - 2].rate =
        builder.build(builder.variable({VariableKind::coordinate, rate_q}, slope));
  }
}

void ModelBuilder::add_samples() {
  for (const SampleDescription& words : words_.samples) {
    SampledLaw law{words.name, words.every, words.offset, {}};
    for (const auto* values : {&words.memory, &words.hold}) {
      for (const SampleDescription::Value& value : *values) {
        if (!is_free_name(value.name, value.place, fmt::format("sample '{}'", words.name))) continue;
        law.entries.push_back({add_extra_state(value.name, ExtraState::Kind::sampled, value.dimension, {}), value.formula});
      }
    }
    for (const InitialValue& value : words.initial) {
      const auto is_it = [&](const SampleDescription::Value& known) { return known.name == value.name; };
      if (std::ranges::any_of(words.memory, is_it) || std::ranges::any_of(words.hold, is_it)) continue;
      std::vector<std::string> known;
      for (const auto* values : {&words.memory, &words.hold})
        for (const SampleDescription::Value& each : *values) known.push_back(each.name);
      diagnostics_.error("VN-INPUT-006", value.place, fmt::format("sample '{}'", words.name),
                         fmt::format("initial: '{}' is neither in its memory nor held by it", value.name),
                         did_you_mean(value.name, known, "other start values stand in the section `initial`"));
    }
    model_.sampled_laws_.push_back(std::move(law));
  }
}

// What the recursions need of the laws: constant ones summed up, and room for the steps of the longest.
void ModelBuilder::sort_laws() {
  sort_velocity_forces(model_.forces_, model_.tree_.velocities, model_.constant_forces_, model_.varying_forces_);

  const auto consider = [&](const Expression& law) {
    // On a branch (branch.h) a table is a cubic, which has more steps: whoever evaluates it has room for it.
    constexpr std::size_t kStepsOfBranch = 16;
    const auto longest = static_cast<int>(law.steps().size() + kStepsOfBranch * law.kinks().size());
    model_.longest_expression_ = std::max(model_.longest_expression_, longest);
  };
  model_.forces_.for_each([&](const auto& law) {
    law.visit_formulas(law, [&](const Expression& formula, const OwnVariables*) { consider(formula); });
  });
  for (const DrivenCoordinate& driven : model_.driven_)
    consider(driven.law), consider(driven.rate), consider(driven.acceleration);
  for (const ExtraState& state : model_.extra_states_) consider(state.rate);
  for (const SampledLaw& law : model_.sampled_laws_)
    for (const SampledLaw::Entry& entry : law.entries) consider(entry.formula);
  for (const EnvironmentBody& body : model_.environment_) {
    for (int i = 0; i < 3; ++i) consider(body.position[i]), consider(body.velocity[i]), consider(body.acceleration[i]);
    for (const EnvironmentBody::TurnLaw& turn : body.turns)
      consider(turn.angle), consider(turn.rate), consider(turn.acceleration);
  }
}

// What moves a contact must have velocities and accelerations everywhere, a surface normals, a constraint a rate: no abs, no if.
void ModelBuilder::check_smooth(const Expression& law, Place place, const std::string& element, const std::string& what) {
  if (is_smooth(law)) return;
  if (kink_name(law) == "table") {
    const auto is_curved = [](const auto& table) {
      return std::ranges::any_of(table->values.pieces,
                                 [](const auto& piece) { return std::abs(piece.c[2]) > 0 || std::abs(piece.c[3]) > 0; });
    };
    const bool is_spline = std::ranges::all_of(law.tables(), is_curved);
    diagnostics_.error("VN-CONTACT-020", place, element,
                       is_spline
                           ? fmt::format("{} \"{}\" continues straight beyond the points of its table, where its curvature jumps",
                                         what, to_text(law))
                           : fmt::format("{} \"{}\" is made of straight lines, which have corners", what, to_text(law)),
                       is_spline ? "say `outside: refuse` in the table, or nothing, and give points as far as it is used"
                                 : "say `kind: spline` in the table, and `outside: refuse` or none");
    return;
  }
  diagnostics_.error(
      "VN-CONTACT-020", place, element,
      fmt::format("{} \"{}\" contains {}, which cannot be differentiated everywhere", what, to_text(law), kink_name(law)),
      fmt::format("write it without {}, for example sqrt(x^2 + 1e-6) for abs(x)", kink_name(law)));
}

void ModelBuilder::check_smooth(const EnvironmentDescription& carrier, const std::string& element) {
  const std::string of = fmt::format(" of environment body '{}'", carrier.name);
  for (const Expression& law : carrier.position) check_smooth(law, carrier.place, element, "the position" + of);
  for (const Turn& turn : carrier.turns) check_smooth(turn.angle, carrier.place, element, "the rotation" + of);
  if (carrier.surface) check_smooth(*carrier.surface, carrier.place, element, "the surface" + of);
}

// References of the elements whose equations live elsewhere.
void ModelBuilder::check_references() {
  for (const ContactDescription& contact : words_.contacts) {
    const std::string element = fmt::format("contact '{}'", contact.name);
    names().body(contact.body, element);
    const auto with = names().anchor(contact.with, {}, element);
    if (with && with->on == Anchor::On::environment) check_smooth(words_.environment[with->index], element);
    if (const auto* path = find_path(contact.geometry)) {
      for (const Expression& law : *path) check_smooth(law, contact.place, element, "its path");
    }
    if (*contact.body == *contact.with) {
      diagnostics_.error("VN-MODEL-036", contact.with.place, element, "a body cannot touch itself",
                         "name another body under `with`");
    }
  }
  for (const VelocityConstraintDescription& constraint : words_.velocity_constraints) {
    const std::string element = fmt::format("velocity constraint '{}'", constraint.name);
    for (const Expression& slip : constraint.slips) {
      check_smooth(slip, constraint.place, element, "the equation");
      for (const ExtraState& state : model_.extra_states_) {
        if (!slip.depends_on(Variable{VariableKind::coordinate, state.q})) continue;
        if (state.is_held()) {
          const char* const what = state.kind == ExtraState::Kind::sampled ? "the sampled value"
                                   : state.kind == ExtraState::Kind::slope ? "the slope"
                                                                           : "the input";
          diagnostics_.error(
              "VN-INPUT-004", constraint.place, element,
              fmt::format("it depends on {} '{}', which may jump, and velocities would jump with it", what, state.name),
              "let a force follow it instead, for example law: \"k*(u - arm) - c*arm'\"");
          continue;
        }
        diagnostics_.error("VN-MODEL-155", constraint.place, element, fmt::format("it depends on the state '{}'", state.name),
                           "a velocity constraint may depend on t and on coordinates of bodies");
      }
    }
  }
  for (const StringDescription& string : words_.strings) {
    const std::string element = fmt::format("string '{}'", string.name);
    const auto from = names().anchor(string.from, {}, element), to = names().anchor(string.to, {}, element);
    if (!from || !to) continue;
    for (const Anchor& end : {*from, *to}) {
      if (end.on == Anchor::On::environment) check_smooth(words_.environment[end.index], element);
    }
    if (from->on != Anchor::On::body && to->on != Anchor::On::body) {
      diagnostics_.error("VN-STRING-001", string.to.place, element, "neither end is on a body, so that it holds nothing",
                         "name one of `bodies` under `from` or `to`");
    } else if (*string.from == *string.to) {
      diagnostics_.error("VN-STRING-002", string.to.place, element,
                         fmt::format("both ends are on body '{}', whose points keep their distance anyway", *string.to),
                         "name another body, an environment body or `world` under `from` or `to`");
    }
  }
  for (const GuideDescription& guide : words_.guides) {
    const std::string element = fmt::format("guide '{}'", guide.name);
    names().body(guide.body, element);
    const auto with = names().anchor(guide.with, {}, element);
    if (with && with->on == Anchor::On::environment) check_smooth(words_.environment[with->index], element);
    if (*guide.body == *guide.with)
      diagnostics_.error("VN-MODEL-122", guide.with.place, element, "a body cannot guide itself",
                         "name another body under `with`");
    for (size_t i = 0; i < guide.pairs.size(); ++i)
      check_pair(guide.pairs[i], fmt::format("pair {} of guide '{}'", i + 1, guide.name));
  }
}

// The two faces push against each other.                                                                theory 5, section 11
void ModelBuilder::check_pair(const GuidePair& pair, const std::string& element) {
  const bool sound = check_axis(pair.face1.normal, element + ", normal of face1", diagnostics_) &&
                     check_axis(pair.face2.normal, element + ", normal of face2", diagnostics_);
  if (!sound) return;
  for (const FaceDescription* face : {&pair.face1, &pair.face2}) {
    const double length = norm(*face->normal);
    if (std::abs(length - 1) <= 1e-9) continue;
    diagnostics_.warning("VN-MODEL-121", face->normal.place, element,
                         fmt::format("the normal has length {:g}; it is brought to length 1", length),
                         "a normal is a direction: give it with length 1");
  }
  const double cosine = dot(*pair.face1.normal, *pair.face2.normal) / (norm(*pair.face1.normal) * norm(*pair.face2.normal));
  if (cosine > 0)
    diagnostics_.error("VN-MODEL-120", pair.face2.normal.place, element,
                       fmt::format("its normals are not opposed: the angle between them is {:.4g} deg",
                                   std::acos(std::min(cosine, 1.0)) * 57.29577951308232),
                       "face1 and face2 push into the body from opposite sides: the normal of one is minus that of the other");
}

// What the constraints come from is compiled here, once; list_rows.h names the constraints.
void ModelBuilder::compile_rows() {
  for (const ContactDescription& words : words_.contacts) model_.contacts_.push_back(compile_contact(model_, words));
  for (size_t i = 0; i < words_.velocity_constraints.size(); ++i) {
    for (const Expression& slip : words_.velocity_constraints[i].slips)
      model_.velocity_equations_.push_back(compile_equation(static_cast<int>(i), slip));
  }
  for (size_t i = 0; i < words_.bodies.size(); ++i) {
    if (!words_.bodies[i].joint.friction) continue;
    const int v = model_.bodies_[i].v;
    model_.velocity_equations_.push_back(hold_joint(static_cast<int>(i), v, model_.velocity_names_[v]));
  }
  for (const BodyDescription& body : words_.bodies) {
    for (const LimitDescription& words : body.joint.limits) {
      const auto q = model_.find_coordinate(words.coordinate), v = model_.find_velocity(words.coordinate + "'");
      if (!q || !v) continue;  // the reader has said so
      JointLimit limit;
      limit.name = words.coordinate;
      limit.coordinate = *q;
      limit.velocity = *v;
      if (words.position) limit.lower = (*words.position)[0], limit.upper = (*words.position)[1];
      limit.speed = words.velocity;
      limit.effort = words.effort;
      limit.restitution = words.restitution;
      model_.joint_limits_.push_back(std::move(limit));
    }
  }
  for (const StringDescription& words : words_.strings) {
    const std::string element = fmt::format("string '{}'", words.name);
    model_.strings_.push_back({words.name, *names().anchor(words.from, words.at, element),
                               *names().anchor(words.to, words.on, element), *words.length, words.restitution});
  }
  for (size_t i = 0; i < words_.guides.size(); ++i) {
    const GuideDescription& guide = words_.guides[i];
    const std::string element = fmt::format("guide '{}'", guide.name);
    for (size_t k = 0; k < guide.pairs.size(); ++k)
      model_.face_pairs_.push_back(compile_pair(guide, static_cast<int>(i), static_cast<int>(k),
                                                *names().body(guide.body, element), *names().anchor(guide.with, {}, element)));
  }
  RowList list = list_rows(model_, words_);
  for (size_t i = 0; i < model_.face_pairs_.size(); ++i) {
    model_.face_pairs_[i].mode = list.modes_of_pairs[i];
    model_.face_pairs_[i].slide_mode = list.modes_of_slides[i];
  }
  for (size_t i = 0; i < list.modes_of_contacts.size(); ++i) model_.contacts_[i].mode = list.modes_of_contacts[i];
  model_.rows_ = std::move(list.rows);
  model_.modes_ = std::move(list.modes);
  model_.one_sided_ = std::move(list.one_sided);
  model_.grips_ = std::move(list.grips);
  model_.memories_ = std::move(list.memories);
}

// The start: zero, what is driven by its law, and what the file says.
void ModelBuilder::set_start(Model& model, const ModelDescription& words, Diagnostics& diagnostics) {
  State& start = model.initial_;
  start.q.assign(model.tree_.coordinates, 0);
  start.v.assign(model.tree_.velocities, 0);
  start.modes = model.usual_modes();
  for (const Link& link : model.tree_.links) {
    if (const int first = quaternion_index(link); first >= 0) start.q[first] = 1;
  }
  for (const DrivenCoordinate& driven : model.driven_) {
    start.q[driven.q] = evaluate(driven.law, {});
    start.v[driven.v] = evaluate(driven.rate, {});
    if (std::isfinite(start.q[driven.q]) && std::isfinite(start.v[driven.v])) continue;
    diagnostics.error("VN-MODEL-037", words.motions[driven.motion].place,
                      fmt::format("motion of '{}'", words.motions[driven.motion].coordinate),
                      "the law has no value or no rate at t = 0", "check divisions, roots and logarithms at t = 0");
  }
  for (const InputDescription& input : words.inputs) {
    if (const auto known = model.find_input(input.name)) start.q[model.inputs_[*known].q] = input.initial;
  }
  for (const SampleDescription& sample : words.samples) {
    for (const InitialValue& value : sample.initial) {
      if (const auto q = model.find_coordinate(value.name)) start.q[*q] = value.value;
    }
  }
  for (const InitialValue& value : words.initial) {
    if (const auto q = model.find_coordinate(value.name)) {
      start.q[*q] = value.value;
    } else if (const auto v = model.find_velocity(value.name)) {
      start.v[*v] = value.value;
    } else {
      auto known = model.coordinate_names();
      known.insert(known.end(), model.velocity_names().begin(), model.velocity_names().end());
      diagnostics.error("VN-MODEL-038", value.place, fmt::format("initial value of '{}'", value.name),
                        "there is no such coordinate or velocity",
                        did_you_mean(value.name, known, "`vinculum check` lists the coordinates and velocities"));
    }
  }
  for (Input& input : model.inputs_) {
    input.initial = start.q[input.q];
    const auto given = std::ranges::find(words.initial, input.name, &InitialValue::name);
    const auto declared = std::ranges::find(words.inputs, input.name, &InputDescription::name);
    check_input_value(input, input.initial, given == words.initial.end() ? declared->place : given->place, diagnostics);
  }
  normalize_quaternions(model, start, diagnostics);
}

std::optional<Model> build_model(ModelDescription description, Diagnostics& diagnostics) {
  return ModelBuilder(std::move(description), diagnostics).build();
}

void change_start(Model& model, std::vector<InitialValue> initial, Diagnostics& diagnostics) {
  ModelBuilder::change_start(model, std::move(initial), diagnostics);
}

}  // namespace vinculum
