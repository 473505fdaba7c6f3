// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "vinculum/formats/table.h"
#include "vinculum/page/string_plot.h"
#include "vinculum/page/tell_steady.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/kept.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/questions/steady_question.h"
#include "vinculum/simulation/judge_state.h"
#include "vinculum/strings/permanent_rotation.h"
#include "vinculum/strings/steady_atlas.h"
#include "vinculum/strings/steady_search.h"
#include "vinculum/strings/steady_spatial.h"

namespace vinculum {

namespace {

class SteadyCommand {
 public:
  SteadyCommand(const SteadyMotionOptions& options, Reply& reply)
      : options_(options), reply_(reply), found_(options.kept != nullptr ? options.kept->trees : own_), trees_(found_.trees) {}

  int run() {
    reply_.begin_computing();
    int exit_code = kDone;
    model_ = load_model(options_, reply_, exit_code);
    if (!model_) return exit_code;
    try {
      return answer();
    } catch (const SteadyUsage& wrong) {
      return reply_.refuse_usage(wrong.message, wrong.hint);
    }
  }

 private:
  int answer() {
    if (options_.rate && *options_.rate == 0)
      throw SteadyUsage{"--rate 0 is rest, and no steady motion: strings and axes hang straight down or stand on end",
                        "give a rate in rad/s"};
    for (const auto& rate : {options_.rate, options_.to_rate}) {
      if (rate && !(std::abs(*rate) > 1e-6 && std::abs(*rate) < 1e6))
        throw SteadyUsage{fmt::format("{:g} rad/s is not a valid rate of a body on a string", *rate),
                          "rates are between 1e-6 and 1e6 rad/s"};
    }
    const bool any_inertia = options_.permanent || !options_.measured.empty();
    const Symmetry symmetry = any_inertia ? Symmetry::not_required : Symmetry::required;
    if (found_.model != model_ || found_.symmetry != symmetry) {
      auto found = find_string_trees(*model_, symmetry);
      if (!found) return reply_.fail(found.failure());
      found_ = {model_, symmetry, std::move(*found)};
    }
    questions_ = read_questions(options_, trees_);
    for (const StringTree& tree : trees_) {
      if (tree.reordered) reply_.say("the strings are listed from the carrier outwards, not in the order of the file");
      if (tree.is_off_axis() && options_.rate && std::abs(*options_.rate - tree.carrier_rate) > 1e-9 * std::abs(*options_.rate))
        return reply_.refuse_usage(Failure{
            "VN-STEADY-023",
            fmt::format("string '{}' hangs {:.6g} m beside the axis of a carrier that turns at {:g} rad/s, and --rate is {:g}",
                        tree.bodies[0].string, tree.carrier_radius, tree.carrier_rate, *options_.rate),
            fmt::format("give --rate {:g}", tree.carrier_rate)});
    }
    if (any_inertia) return answer_permanent();
    if (options_.constants) return answer_constants();
    if (options_.critical || options_.branch > 0) {
      tell_critical();
      if (options_.branch > 0) return answer_branch();
      if (!options_.rate) return reply_.finish(kDone);
    }
    if (!options_.rate)
      throw SteadyUsage{"--rate is missing: how fast axes and strings turn about the vertical", "for example --rate 5"};
    if (!options_.interval.empty()) return answer_interval();
    if (options_.scan > 0) return answer_scan();
    return answer_families();
  }

  // Ctrl-C, or no time left: half an answer is none.
  int leave() {
    reply_.json() = Json::object();
    return reply_.fail(stopped_failure());
  }

  ToldStability told() const { return {options_.stability || options_.driven, options_.driven}; }
  SteadyOptions steady_options(const SteadyQuestion& question) const { return {options_.spin_limit, question.spins}; }
  void say(const Telling& telling) {
    for (const std::string& line : telling.lines) reply_.say(line);
  }
  void tell(const Telling& telling) {
    say(telling);
    for (const auto& [name, value] : telling.json.items()) reply_.json()[name] = value;
  }
  // With several trees each entry says whose it is.
  void push(Json& list, const StringTree& tree, Json entry) {
    if (trees_.size() > 1) entry["tree"] = tree.bodies[0].string;
    list.push_back(std::move(entry));
  }

  int answer_constants() {
    if (trees_.size() > 1) throw SteadyUsage{"--constants is for one tree, and the model has several", "take the others out"};
    tell(tell_constants(trees_[0]));
    return reply_.finish(kDone);
  }

  void tell_critical() {
    Json rates = Json::array();
    for (const SteadyQuestion& question : questions_) {
      if (question.tree->is_off_axis())
        throw SteadyUsage{"a tree beside the axis of its carrier has no vertical state", "leave out --critical and --branch"};
      critical_.push_back(find_critical_rates(*question.tree, question.laws(), question.standing()));
      reply_.say(
          fmt::format("critical rates of the vertical state of '{}', spins as given (else 0)", question.tree->bodies[0].name));
      for (const CriticalRate& critical : critical_.back()) {
        rates.push_back(critical.rate);
        reply_.say(fmt::format("  {:>18.12g} rad/s", critical.rate));
      }
    }
    std::sort(rates.begin(), rates.end());
    reply_.json()["critical_rates"] = rates;
  }

  int answer_branch() {
    if (trees_.size() > 1) throw SteadyUsage{"--branch is for one tree, and the model has several", "take the others out"};
    const SteadyQuestion& question = questions_[0];
    std::vector<CriticalRate> positive;
    for (const CriticalRate& critical : critical_[0]) {
      if (critical.rate > 0) positive.push_back(critical);
    }
    if (options_.branch > static_cast<int>(positive.size()))
      throw SteadyUsage{fmt::format("--branch {}: there are {} positive critical rates", options_.branch, positive.size()),
                        "--critical lists them"};
    const CriticalRate& critical = positive[options_.branch - 1];
    const double amplitude = options_.amplitude.value_or(0.05);
    if (!(amplitude > 0 && amplitude <= 3))
      throw SteadyUsage{"--amplitude is an angle between 0 and 3 rad", "for example --amplitude 0.1"};
    const BoundedForm form(*question.tree, question.laws());
    const auto start = find_branch_start(form, critical, question.standing(), amplitude);
    if (!start) return reply_.fail(start.failure());
    Telling family = tell_family(
        *question.tree, *start,
        fmt::format("branch {} from {:.9g} rad/s, at {:.9g} rad/s: ", options_.branch, critical.rate, start->rate), told());
    say(family);
    family.json["critical_rate"] = critical.rate;
    family.json["verdicts"] = judge_motion({*start});
    reply_.json()["families"] = Json::array({family.json});
    feasible_ = {{*start}};
    if (options_.to_rate) {
      if (!(*options_.to_rate > 0)) throw SteadyUsage{"--to-rate must be positive", "for example --to-rate 25"};
      SteadyBranch branch = follow_branch(form, *start, critical, *options_.to_rate, reply_.stop());
      if (told().wanted) locate_stability_changes(form, critical, branch, reply_.stop());
      const Telling followed = tell_branch(*question.tree, branch, critical.rate, *options_.to_rate, told(), reply_.stop());
      if (reply_.wants_to_stop()) return leave();
      tell(followed);
      feasible_ = {{branch.points.back().motion}};
      if (!options_.draw.empty()) {
        // All families that leave the vertical state below that rate, from near it on.
        std::vector<double> rates;
        std::vector<SteadyBranch> branches;
        for (const CriticalRate& other : positive) {
          if (other.rate > std::max(*options_.to_rate, critical.rate)) continue;
          rates.push_back(other.rate);
          const auto near = find_branch_start(form, other, question.standing(), 0.01);
          if (near) branches.push_back(follow_branch(form, *near, other, *options_.to_rate, reply_.stop()));
        }
        picture_ = draw_branch(*question.tree, branches, rates);
      }
    }
    return finish_files();
  }

  int answer_interval() {
    const NamedPlace place = find_named(trees_, "--interval", options_.interval, true, false);
    const SteadyQuestion& question = questions_[place.tree];
    if (question.angles[place.index])
      return reply_.refuse_usage(Failure{
          "VN-USAGE-014", fmt::format("--angle {}=.. has no effect here: --interval searches this angle", options_.interval),
          "leave it out"});
    std::vector<double> angles;
    for (int i = 0; i < question.tree->size(); ++i) {
      if (i != place.index && !question.angles[i])
        throw SteadyUsage{
            fmt::format("the interval of one string depends on the others: '{}' has no angle", question.tree->bodies[i].string),
            fmt::format("give --angle {}=RAD", question.tree->bodies[i].string)};
      angles.push_back(question.angles[i].value_or(0));
    }
    Json list = Json::array();
    reply_.say(fmt::format("angles of {} at {:g} rad/s for which every body fits", options_.interval, *options_.rate));
    for (const auto& interval : find_angle_intervals(*question.tree, *options_.rate, angles, place.index)) {
      list.push_back({interval[0], interval[1]});
      reply_.say(fmt::format("  {:>16.12g} .. {:<16.12g} rad", interval[0], interval[1]));
    }
    if (list.empty()) reply_.say("  none");
    reply_.json()["intervals"][options_.interval] = list;
    return reply_.finish(kDone);
  }

  int answer_scan() {
    if (trees_.size() > 1) throw SteadyUsage{"--scan is for one tree, and the model has several", "take the others out"};
    const SteadyQuestion& question = questions_[0];
    const StringTree& tree = *question.tree;
    const int n = tree.size();
    double size = 1;
    for (int i = 0; i < n; ++i) size *= (question.angles[i] ? 1 : options_.scan) * (question.sides[i] == 0 ? 2 : 1);
    constexpr double kMost = 1e6;
    if (size > kMost || n > 20)
      throw SteadyUsage{fmt::format("--scan {} gives {:.3g} motions, more than {:.0e}", options_.scan, size, kMost),
                        "give some angles, sides, or a smaller number"};
    SteadyAtlas atlas = compute_atlas(tree, *options_.rate, question.angles, options_.scan, question.sides, options_.spin_limit);
    if (options_.stability) {
      if (atlas.size() > 20000)
        throw SteadyUsage{fmt::format("the stability of {} motions would take too long", atlas.size()), "scan less finely"};
      judge_atlas(tree, *options_.rate, atlas, reply_.stop());
      if (reply_.wants_to_stop()) return leave();
    }
    constexpr size_t kMostRows = 100000;
    if (reply_.as_json() && atlas.size() > kMostRows)
      throw SteadyUsage{fmt::format("{} motions are too many for one document", atlas.size()),
                        "write them with --table FILE.csv, without --json"};
    tell(tell_atlas(tree, *options_.rate, atlas, options_.stability, reply_.as_json()));
    int exit_code = kDone;
    if (!options_.table.empty()) {
      if (!write_text(options_.table, write_atlas(tree, atlas, options_.stability), options_.force, reply_, exit_code))
        return exit_code;
      reply_.say(fmt::format("wrote {}", options_.table));
    }
    if (!options_.draw.empty()) {
      if (atlas.strings.size() != 2)
        throw SteadyUsage{fmt::format("the picture of a scan shows two strings, and {} are free", atlas.strings.size()),
                          "give --angle for the others"};
      picture_ = draw_atlas(tree, *options_.rate, atlas);
    }
    return finish_files();
  }

  int answer_families() {
    Json families = Json::array();
    feasible_.resize(trees_.size());
    for (size_t t = 0; t < trees_.size(); ++t) {
      const SteadyQuestion& question = questions_[t];
      const StringTree& tree = *question.tree;
      const auto motions = find_motions(question);
      if (!motions) return reply_.fail(motions.failure());
      if (trees_.size() > 1) reply_.say(fmt::format("tree on '{}'", tree.bodies[0].string));
      int number = 0;
      for (const SteadyMotion& motion : *motions) {
        if (reply_.wants_to_stop()) return leave();
        Telling family = tell_family(tree, motion, fmt::format("{}. ", ++number), told(), !reply_.as_json());
        say(family);
        push(families, tree, std::move(family.json));
        if (motion.feasible()) {
          feasible_[t].push_back(motion);
          warn_of_fast_spins(tree, motion);
        }
        if (shown_ == nullptr || (!shown_->feasible() && motion.feasible())) {
          first_ = motion;
          shown_ = &first_;
          shown_tree_ = &tree;
        }
      }
    }
    judge_families(families);
    reply_.json()["families"] = std::move(families);
    if (!options_.draw.empty() && shown_ != nullptr) {
      picture_ = draw_steady_motion(*shown_tree_, *shown_);
      if (shown_->azimuths.empty()) tell(tell_construction(*shown_tree_, *shown_));
    }
    return finish_files();
  }

  // The verdicts on the state in which every tree moves so, as `evaluate` gives them; said, under a title, where one does not
  // hold.
  Json judge_motion(const std::vector<SteadyMotion>& motions, const std::string& title = "") {
    const std::vector<Verdict> verdicts = judge_state(*model_, make_steady_state(*model_, trees_, motions));
    Json list = Json::array();
    for (const Verdict& verdict : verdicts) list.push_back(to_json(verdict));
    if (gravest(verdicts) == Holds::holds) return list;
    if (!title.empty()) reply_.say(title);
    say_verdicts(verdicts, reply_);
    return list;
  }

  // Every feasible family with the first feasible one of the other trees.
  void judge_families(Json& families) {
    std::vector<SteadyMotion> all;
    for (const auto& list : feasible_) {
      if (!list.empty()) all.push_back(list[0]);
    }
    size_t entry = 0;
    for (size_t t = 0; t < trees_.size(); ++t) {
      for (size_t k = 0; k < feasible_[t].size(); ++entry) {
        Json& family = families[entry];
        if (!family["feasible"].get<bool>()) continue;
        if (all.size() < trees_.size()) {
          Verdict verdict;
          verdict.subject = "state";
          verdict.why = "another tree has no steady motion with these values, so there is no state of the whole model";
          family["verdicts"] = Json::array({to_json(verdict)});
        } else {
          std::vector<SteadyMotion> motions = all;
          motions[t] = feasible_[t][k];
          family["verdicts"] =
              judge_motion(motions, fmt::format("feasible family {} of the tree on '{}'", k + 1, trees_[t].bodies[0].string));
        }
        ++k;
      }
      // Families of this tree that follow its last feasible one.
      while (entry < families.size() && !families[entry]["feasible"].get<bool>()) ++entry;
    }
  }

  Outcome<std::vector<SteadyMotion>> find_motions(const SteadyQuestion& question) {
    const StringTree& tree = *question.tree;
    const int n = tree.size();
    const SteadyOptions options = steady_options(question);
    const int undecided = static_cast<int>(std::count(question.sides.begin(), question.sides.end(), 0));
    if (undecided > 12)
      throw SteadyUsage{fmt::format("{} bodies without --side have 2^{} families", undecided, undecided),
                        "choose sides by --side BODY=below|above"};
    if (!options_.carousel.empty()) {
      const NamedPlace place = find_named(trees_, "--carousel", options_.carousel, false, false);
      if (&trees_[place.tree] == &tree) {
        reply_.say(fmt::format("carousels about '{}' at {:g} rad/s", options_.carousel, *options_.rate));
        return refuse_given_spins(question, find_carousels(tree, *options_.rate, place.index, question.angles, question.azimuths,
                                                           question.sides, options));
      }
    }
    if (std::any_of(question.azimuths.begin(), question.azimuths.end(), [](const auto& azimuth) { return azimuth.has_value(); }))
      return refuse_given_spins(
          question, find_bent_chains(tree, *options_.rate, question.angles, question.azimuths, question.sides, options));

    const bool has_angle =
        std::any_of(question.angles.begin(), question.angles.end(), [](const auto& angle) { return angle.has_value(); });
    const bool prescribed = !options_.spins.empty() || !options_.momenta.empty();
    if (!has_angle && prescribed) {
      auto search = find_prescribed_motions(tree, *options_.rate, question.laws(), reply_.stop());
      if (!search) return search.failure();
      reply_.say(fmt::format("coplanar steady motions at {:g} rad/s with these spins: {}{}", *options_.rate,
                             search->motions.size(),
                             tree.size() > 1 ? "; motions in several planes are not searched for (--carousel, --azimuth)" : ""));
      Json& json = reply_.json()["search"];
      json = {{"scope", "coplanar only"},       {"found", search->motions.size()}, {"solutions", search->solutions},
              {"index_sum", search->index_sum}, {"starts", search->starts},        {"isolated", search->isolated}};
      if (search->isolated && search->index_sum != 0) {
        Diagnostics diagnostics;
        diagnostics.warning("VN-STEADY-022", {}, "",
                            fmt::format("the signs of the {} solutions sum to {} and not to 0: some are missing",
                                        search->solutions, search->index_sum),
                            "follow the branches with --branch K --to-rate R");
        reply_.tell(diagnostics);
      }
      std::vector<SteadyMotion> wanted;
      for (SteadyMotion& motion : search->motions) {
        bool fits = true;
        for (int i = 0; i < n; ++i) fits = fits && (question.sides[i] == 0 || (question.sides[i] < 0) == motion.above[i]);
        if (fits) wanted.push_back(std::move(motion));
      }
      return wanted;
    }
    if (!question.has_all_angles()) {
      for (int i = 0; i < n; ++i) {
        if (!question.angles[i])
          throw SteadyUsage{fmt::format("string '{}' has no angle", tree.bodies[i].string),
                            fmt::format("give --angle {}=RAD for every string, or spins instead: --spin {}=0",
                                        tree.bodies[i].string, tree.bodies[i].name)};
      }
    }
    if (!options_.momenta.empty())
      throw SteadyUsage{"--momentum and --angle exclude each other: the angles determine the momenta", "leave one of them out"};
    std::vector<double> angles;
    for (const auto& angle : question.angles) angles.push_back(*angle);
    reply_.say(fmt::format("coplanar families at {:g} rad/s", *options_.rate));
    std::vector<SteadyMotion> motions;
    for (const Sides& sides : enumerate_sides(question.sides))
      motions.push_back(compute_coplanar_motion(tree, *options_.rate, angles, sides, options));
    return refuse_given_spins(question, std::move(motions));
  }

  // Angles leave the spins of bodies that hang vertically free, and no others.
  static Outcome<std::vector<SteadyMotion>> refuse_given_spins(const SteadyQuestion& question,
                                                               Outcome<std::vector<SteadyMotion>> motions) {
    for (const SteadyMotion& motion : motions ? *motions : std::vector<SteadyMotion>()) {
      for (size_t i = 0; i < question.spins.size() && motion.feasible(); ++i) {
        if (question.spins[i] && !motion.free_spin[i])
          throw SteadyUsage{
              fmt::format("the spin of body '{}' follows from the angles and cannot be given", question.tree->bodies[i].name),
              "leave out --spin, or leave out the angles to find all motions with this spin"};
      }
    }
    return motions;
  }

  void warn_of_fast_spins(const StringTree& tree, const SteadyMotion& motion) {
    constexpr double kFast = 1000;
    for (int i = 0; i < tree.size(); ++i) {
      if (std::abs(motion.spins[i]) <= kFast) continue;
      Diagnostics diagnostics;
      diagnostics.warning("VN-STEADY-020", {}, fmt::format("body '{}'", tree.bodies[i].name),
                          fmt::format("spins at {:.4g} rad/s", motion.spins[i]), "a simulation needs steps of about 1/spin");
      reply_.tell(diagnostics);
    }
  }

  // --write-state and --draw.
  int finish_files() {
    int exit_code = kDone;
    if (!options_.draw.empty() && !picture_.empty()) {
      if (!write_text(options_.draw, picture_, options_.force, reply_, exit_code)) return exit_code;
      reply_.say(fmt::format("wrote {}", options_.draw));
    }
    if (options_.write_state.empty()) return reply_.finish(kDone);
    std::vector<SteadyMotion> motions;
    for (const auto& list : feasible_) {
      if (list.size() == 1) motions.push_back(list[0]);
    }
    if (motions.size() != trees_.size()) {
      const size_t count = feasible_.empty() ? 0 : feasible_[0].size();
      const Failure failure{"VN-STEADY-021",
                            fmt::format("--write-state needs exactly one feasible family{}, and there are {}",
                                        trees_.size() > 1 ? " of every tree" : "", count),
                            count == 0 ? "choose other angles" : "choose sides by --side BODY=below|above"};
      return count == 0 ? reply_.fail(failure) : reply_.refuse_usage(failure);
    }
    const Json state = to_json(*model_, make_steady_state(*model_, trees_, motions));
    if (!write_text(options_.write_state, state.dump(1) + "\n", options_.force, reply_, exit_code)) return exit_code;
    reply_.say(fmt::format("wrote {}", options_.write_state));
    return reply_.finish(kDone);
  }

  int answer_permanent() {
    const auto body = find_body_on_string(*model_, trees_);
    if (!body) return reply_.fail(body.failure());
    const HungBody& hung = trees_[0].bodies[0];
    if (!options_.measured.empty()) return answer_measured(*body, hung);
    if (!options_.rate) throw SteadyUsage{"--permanent needs --rate: how fast the body turns", "for example --rate 40"};
    tell(tell_permanent(hung, *options_.rate, find_permanent_rotations(*body, *options_.rate)));
    if (!options_.write_state.empty() || !options_.draw.empty())
      throw SteadyUsage{"--write-state and --draw are for symmetric bodies, and --permanent is for any body", "leave them out"};
    return reply_.finish(kDone);
  }

  int answer_measured(const BodyOnString& body, const HungBody& hung) {
    Diagnostics diagnostics(options_.measured);
    const auto table = read_table(options_.measured, diagnostics);
    const char* const names[] = {"rate", "vertical_x", "vertical_y"};
    const NumberTable::Column* columns[3] = {};
    for (int c = 0; c < 3 && table; ++c) {
      columns[c] = table->find(names[c]);
      if (columns[c] == nullptr)
        diagnostics.error("VN-FILE-124", {1, 1}, fmt::format("column '{}'", names[c]), "is missing from the measurements",
                          "a header such as: rate [rad/s],vertical_x [1],vertical_y [1]");
    }
    reply_.tell(diagnostics);
    if (!table || diagnostics.has_errors()) return reply_.finish(kWrongUsage);
    std::vector<MeasuredTilt> measured;
    for (size_t row = 0; row < table->rows; ++row)
      measured.push_back({columns[0]->values[row], columns[1]->values[row], columns[2]->values[row]});
    const auto found = find_imbalance(body, measured, options_.fit_inertia);
    if (!found) return reply_.fail(found.failure());

    tell(tell_imbalance(body, hung, *found, measured.size()));
    if (!options_.write_state.empty())
      throw SteadyUsage{"--measured finds no motion that --write-state could write", "leave it out"};
    int exit_code = kDone;
    if (!options_.draw.empty()) {
      if (!write_text(options_.draw, draw_measured_tilts(body, *found, measured), options_.force, reply_, exit_code))
        return exit_code;
      reply_.say(fmt::format("wrote {}", options_.draw));
    }
    return reply_.finish(kDone);
  }

  const SteadyMotionOptions& options_;
  Reply& reply_;
  Kept::Trees own_;
  Kept::Trees& found_;
  const std::vector<StringTree>& trees_;
  std::shared_ptr<const Model> model_;
  std::vector<SteadyQuestion> questions_;
  std::vector<std::vector<CriticalRate>> critical_;  // of every tree
  std::vector<std::vector<SteadyMotion>> feasible_;  // of every tree
  SteadyMotion first_;
  const SteadyMotion* shown_ = nullptr;
  const StringTree* shown_tree_ = nullptr;
  std::string picture_;
};

}  // namespace

int answer_steady(const SteadyMotionOptions& options, Reply& reply) { return SteadyCommand(options, reply).run(); }

}  // namespace vinculum
