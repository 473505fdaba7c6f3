// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/string_tree.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "vinculum/kernels/environment.h"

namespace vinculum {

namespace {

constexpr double kSymmetryTolerance = 1e-9;  // of the largest moment of inertia, and of the lengths of a body

// An end of a string: a body, or a carrier.
struct StringEnd {
  int body = -1;  // -1: a carrier
  int environment = -1;
  Vector3 point;
  bool is_carrier() const { return body < 0; }
};

StringEnd find_end(const Model& model, const std::string& name, const Vector3& point) {
  if (const auto body = model.find_body(name); body && *body != kWorld) return {*body, -1, point};
  for (size_t i = 0; i < model.environment().size(); ++i) {
    if (model.environment()[i].name == name) return {-1, static_cast<int>(i), point};
  }
  return {-1, -1, point};
}

Failure refuse(std::string message, std::string hint) { return {"VN-STEADY-001", std::move(message), std::move(hint)}; }

// What else acts on the bodies would change every steady motion.
std::optional<Failure> find_other_elements(const Model& model) {
  const ModelDescription& words = model.description();
  std::string element;
  if (!words.contacts.empty()) element = fmt::format("contact '{}'", words.contacts[0].name);
  if (!words.motions.empty()) element = fmt::format("motion of '{}'", words.motions[0].coordinate);
  if (!words.velocity_constraints.empty()) element = fmt::format("velocity constraint '{}'", words.velocity_constraints[0].name);
  if (!words.guides.empty()) element = fmt::format("guide '{}'", words.guides[0].name);
  if (!words.forces.empty()) element = fmt::format("force '{}'", words.forces[0].name);
  for (const BodyDescription& body : words.bodies) {
    if (body.joint.friction) element = fmt::format("the friction of joint '{}'", body.name);
    if (!body.joint.limits.empty()) element = fmt::format("the limits of body '{}'", body.name);
  }
  if (element.empty()) return std::nullopt;
  return Failure{"VN-STEADY-002",
                 fmt::format("`steady` takes strings and weight alone, and {} acts too", element),
                 "remove it, or use `equilibrium --steady COORDINATE=RATE`, which takes every element"};
}

class TreeFinder {
 public:
  TreeFinder(const Model& model, Symmetry symmetry) : model_(model), symmetry_(symmetry) {}

  Outcome<std::vector<StringTree>> find() {
    if (norm(model_.gravity()) == 0)
      return Failure{"VN-STEADY-003", "without gravity strings have no hanging position, and their angles no meaning",
                     "give `gravity`"};
    if (const auto other = find_other_elements(model_)) return *other;
    const auto& strings = model_.description().strings;
    if (strings.empty()) return refuse("the model has no strings", "suspend the bodies by `strings`, the first from world");
    for (const StringDescription& string : strings) {
      ends_.push_back({find_end(model_, *string.from, string.at), find_end(model_, *string.to, string.on)});
      if (ends_.back()[1].is_carrier()) std::swap(ends_.back()[0], ends_.back()[1]);
      if (ends_.back()[1].is_carrier())
        return refuse(
            fmt::format("string '{}' ends at no body: '{}' and '{}' do not hang", string.name, *string.from, *string.to),
            "let it end `to:` a body");
      for (const BodyDescription& body : model_.description().bodies) {
        if (body.name == string.name)
          return refuse(
              fmt::format("body '{}' and string '{}' have one name, and results are listed by name", body.name, string.name),
              "rename the string");
      }
    }
    used_.assign(strings.size(), false);
    hangs_on_.assign(model_.bodies().size(), -1);

    std::vector<StringTree> trees;
    for (size_t i = 0; i < strings.size(); ++i) {
      if (!ends_[i][0].is_carrier()) continue;
      StringTree tree;
      if (auto trouble = grow(tree, static_cast<int>(i))) return *trouble;
      if (auto trouble = place(tree, ends_[i][0], strings[i].name)) return *trouble;
      compute_tree_constants(tree);
      trees.push_back(std::move(tree));
    }
    for (size_t b = 0; b < hangs_on_.size(); ++b) {
      if (hangs_on_[b] < 0)
        return refuse(
            fmt::format("body '{}' hangs from no carrier: no chain of strings leads from it to world or an environment body",
                        model_.bodies()[b].name),
            "give it a string");
    }
    return trees;
  }

 private:
  // The tree below one root string, breadth first where the order of the file is not parents first.
  std::optional<Failure> grow(StringTree& tree, int root) {
    const auto& strings = model_.description().strings;
    std::vector<int> order;
    if (auto trouble = hang(tree, root, -1)) return trouble;
    order.push_back(root);
    for (int i = 0; i < tree.size(); ++i) {
      for (size_t k = 0; k < strings.size(); ++k) {
        if (used_[k]) continue;
        auto& [from, to] = ends_[k];
        if (from.body != tree.bodies[i].body && to.body != tree.bodies[i].body) continue;
        if (from.body != tree.bodies[i].body && !from.is_carrier()) std::swap(from, to);
        if (auto trouble = hang(tree, static_cast<int>(k), i)) return trouble;
        order.push_back(static_cast<int>(k));
      }
    }
    // The order of the file, if it has parents first.
    std::vector<int> by_file(order.size());
    for (size_t i = 0; i < by_file.size(); ++i) by_file[i] = static_cast<int>(i);
    std::sort(by_file.begin(), by_file.end(), [&](int a, int b) { return order[a] < order[b]; });
    if (std::is_sorted(order.begin(), order.end())) return std::nullopt;
    std::vector<int> rank(order.size());
    for (size_t i = 0; i < by_file.size(); ++i) rank[by_file[i]] = static_cast<int>(i);
    for (const HungBody& body : tree.bodies) {
      if (body.parent >= 0 && rank[body.parent] > rank[&body - tree.bodies.data()]) {
        tree.reordered = true;
        return std::nullopt;
      }
    }
    std::vector<HungBody> sorted;
    for (const int i : by_file) {
      sorted.push_back(tree.bodies[i]);
      if (sorted.back().parent >= 0) sorted.back().parent = rank[sorted.back().parent];
    }
    tree.bodies = std::move(sorted);
    return std::nullopt;
  }

  std::optional<Failure> hang(StringTree& tree, int string, int parent) {
    const StringDescription& words = model_.description().strings[string];
    used_[string] = true;
    const auto& [from, to] = ends_[string];
    const Body& body = model_.bodies()[to.body];
    if (hangs_on_[to.body] >= 0)
      return refuse(fmt::format("body '{}' is on two strings, '{}' and '{}', so this is not a tree", body.name,
                                model_.description().strings[hangs_on_[to.body]].name, words.name),
                    "each body is suspended by one string, and may carry others");
    hangs_on_[to.body] = string;
    const BodyDescription& described = model_.description().bodies[to.body];
    if (*described.joint.type != JointType::free || body.parent != kWorld)
      return refuse(fmt::format("body '{}' on string '{}' is not free: its joint takes motions away", body.name, words.name),
                    "joint: {type: free} with parent world");

    HungBody hung{body.name, words.name, to.body, parent};
    hung.mass = body.mass;
    hung.length = *words.length;
    hung.attachment_B = to.point;
    const Vector3 arm_B = body.p_BoBcm_B - to.point;
    hung.arm = norm(arm_B);
    if (!(body.mass > 0)) return refuse(fmt::format("body '{}' has no mass", body.name), "mass: must be positive");
    if (hung.arm <= kSymmetryTolerance * (hung.length + norm(to.point)))
      return refuse(
          fmt::format("string '{}' meets body '{}' at its mass centre, so that its axis has no direction", words.name, body.name),
          "attach the string beside the mass centre");
    hung.axis_B = (1 / hung.arm) * arm_B;
    if (auto trouble = measure(body, hung)) return trouble;
    if (parent >= 0) {
      const HungBody& upper = tree.bodies[parent];
      const Vector3 at = from.point - upper.attachment_B;
      hung.hung_at = dot(at, upper.axis_B);
      const double off = norm(at - hung.hung_at * upper.axis_B);
      if (off > kSymmetryTolerance * (upper.arm + norm(at)))
        return refuse(fmt::format("string '{}' begins {:.3g} m off the axis of body '{}'", words.name, off, upper.name),
                      "strings of a symmetric body begin on the line from its own string's end through its mass centre");
    }
    tree.bodies.push_back(std::move(hung));
    return std::nullopt;
  }

  // A and C, if the line from the string's end to the mass centre is an axis of symmetry.
  std::optional<Failure> measure(const Body& body, HungBody& hung) {
    const Symmetric3& I = body.I_Bcm_B;
    const Vector3& e = hung.axis_B;
    hung.axial = dot(e, I * e);
    hung.transverse = 0.5 * (I.xx + I.yy + I.zz - hung.axial);
    if (symmetry_ == Symmetry::not_required) return std::nullopt;
    if (!(hung.axial > 0) || !(hung.transverse > 0))
      return refuse(
          fmt::format("body '{}' has moments of inertia {:g} along and {:g} across its axis: it cannot spin as a body does",
                      body.name, hung.axial, hung.transverse),
          "`inertia:` must be positive about every axis");
    // I = A E + (C - A) e eᵀ
    const Symmetric3 rest = I - (hung.axial - hung.transverse) * outer(e);
    const double A = hung.transverse;
    const double off = std::max({std::abs(rest.xx - A), std::abs(rest.yy - A), std::abs(rest.zz - A), std::abs(rest.xy),
                                 std::abs(rest.xz), std::abs(rest.yz)});
    if (off > kSymmetryTolerance * std::max(A, hung.axial))
      return refuse(
          fmt::format("body '{}' is not symmetric about the line from the end of string '{}' to its mass centre: its tensor of "
                      "inertia is off "
                      "by {:.3g} kg m^2",
                      body.name, hung.string, off),
          "only bodies with equal moments of inertia across this axis have these families; one body of any inertia: --permanent");
    return std::nullopt;
  }

  // Where the root string begins, and the directions e1, e2, e3.
  std::optional<Failure> place(StringTree& tree, const StringEnd& end, const std::string& string) {
    for (size_t i = 0; i < tree.bodies.size(); ++i) {
      if (tree.bodies[i].parent >= 0) tree.bodies[tree.bodies[i].parent].children.push_back(static_cast<int>(i));
    }
    tree.gravity = norm(model_.gravity());
    const Vector3 e3 = (-1 / tree.gravity) * model_.gravity();
    const auto horizontal = [&](const Vector3& a) { return a - dot(a, e3) * e3; };
    Vector3 e2 = horizontal({0, 1, 0});
    if (norm(e2) < 1e-6) e2 = horizontal({1, 0, 0});
    tree.suspension_W = end.point;
    if (end.environment >= 0) {
      const EnvironmentBody& carrier = model_.environment()[end.environment];
      std::vector<double> scratch;
      const auto refuse_carrier = [&](const char* how) {
        return refuse(fmt::format("string '{}' begins on environment body '{}', which {}", string, carrier.name, how),
                      "a carrier is at rest, or turns uniformly about a vertical axis");
      };
      // Uniform turning about one vertical axis: the same rate and the same axis at times that have no common period.
      Vector3 axis_W;
      for (const double t : {0.0, 0.37, 1.0 + 1.0 / 3, 3.1415}) {
        const EnvironmentMotion motion = compute_environment_motion(carrier, t, scratch);
        const Vector3 arm = motion.R_WE * end.point;
        const Vector3 w = motion.velocity.angular;
        const double rate = dot(w, e3), size = 1 + norm(arm) + norm(motion.p_WE);
        const Vector3 velocity = motion.velocity.linear + cross(w, arm);
        const Vector3 acceleration =
            motion.acceleration.linear + cross(motion.acceleration.angular, arm) + cross(w, cross(w, arm));
        if (norm(w - rate * e3) > 1e-9 * (1 + std::abs(rate))) return refuse_carrier("does not turn about the vertical");
        const Vector3 point = motion.p_WE + arm;
        if (t == 0) {
          tree.suspension_W = point;
          tree.carrier_rate = rate;
          axis_W = rate == 0 ? point : point + (1 / (rate * rate)) * horizontal(acceleration);
        }
        const Vector3 radius = horizontal(point - axis_W);
        const double tolerance = 1e-9 * size * (1 + rate * rate);
        if (std::abs(rate - tree.carrier_rate) > 1e-9 * (1 + std::abs(rate)) ||
            norm(velocity - cross(rate * e3, radius)) > tolerance || norm(acceleration + rate * rate * radius) > tolerance)
          return refuse_carrier(rate == 0 && tree.carrier_rate == 0 ? "moves" : "does not turn uniformly");
      }
      const Vector3 radius = horizontal(tree.suspension_W - axis_W);
      if (norm(radius) > 1e-9 * (1 + norm(tree.suspension_W))) {
        tree.carrier_radius = norm(radius);
        e2 = radius;
      }
    }
    e2 = (1 / norm(e2)) * e2;
    tree.R_WE = {cross(e2, e3), e2, e3};
    return std::nullopt;
  }

  const Model& model_;
  Symmetry symmetry_;
  std::vector<std::array<StringEnd, 2>> ends_;  // nearer to the carrier; farther
  std::vector<bool> used_;
  std::vector<int> hangs_on_;  // the string of each body, or -1
};

}  // namespace

Outcome<std::vector<StringTree>> find_string_trees(const Model& model, Symmetry symmetry) {
  return TreeFinder(model, symmetry).find();
}

//   r_Ci = r_0 + Σ_{j≤i} p_j u_j + Σ_{j<i} s_next(j,i) e_j + c_i e_i                                     theory 4, section 2
//   b_i = [m_i c_i + Σ_{k∈U_i} s_k M μ_k]/M ,   d_i = μ_i p_i ,   J1_i = A_i + m_i c_i² + Σ_{k∈U_i} s_k² M μ_k     section 4
void compute_tree_constants(StringTree& tree) {
  const int n = tree.size();
  std::vector<double> hanging(n);
  for (int i = n - 1; i >= 0; --i) {
    hanging[i] += tree.bodies[i].mass;
    if (tree.bodies[i].parent >= 0) hanging[tree.bodies[i].parent] += hanging[i];
  }
  tree.mass = hanging[0];
  tree.share.assign(n, 0);
  tree.weight = tree.barycentre = tree.string_share = tree.augmented_inertia = tree.share;
  Eigen::VectorXd masses(n);
  tree.D = Eigen::MatrixXd::Zero(n, 2 * n);
  for (int i = 0; i < n; ++i) {
    const HungBody& body = tree.bodies[i];
    masses[i] = body.mass;
    tree.share[i] = hanging[i] / tree.mass;
    tree.weight[i] = hanging[i] * tree.gravity;
    tree.string_share[i] = tree.share[i] * body.length;
    tree.barycentre[i] += body.mass * body.arm / tree.mass;
    tree.augmented_inertia[i] += body.transverse + body.mass * body.arm * body.arm;
    if (body.parent >= 0) {
      tree.barycentre[body.parent] += body.hung_at * tree.share[i];
      tree.augmented_inertia[body.parent] += body.hung_at * body.hung_at * hanging[i];
      tree.D.row(i) = tree.D.row(body.parent);
      tree.D(i, body.parent) = body.hung_at;
    }
    tree.D(i, i) = body.arm;
    tree.D(i, n + i) = body.length;
  }
  tree.N = tree.D.transpose() * masses.asDiagonal() * tree.D;
  for (int i = 0; i < n; ++i) tree.N(i, i) += tree.bodies[i].transverse;
  tree.mass_moments = tree.D.transpose() * masses;
  tree.f = tree.gravity * tree.mass_moments;
}

GraphMatrices compute_graph_matrices(const StringTree& tree) {
  const int n = tree.size();
  GraphMatrices graph{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  for (int a = 0; a < n; ++a) {
    graph.S(a, a) = -1;
    if (tree.bodies[a].parent >= 0) graph.S(tree.bodies[a].parent, a) = 1;
    for (int above = a; above >= 0; above = tree.bodies[above].parent) graph.T(above, a) = -1;
  }
  return graph;
}

}  // namespace vinculum
