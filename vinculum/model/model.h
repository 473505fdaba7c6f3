// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vinculum/model/anchor.h"
#include "vinculum/model/contact.h"
#include "vinculum/model/description.h"
#include "vinculum/model/force_law.h"
#include "vinculum/model/guide.h"
#include "vinculum/model/joint_limit.h"
#include "vinculum/model/output.h"
#include "vinculum/model/row.h"
#include "vinculum/model/scales.h"
#include "vinculum/model/string_element.h"
#include "vinculum/model/tree.h"
#include "vinculum/model/velocity_equation.h"

namespace vinculum {

// A body of the model: the user's data, and where it stands in q, v and the recursion.
struct Body {
  std::string name;
  int parent = kWorld;
  int link = 0;  // its link; the massless links of its joint come just before
  int first_link = 0;
  int q = 0, q_count = 0;
  int v = 0, v_count = 0;
  double mass = 0;
  Vector3 p_BoBcm_B;
  Symmetric3 I_Bcm_B;         // about the mass centre
  Matrix3 R_LB = kIdentity3;  // body axes in the link's
};

// Complete: it determines the motion to come. (Only a checkpoint continues to the bit: it also has the integrator.)
struct State {
  double t = 0;
  std::vector<double> q;
  std::vector<double> v;
  std::vector<int> modes{};      // one for each of Model::modes(); empty: all as usual
  std::vector<double> memory{};  // laid out by Model::memories(); empty: nothing has happened yet
};

// A driven coordinate: q_i = law(t), with its exact derivatives.
struct DrivenCoordinate {
  int motion = 0;  // index into description().motions
  int q = 0, v = 0;
  int link = 0;
  Expression law, rate, acceleration;
};

// A coordinate without a velocity, given by the law of its rate. Inputs and the values of a sampled controller are such, too.
// Their rate is 0 (of an input with `hold: linear` its slope), and they are set from outside the equations of motion.
struct ExtraState {
  enum class Kind : std::uint8_t { state, input, slope, sampled };
  std::string name;
  int q = 0;
  Expression rate;  // of t, q and v
  Kind kind = Kind::state;
  std::optional<Dimension> dimension{};  // of its value; none where bare numbers leave it open
  std::string unit{};                    // as it is written: "N*m"; "" where it is open

  bool is_held() const { return kind != Kind::state; }  // between the instants at which it is set, a number
};

// Set from outside. Its slope is the coordinate NAME' (no coordinate of a body ends in a prime).
struct Input {
  std::string name, unit;                        // "" where the model leaves it open
  int q = 0;                                     // where it stands in State::q
  int rate_q = -1;                               // hold: linear; the coordinate that holds its slope
  double initial = 0;                            // at the start of the model: as declared, or as `initial` and --set say
  std::optional<std::array<double, 2>> range{};  // a value outside is refused, never clamped (inputs.h)
};

// At t = offset + k every, k = 0, 1, .., all formulas are evaluated with the values from before; then each is held in its place.
// Of laws that are due at the same time each sees what those before it have set.
struct SampledLaw {
  struct Entry {
    int q = 0;
    Expression formula;  // of t, q and v
  };
  std::string name;
  double every = 0, offset = 0;  // [s]
  std::vector<Entry> entries;    // `memory`, then `hold`, as in the file
};

// An environment body with the exact derivatives of its laws.
struct EnvironmentBody {
  std::string name;
  std::optional<Expression> surface;
  std::array<Expression, 3> position, velocity, acceleration;  // world
  Matrix3 rotation = kIdentity3;
  struct TurnLaw {
    Vector3 unit_axis;
    Expression angle, rate, acceleration;
  };
  std::vector<TurnLaw> turns;
};

// A mechanism, checked and compiled: built once, then constant and shared between threads.
class Model {
 public:
  const std::string& name() const { return description_.name; }
  const Vector3& gravity() const { return tree_.gravity; }

  const std::vector<Body>& bodies() const { return bodies_; }
  std::optional<int> find_body(std::string_view name) const;  // kWorld for "world"
  int link_of(int body) const { return body == kWorld ? kGround : bodies_[body].link; }

  const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  const std::vector<std::string>& velocity_names() const { return velocity_names_; }
  std::optional<int> find_coordinate(std::string_view name) const;
  std::optional<int> find_velocity(std::string_view name) const;

  const Tree& tree() const { return tree_; }
  const ForceLaws& forces() const { return forces_; }
  // Of the laws that act on a velocity: the sum of those that are constant, one a velocity; and the others, by number.
  const std::vector<double>& constant_forces() const { return constant_forces_; }
  const std::vector<int>& varying_forces() const { return varying_forces_; }
  const std::vector<DrivenCoordinate>& driven() const { return driven_; }
  const std::vector<EnvironmentBody>& environment() const { return environment_; }
  const std::vector<Contact>& contacts() const { return contacts_; }
  const std::vector<VelocityEquation>& velocity_equations() const { return velocity_equations_; }
  const std::vector<JointLimit>& joint_limits() const { return joint_limits_; }
  const std::vector<StringElement>& strings() const { return strings_; }
  const std::vector<FacePair>& face_pairs() const { return face_pairs_; }

  // All conditions on the velocities, whether they are there at all times or not: contacts, velocity constraints, stops,
  // strings, guides, then given motions.
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<ElementMode>& modes() const { return modes_; }
  const std::vector<OneSided>& one_sided() const { return one_sided_; }
  // True if any of them parts and touches: all do, or only what always does.
  bool has_followed_rows(bool contacts_part) const;
  const std::vector<Grip>& grips() const { return grips_; }
  const std::vector<Memory>& memories() const { return memories_; }  // what their laws remember
  int memory_size() const { return memories_.empty() ? 0 : memories_.back().first + memories_.back().size; }
  bool fits_memory(std::span<const double> memory) const;  // as many numbers, and no list longer than its room
  std::vector<int> usual_modes() const;
  // Nothing but joints, forces and given motions, as long as no stop is struck.
  bool is_plain_tree() const {
    return contacts_.empty() && velocity_equations_.empty() && strings_.empty() && face_pairs_.empty();
  }

  int longest_expression() const { return longest_expression_; }  // steps of any law above
  const std::vector<EventDescription>& events() const { return description_.events; }
  const Outputs& outputs() const { return outputs_; }
  // The last of the coordinates: those that move no body. First `states`, then `inputs`, then what `samples` hold.
  const std::vector<ExtraState>& extra_states() const { return extra_states_; }
  // The first of them with an equation of its own, for what takes no such model; null if there is none.
  const ExtraState* first_own_state() const;
  const std::vector<Input>& inputs() const { return inputs_; }
  std::optional<int> find_input(std::string_view name) const;
  const std::vector<SampledLaw>& sampled_laws() const { return sampled_laws_; }

  // At t = 0 as the file says; coordinates it does not mention are 0 (quaternions 1 0 0 0), driven ones follow their law.
  const State& initial_state() const { return initial_; }

  // Its own units (scales.h): at the start of the file, or at the one a run was given.
  const Scales& scales() const { return scales_; }
  void set_scales(const Scales& scales) { scales_ = scales; }

  // The words it was made of, bodies in the order of the model.
  const ModelDescription& description() const { return description_; }

 private:
  friend class ModelBuilder;
  friend class LawJumps;  // law_jumps.h

  ModelDescription description_;
  std::vector<Body> bodies_;
  std::vector<std::string> coordinate_names_, velocity_names_;
  std::unordered_map<std::string, int> body_index_, coordinate_index_, velocity_index_;
  Tree tree_;
  ForceLaws forces_;
  std::vector<double> constant_forces_;
  std::vector<int> varying_forces_;
  std::vector<DrivenCoordinate> driven_;
  std::vector<EnvironmentBody> environment_;
  std::vector<Contact> contacts_;
  std::vector<VelocityEquation> velocity_equations_;
  std::vector<JointLimit> joint_limits_;
  std::vector<StringElement> strings_;
  std::vector<FacePair> face_pairs_;
  std::vector<Row> rows_;
  std::vector<ElementMode> modes_;
  std::vector<OneSided> one_sided_;
  std::vector<Grip> grips_;
  std::vector<Memory> memories_;
  Outputs outputs_;
  std::vector<ExtraState> extra_states_;
  std::vector<Input> inputs_;
  std::vector<SampledLaw> sampled_laws_;
  int longest_expression_ = 1;
  State initial_;
  Scales scales_;
};

// Checks everything that can be checked without a computation and reports all errors. None if there was an error.
std::optional<Model> build_model(ModelDescription description, Diagnostics& diagnostics);

}  // namespace vinculum
