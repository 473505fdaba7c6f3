// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "vinculum/symbolic/symbols.h"

namespace vinculum {

namespace {

constexpr int kNone = -1;

// A vector in the plane of motion, in the position at zero: along e1 (down, if there is gravity) and e2 = n × e1.
struct Plane {
  Formula x, y;
};
Plane operator+(const Plane& a, const Plane& b) { return {a.x + b.x, a.y + b.y}; }
Plane operator*(const Formula& f, const Plane& a) { return {f * a.x, f * a.y}; }
Formula square(const Plane& a) { return a.x * a.x + a.y * a.y; }

// A body that turns, with all that is fixed to it.
struct Turning {
  int body = 0;
  int sign = 1;        // of its axis against the normal
  int parent = kNone;  // the turning body that carries it
  Plane l;             // its pole on the parent, from the parent's pole
  Formula mass, J;     // own mass, and moment of inertia about the pole
  Plane s;             // own static moment
  Formula m;           // mass of the subsystem
  Plane m_d;           // s_i + Σ_k m_k l_k
  Formula J_r;         // J_i + Σ_k m_k |l_k|²
  std::vector<int> children;
};

// Components nearer to a whole number than round-off are that.
Vector3 clean(const Vector3& a) {
  const auto entry = [](double x) { return std::abs(x - std::round(x)) < 1e-15 ? std::round(x) : x; };
  return {entry(a.x), entry(a.y), entry(a.z)};
}

class PlanarTree {
 public:
  PlanarTree(const Model& model, const AskStop& stop)
      : model_(model),
        names_(model),
        algebra_(
            kMostOperations, [this](const std::string& wanted) { return names_.give(wanted); }, stop) {}

  bool is_exhausted() const { return algebra_.is_exhausted(); }

  // False if the tree is not planar.
  bool find_bodies() {
    if (model_.forces().act_on_links() || !find_plane()) return false;
    add_parameters(algebra_, model_);
    for (std::size_t i = 0; i < model_.bodies().size(); ++i) add_body(static_cast<int>(i));
    for (std::size_t i = turning_.size(); i-- > 0;) {
      Turning& body = turning_[i];
      body.m = body.mass + body.m;
      body.m_d = body.s + body.m_d;
      body.J_r = body.J + body.J_r;
      if (body.parent == kNone) continue;
      Turning& base = turning_[body.parent];
      base.m = base.m + body.m;
      base.m_d = base.m_d + body.m * body.l;
      base.J_r = base.J_r + body.m * square(body.l);
      base.children.insert(base.children.begin(), static_cast<int>(i));
    }
    return true;
  }

  // How many terms at most: J_r and weight of each body, and two of each body in the equation of every other on its path.
  long count_terms() const {
    long pairs = 0;
    for (const Turning& body : turning_) {
      for (int above = body.parent; above != kNone; above = turning_[above].parent) ++pairs;
    }
    return 2 * static_cast<long>(turning_.size()) + 4 * pairs;
  }

  DerivedEquations write() {
    is_straight_ = are_all_zero(&Plane::y) || are_all_zero(&Plane::x);
    along_ = are_all_zero(&Plane::y) ? &Plane::x : &Plane::y;
    result_.is_closed_form = true;
    write_names();
    for (std::size_t i = 0; i < turning_.size(); ++i) write_equation(static_cast<int>(i));
    return std::move(result_);
  }

 private:
  bool find_plane() {
    bool turns = false;
    for (const Body& body : model_.bodies()) {
      if (body.link != body.first_link) return false;
      const Link& link = model_.tree().links[body.link];
      if (link.kind != LinkKind::revolute && link.kind != LinkKind::fixed) return false;
      // Axes of the body's link in the position at zero.
      R_.push_back(link.parent == kGround ? link.C : R_[body.parent] * link.C);
      if (link.kind == LinkKind::fixed) continue;
      if (!turns) normal_ = clean(R_.back().z);
      turns = true;
      if (norm(cross(normal_, R_.back().z)) > 1e-12) return false;
    }
    if (!turns) return false;
    const Vector3 gravity = model_.gravity(), across = gravity - dot(gravity, normal_) * normal_;
    has_gravity_ = norm(across) > 1e-12 * norm(gravity) && norm(gravity) > 0;
    e1_ = across;
    if (!has_gravity_) e1_ = std::abs(normal_.x) < 0.9 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
    e1_ = e1_ - dot(e1_, normal_) * normal_;
    e1_ = clean((1 / norm(e1_)) * e1_);
    e2_ = clean(cross(normal_, e1_));
    return true;
  }

  Formula along(const Vector3& direction, const Formula* components) {
    return Formula(direction.x) * components[0] + Formula(direction.y) * components[1] + Formula(direction.z) * components[2];
  }
  // Components of a vector given in axes R.
  Plane in_plane(const Matrix3& R, const Formula* components) {
    return {along(clean(transpose_times(R, e1_)), components), along(clean(transpose_times(R, e2_)), components)};
  }

  void add_body(int index) {
    const Body& body = model_.bodies()[index];
    const Link& link = model_.tree().links[body.link];
    const std::vector<Formula> numbers = written_body(algebra_, model_, index);
    const Formula &mass = numbers[0], *com = &numbers[1], *I = &numbers[4], *origin = &numbers[10];

    // Where its pole is on the turning body that carries it, at zero.
    const bool on_world = body.parent == kWorld;
    const int carrier = on_world ? kNone : group_[body.parent];
    Plane pole = in_plane(on_world ? kIdentity3 : R_[body.parent] * model_.bodies()[body.parent].R_LB, origin);
    if (!on_world) pole = offset_[body.parent] + pole;
    if (link.kind == LinkKind::revolute) {
      turning_.push_back({});
      turning_.back().body = index;
      turning_.back().sign = dot(normal_, R_[index].z) > 0 ? 1 : -1;
      turning_.back().parent = carrier;
      turning_.back().l = pole;
      group_.push_back(static_cast<int>(turning_.size()) - 1);
      offset_.push_back({});
    } else {
      group_.push_back(carrier);
      offset_.push_back(pole);
    }
    if (group_.back() == kNone) return;

    const Matrix3 R_WB = R_[index] * body.R_LB;
    const Vector3 n = clean(transpose_times(R_WB, normal_));
    const Plane c = offset_.back() + in_plane(R_WB, com);
    Turning& group = turning_[group_.back()];
    group.mass = group.mass + mass;
    group.s = group.s + mass * c;
    group.J = group.J + mass * square(c) + Formula(n.x * n.x) * I[0] + Formula(n.y * n.y) * I[1] + Formula(n.z * n.z) * I[2] +
              Formula(2 * n.x * n.y) * I[3] + Formula(2 * n.x * n.z) * I[4] + Formula(2 * n.y * n.z) * I[5];
  }

  bool are_all_zero(Formula Plane::*component) const {
    return std::all_of(turning_.begin(), turning_.end(), [&](const Turning& body) {
      return (body.m_d.*component).is_zero() && (body.parent == kNone || (body.l.*component).is_zero());
    });
  }

  // A name for a number: its own if it is a parameter; 0 for nothing.
  Expression define(const std::string& wanted, const Formula& value, const char* unit) {
    Expression written = to_expression(value, algebra_);
    if (value.is_zero() || (written.steps().size() == 1 && !value.is_constant())) return written;
    const std::string name = names_.give(wanted);
    result_.definitions.push_back({name, std::move(written), unit});
    return named(name);
  }

  // m_d along the line of all bodies, or in two components.
  struct Names {
    std::string phi;
    Expression J_r, m_d, m_dx, m_dy, l, tau;
  };

  void write_names() {
    std::vector<Definition> laws;
    for (std::size_t i = 0; i < turning_.size(); ++i) {
      const Turning& turning = turning_[i];
      const Body& body = model_.bodies()[turning.body];
      const std::string number = std::to_string(i + 1);
      Names names;
      names.phi = names_.give("phi" + number);
      const Expression base = turning.parent == kNone ? Expression() : result_.angles[turning.parent].formula;
      const Expression joint = named(model_.coordinate_names()[body.q]);
      result_.angles.push_back({names.phi, turning.sign > 0 ? base + joint : base - joint, ""});

      names.J_r = define("J_r" + number, turning.J_r, "kg*m^2");
      if (is_straight_) {
        names.m_d = define("m_d" + number, turning.m_d.*along_, "kg*m");
        (along_ == &Plane::x ? names.m_dx : names.m_dy) = names.m_d;
      } else if (has_gravity_) {
        names.m_dx = define("m_dx" + number, turning.m_d.x, "kg*m");
        names.m_dy = define("m_dy" + number, turning.m_d.y, "kg*m");
      }
      if (is_straight_ && turning.parent != kNone) {
        const std::string on = "l" + std::to_string(turning.parent + 1);
        names.l = define(turning_[turning.parent].children.size() == 1 ? on : on + "_" + number, turning.l.*along_, "m");
      }
      const Expression law = written_joint_force(model_, body.v, names_, result_.motions);
      if (!is_zero(law)) {
        const std::string name = names_.give("tau" + number);
        names.tau = named(name);
        laws.push_back({name, law, law.is_constant() ? "N*m" : ""});
      }
      rows_.push_back(std::move(names));
    }
    if (has_gravity_) write_gravity();
    result_.definitions.insert(result_.definitions.end(), laws.begin(), laws.end());
  }

  void write_gravity() {
    const Vector3 gravity = model_.gravity();
    const double entries[] = {gravity.x, gravity.y, gravity.z};
    std::vector<Formula> numbers;
    for (int k = 0; k < 3; ++k)
      numbers.push_back(written_number(algebra_, entries[k], &model_.description().gravity_formulas[k]));
    g_ = define("g", along(e1_, numbers.data()), "m/s^2");
  }

  // a + i b = l̄ m_d of i above j, l the place on i of the branch that holds j; by name where they are one number.
  std::pair<Expression, Expression> coupling(int i, int j) {
    int branch = j;
    while (turning_[branch].parent != i) branch = turning_[branch].parent;
    if (is_straight_) return {rows_[branch].l * rows_[j].m_d, Expression()};
    const auto [place, is_new] = couplings_.try_emplace({i, j});
    if (is_new) {
      const Plane &l = turning_[branch].l, &m_d = turning_[j].m_d;
      const std::string numbers = fmt::format("{}_{}", i + 1, j + 1);
      place->second = {define("a" + numbers, l.x * m_d.x + l.y * m_d.y, "kg*m^2"),
                       define("b" + numbers, l.x * m_d.y - l.y * m_d.x, "kg*m^2")};
    }
    return place->second;
  }

  static bool is_zero(const Expression& value) { return value.is_constant() && value.constant_value() == 0; }

  bool carries(int i, int j) const {
    while (j != kNone && j != i) j = turning_[j].parent;
    return j == i;
  }

  void write_equation(int i) {
    Expression::Builder builder;
    const auto of = [&](int body, const char* primes) { return builder.include(named(rows_[body].phi + primes)); };
    const auto binary = [&](Operation operation, int a, int b) { return builder.binary(operation, a, b); };
    int sum = binary(Operation::multiply, builder.include(rows_[i].J_r), of(i, "''"));
    int terms = 1;
    for (int j = 0; j < static_cast<int>(turning_.size()); ++j) {
      const bool is_above = carries(j, i);
      if (i == j || (!is_above && !carries(i, j))) continue;
      const int upper = is_above ? j : i, lower = is_above ? i : j;
      const int difference = binary(Operation::subtract, of(upper, ""), of(lower, ""));
      const int cosine = builder.unary(Operation::cos, difference), sine = builder.unary(Operation::sin, difference);
      const int rate = binary(Operation::power, of(j, "'"), builder.constant(2));
      const auto add = [&](const Expression& factor, int with_acceleration, int with_rate, bool minus) {
        if (is_zero(factor)) return;
        const int bracket =
            binary(minus ? Operation::subtract : Operation::add, binary(Operation::multiply, with_acceleration, of(j, "''")),
                   binary(Operation::multiply, with_rate, rate));
        sum = binary(Operation::add, sum, binary(Operation::multiply, builder.include(factor), bracket));
        terms += 2;
      };
      const auto [a, b] = coupling(upper, lower);
      add(a, cosine, sine, is_above);
      add(b, sine, cosine, !is_above);
    }
    const auto add_weight = [&](const Expression& moment, Operation function) {
      if (!has_gravity_ || is_zero(moment)) return;
      const int weight = binary(Operation::multiply, builder.include(g_), builder.include(moment));
      sum = binary(Operation::add, sum, binary(Operation::multiply, weight, builder.unary(function, of(i, ""))));
      ++terms;
    };
    add_weight(rows_[i].m_dx, Operation::sin);
    add_weight(rows_[i].m_dy, Operation::cos);

    Expression force = turning_[i].sign > 0 ? rows_[i].tau : -rows_[i].tau;
    for (int child : turning_[i].children) force = turning_[child].sign > 0 ? force - rows_[child].tau : force + rows_[child].tau;
    result_.equations.push_back({rows_[i].phi, builder.build(sum), force});
    result_.terms += terms;
  }

  const Model& model_;
  NameGiver names_;
  Algebra algebra_;
  Vector3 normal_, e1_, e2_;
  bool has_gravity_ = false, is_straight_ = false;
  Formula Plane::*along_ = &Plane::x;
  std::vector<Matrix3> R_;     // of each body's link, at zero
  std::vector<int> group_;     // of each body: the turning body it belongs to
  std::vector<Plane> offset_;  // of each body: its pole from the pole of that one
  std::vector<Turning> turning_;
  std::vector<Names> rows_;
  std::map<std::pair<int, int>, std::pair<Expression, Expression>> couplings_;
  Expression g_;
  DerivedEquations result_;
};

}  // namespace

std::optional<Outcome<DerivedEquations>> derive_planar_equations(const Model& model, int most_terms, const AskStop& stop) {
  PlanarTree tree(model, stop);
  if (!tree.find_bodies()) return std::nullopt;
  if (const long count = tree.count_terms(); count > most_terms) return too_many_terms(std::to_string(count), most_terms);
  DerivedEquations equations = tree.write();
  if (is_stopped(stop)) return stopped_failure();
  if (tree.is_exhausted()) return too_many_terms("many thousand", most_terms);
  return equations;
}

}  // namespace vinculum
