// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/local_choices.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/decision/choice_tree.h"

namespace vinculum {

namespace {

constexpr std::size_t kMostItems = 10;
constexpr double kSameChoice = 1e-8;  // two solutions this near are one
constexpr double kNoLoad = 1e-10;

// What an item of the tree stands for: one row, or a normal and the tangent it presses.
struct LocalItem {
  enum class Kind { held, pushes, rubs, rubs_held, bounded, face } kind = Kind::held;
  int row = 0, tangent = -1;
  double friction = 0, bound = 0;
  int face = -1;  // index into LocalProblem::faces
};

// The items; none if a block has a round cone, a normal presses several grips, or a grip is pressed by shares of redundant ones.
std::optional<std::vector<LocalItem>> list_items(const LocalProblem& problem) {
  std::vector<LocalItem> items;
  std::vector<int> item_of(static_cast<std::size_t>(problem.b.size()), -1);
  for (const GripBlock& block : problem.blocks) {
    if (block.rows.size() != 1 || !block.shares.empty()) return std::nullopt;
    if (block.kind == GripBlock::Kind::grips && block.normal >= 0) continue;
    item_of[block.rows[0]] = static_cast<int>(items.size());
    LocalItem item;
    item.kind = block.kind == GripBlock::Kind::held     ? LocalItem::Kind::held
                : block.kind == GripBlock::Kind::pushes ? LocalItem::Kind::pushes
                                                        : LocalItem::Kind::bounded;
    item.row = block.rows[0];
    item.bound = block.bound;
    items.push_back(item);
  }
  for (const GripBlock& block : problem.blocks) {
    if (block.kind != GripBlock::Kind::grips || block.normal < 0) continue;
    if (item_of[block.normal] < 0) return std::nullopt;
    LocalItem& item = items[item_of[block.normal]];
    if (item.tangent >= 0) return std::nullopt;
    item.kind = item.kind == LocalItem::Kind::pushes ? LocalItem::Kind::rubs : LocalItem::Kind::rubs_held;
    item.tangent = block.rows[0];
    item.friction = block.friction;
  }
  for (std::size_t k = 0; k < problem.faces.size(); ++k) {
    LocalItem item;
    item.kind = LocalItem::Kind::face;
    item.row = problem.faces[k].row;
    item.face = static_cast<int>(k);
    items.push_back(item);
  }
  return items;
}

ChoiceProblem make_choice_problem(const LocalProblem& problem, const std::vector<LocalItem>& items, double scale) {
  const LocalRates rates{problem.W + (scale - 1) * problem.F, problem.b};
  ChoiceProblem tree;
  tree.right = problem.b;
  for (const LocalItem& item : items) {
    switch (item.kind) {
      case LocalItem::Kind::held: tree.items.push_back(two_sided(rates, item.row)); break;
      case LocalItem::Kind::pushes: tree.items.push_back(pushes_or_parts(rates, item.row)); break;
      case LocalItem::Kind::rubs:
        tree.items.push_back(sticks_slips_or_parts(rates, item.row, item.tangent, scale * item.friction));
        break;
      case LocalItem::Kind::rubs_held:
        tree.items.push_back(sticks_slips_or_pulls(rates, item.row, item.tangent, scale * item.friction));
        break;
      case LocalItem::Kind::bounded: tree.items.push_back(sticks_or_slips(rates, item.row, scale * item.bound)); break;
      case LocalItem::Kind::face: {
        const LocalProblem::Face& face = problem.faces[item.face];
        tree.items.push_back(loaded_face(face.face1 + (scale - 1) * face.rub1, face.face2 + (scale - 1) * face.rub2));
        break;
      }
    }
  }
  return tree;
}

// The order of the unknowns beside that of the equations, as a sign: the same for all choices.
int parity_of(const std::vector<LocalItem>& items) {
  std::vector<int> order;
  for (const LocalItem& item : items) {
    order.push_back(item.row);
    if (item.tangent >= 0) order.push_back(item.tangent);
  }
  int sign = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) sign = order[j] < order[i] ? -sign : sign;
  }
  return sign;
}

void take_loads(const LocalItem& item, const std::string& word, const Eigen::VectorXd& u, double scale, Eigen::VectorXd& R) {
  const double mu = scale * item.friction, bound = scale * item.bound;
  switch (item.kind) {
    case LocalItem::Kind::held: R[item.row] = u[0]; break;
    case LocalItem::Kind::pushes: R[item.row] = word == "pushes" ? u[0] : 0; break;
    case LocalItem::Kind::rubs:
    case LocalItem::Kind::rubs_held:
      if (word == "parts") break;
      R[item.row] = word == "sticks" ? u[0] + u[1] : word == "pulls" ? -u[0] : u[0];
      R[item.tangent] = word == "sticks"           ? mu * (u[0] - u[1])
                        : word == "slips forward"  ? -mu * u[0]
                        : word == "slips backward" ? mu * u[0]
                                                   : 0;
      break;
    case LocalItem::Kind::bounded:
      R[item.row] = word == "sticks" ? u[0] - bound : word == "slips forward" ? -bound : bound;
      break;
    case LocalItem::Kind::face: R[item.row] = word == "face2" ? u[0] : -u[0]; break;
  }
}

// In words, what is no mode of its own left out; a normal whose contact slides now says so.
std::string word_of(const LocalProblem& problem, const LocalItem& item, const std::string& word, const Eigen::VectorXd& R) {
  if (item.kind == LocalItem::Kind::held) return "";
  std::string said = word;
  if (item.kind == LocalItem::Kind::pushes && word == "pushes" && !problem.F.col(item.row).isZero(0)) said = "slides";
  if (item.kind == LocalItem::Kind::face) said = "on " + word;
  if (item.kind == LocalItem::Kind::face && R[item.row] == 0) said = "unloaded";
  return problem.names[item.row] + " " + said;
}

std::vector<LocalChoice> enumerate(const LocalProblem& problem, const std::vector<LocalItem>& items, int parity, double scale,
                                   bool& families) {
  const ChoiceProblem tree = make_choice_problem(problem, items, scale);
  const Choices choices = enumerate_choices(tree);
  families = !choices.families.empty();
  // Sizes beside which loads and rates are nothing: those of the problem itself, and its units at most.
  const double rates = problem.b.size() > 0 ? problem.b.cwiseAbs().maxCoeff() : 0;
  double mobility = problem.W.size() > 0 ? problem.W.diagonal().cwiseAbs().maxCoeff() : 0;
  for (const LocalProblem::Face& face : problem.faces) mobility = std::max(mobility, std::abs(face.face2[face.row]));
  const double unit_of_rates = rates > 0 ? std::min(1.0, rates) : 1;
  const double unit_of_loads = rates > 0 && mobility > 0 ? std::min(1.0, rates / mobility) : 1;
  std::vector<LocalChoice> list;
  for (const ModeChoice& choice : choices.found) {
    LocalChoice found;
    found.R = Eigen::VectorXd::Zero(problem.b.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      take_loads(items[i], tree.items[i][choice.chosen[i]].word, choice.unknowns[i], scale, found.R);
    const double none = kNoLoad * std::max(unit_of_loads, found.R.size() > 0 ? found.R.cwiseAbs().maxCoeff() : 0.0);
    found.R = (found.R.array().abs() <= none).select(0, found.R);
    found.x = problem.b + (problem.W + (scale - 1) * problem.F) * found.R;
    for (const LocalProblem::Face& face : problem.faces) {
      const double n = found.R[face.row];
      found.x += n > 0 ? n * (face.face2 + (scale - 1) * face.rub2) : -n * (face.face1 + (scale - 1) * face.rub1);
    }
    found.sign = parity * choice.sign;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string word = word_of(problem, items[i], tree.items[i][choice.chosen[i]].word, found.R);
      if (!word.empty()) found.words += (found.words.empty() ? "" : ", ") + word;
    }
    // Where something is zero on both sides, choices have the same forces.
    const auto same = [&](const LocalChoice& other) {
      return (found.R - other.R).cwiseAbs().maxCoeff() <= kSameChoice * std::max(unit_of_loads, found.R.cwiseAbs().maxCoeff()) &&
             (found.x - other.x).cwiseAbs().maxCoeff() <= kSameChoice * std::max(unit_of_rates, found.x.cwiseAbs().maxCoeff());
    };
    const auto twin = std::find_if(list.begin(), list.end(), same);
    if (twin == list.end())
      list.push_back(std::move(found));
    else
      twin->sign = std::max(twin->sign, found.sign);
  }
  return list;
}

// All friction scaled up from none: the solution of a scale is the one nearest to that of the last, on the side of sign +.
std::optional<std::size_t> follow_from_no_friction(const LocalProblem& problem, const std::vector<LocalItem>& items, int parity,
                                                   const std::vector<LocalChoice>& found) {
  constexpr int kSteps = 64;
  const auto nearest = [](const std::vector<LocalChoice>& list, const Eigen::VectorXd& R) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].sign > 0 && (!best || (list[i].R - R).norm() < (list[*best].R - R).norm())) best = i;
    }
    return best;
  };
  bool families = false;
  std::vector<LocalChoice> list = enumerate(problem, items, parity, 0, families);
  if (list.size() != 1) return std::nullopt;
  Eigen::VectorXd R = list[0].R;
  for (int k = 1; k < kSteps; ++k) {
    list = enumerate(problem, items, parity, static_cast<double>(k) / kSteps, families);
    const auto next = nearest(list, R);
    if (!next) return std::nullopt;
    R = list[*next].R;
  }
  return nearest(found, R);
}

// The units of a problem, as powers of two: of its rates, and of what a unit load moves.
struct LocalUnits {
  double rate = 1, mobility = 1;

  double load() const { return rate / mobility; }
};

LocalUnits find_units(const LocalProblem& problem) {
  double rate = problem.b.size() > 0 ? problem.b.cwiseAbs().maxCoeff() : 0;
  double mobility = problem.W.size() > 0 ? problem.W.diagonal().cwiseAbs().maxCoeff() : 0;
  for (const LocalProblem::Face& face : problem.faces) mobility = std::max(mobility, std::abs(face.face2[face.row]));
  const auto power_of_two = [](double x) { return std::isnormal(x) ? std::ldexp(1.0, std::ilogb(x)) : 1.0; };
  return {power_of_two(rate), power_of_two(mobility)};
}

LocalProblem in_units(LocalProblem problem, const LocalUnits& units) {
  problem.W /= units.mobility;
  problem.F /= units.mobility;
  problem.b /= units.rate;
  for (GripBlock& block : problem.blocks) block.bound /= units.load();
  for (LocalProblem::Face& face : problem.faces) {
    for (Eigen::VectorXd* column : {&face.face1, &face.face2, &face.rub1, &face.rub2}) *column /= units.mobility;
  }
  return problem;
}

std::optional<LocalChoices> find_choices_in_units(const LocalProblem& problem) {
  const auto items = list_items(problem);
  if (!items || items->size() > kMostItems) return std::nullopt;
  const int parity = parity_of(*items);
  bool families = false;
  LocalChoices choices;
  choices.found = enumerate(problem, *items, parity, 1, families);
  if (families) return std::nullopt;
  const auto right = [](const LocalChoice& choice) { return choice.sign > 0; };
  const auto count = std::count_if(choices.found.begin(), choices.found.end(), right);
  if (count == 1)
    choices.chosen = std::find_if(choices.found.begin(), choices.found.end(), right) - choices.found.begin();
  else if (count > 1)
    choices.chosen = follow_from_no_friction(problem, *items, parity, choices.found);
  return choices;
}

}  // namespace

// In its own units, so that loads of a millionth of a newton are decided like those of a million.
std::optional<LocalChoices> find_local_choices(const LocalProblem& problem) {
  const LocalUnits units = find_units(problem);
  auto choices = find_choices_in_units(in_units(problem, units));
  if (!choices) return std::nullopt;
  for (LocalChoice& choice : choices->found) {
    choice.R *= units.load();
    choice.x *= units.rate;
  }
  return choices;
}

std::string describe(const std::vector<LocalChoice>& choices) {
  std::string text;
  for (const LocalChoice& choice : choices) text += (text.empty() ? "" : ", or ") + choice.words;
  return text;
}

}  // namespace vinculum
