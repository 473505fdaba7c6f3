// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/constraints/joint_friction.h"
#include "vinculum/friction/guide_history.h"
#include "vinculum/friction/guide_statics.h"
#include "vinculum/page/friction_plot.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

std::string end_text(double end) { return std::isinf(end) ? (end < 0 ? "-infinity" : "infinity") : fmt::format("{:.9g}", end); }
Json end_json(double end) { return std::isinf(end) ? Json() : Json(end); }

void tell_limit(const LimitLoad& limit, const GuideStatics& statics, const Model& model, const std::string& load, Reply& reply) {
  Json& json = reply.json();
  const bool limited = limit.verdict == LimitLoad::Verdict::limited;
  json["load"] = load;
  json["verdict"] = to_text(limit.verdict);
  json["alpha"] = limited ? Json(limit.alpha) : Json();
  Json intervals = Json::array(), faces = Json::object(), reactions = Json::object();
  for (const auto& interval : limit.intervals) intervals.push_back({end_json(interval.low), end_json(interval.high)});
  for (size_t k = 0; k < limit.faces.size(); ++k) {
    faces[statics.names[k]] = limit.faces[k];
    reactions[statics.names[k]] = limit.signed_reactions[static_cast<Eigen::Index>(k)];
  }
  json["faces"] = faces;
  json["signed_N"] = reactions;
  json["intervals"] = intervals;
  Json wedged = Json::array();
  for (const auto& interval : limit.wedged) wedged.push_back({end_json(interval.low), end_json(interval.high)});
  json["wedged"] = wedged;
  json["can_wedge"] = limit.can_wedge;
  json["first_loss"] = limit.first_loss ? Json(*limit.first_loss) : Json();
  json["rests_unloaded"] = limit.rests_unloaded;
  json["kinematic_alpha"] = limit.kinematic_alpha ? Json(*limit.kinematic_alpha) : Json();
  json["paper_test"] = limit.paper_alpha ? Json(*limit.paper_alpha) : Json();

  reply.say(limited ? fmt::format("limited: friction holds alpha times the force '{}' up to alpha = {:.12g}", load, limit.alpha)
            : limit.verdict == LimitLoad::Verdict::self_locking && !limit.first_loss
                ? fmt::format("self-locking: friction holds the force '{}' however large it is", load)
            : limit.verdict == LimitLoad::Verdict::self_locking
                ? fmt::format("self-locking from alpha = {} on: friction holds the force '{}' however large, but not while it "
                              "grows from 0",
                              end_text(limit.intervals.back().low), load)
                : fmt::format("no rest: friction holds the force '{}' for no alpha >= 0", load));
  for (const auto& interval : limit.intervals)
    reply.say(fmt::format("  at rest for alpha from {} to {}", end_text(interval.low), end_text(interval.high)));
  for (const auto& interval : limit.wedged)
    reply.say(fmt::format("  of these, from {} to {} only if wedged: opposite faces can press on each other without load",
                          end_text(interval.low), end_text(interval.high)));
  if (limit.first_loss) reply.say(fmt::format("  a load that grows from 0 slips first at alpha = {:.12g}", *limit.first_loss));
  for (size_t k = 0; k < limit.faces.size(); ++k)
    reply.say(fmt::format("  {:<16} {:>8} {:>16.9g} N", statics.names[k],
                          limit.faces[k] == 0 ? "unloaded" : fmt::format("face {}", limit.faces[k]),
                          std::abs(limit.signed_reactions[static_cast<Eigen::Index>(k)])));
  if (limited) {
    Json slip = Json::object();
    if (limit.slip_direction.size() > 0) reply.say("  direction in which it begins to slip");
    for (Eigen::Index i = 0; i < limit.slip_direction.size(); ++i) {
      slip[model.velocity_names()[static_cast<size_t>(i)]] = limit.slip_direction[i];
      reply.say(fmt::format("    {:<14} {:>16.9g}", model.velocity_names()[static_cast<size_t>(i)], limit.slip_direction[i]));
    }
    json["slip_direction"] = slip;
    if (limit.kinematic_alpha && std::abs(*limit.kinematic_alpha - limit.alpha) > 1e-9 * std::abs(limit.alpha))
      reply.say(fmt::format("  limit from the slip direction: {:.12g}; the limit above is an upper bound of it",
                            *limit.kinematic_alpha));
  }
  if (limit.paper_alpha) reply.say(fmt::format("  a sufficient condition proves rest up to {:.9g}", *limit.paper_alpha));
}

}  // namespace

int answer_limit(const LimitOptions& options, Reply& reply) {
  reply.begin_computing();
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = refuse_joint_friction(*model, "the limit load")) return reply.fail(*refusal);
  if (model->face_pairs().empty())
    return reply.fail({"VN-VARIANT-026", "the model has no guides",
                       "a limit load is held by friction in guides: see `guides` of the model file"});
  std::fill(state->v.begin(), state->v.end(), 0.0);
  const auto load = compute_load(*model, *state, options.load);
  if (!load) return reply.refuse_usage(load.failure());
  Workspace workspace(*model);
  const ConstraintSet set(*model, *state);
  auto statics = reduce_guides_at_rest(set, *state, *load, workspace);
  if (!statics) return reply.fail(statics.failure());
  const auto limit = find_limit_load(statics->problem, reply.stop());
  if (!limit) return reply.fail(limit.failure());
  tell_limit(*limit, *statics, *model, options.load, reply);
  if (remembers_hold(set)) {
    const auto kept = find_kept_factors(set, *state, *load, workspace);
    if (!kept) return reply.fail(kept.failure());
    reply.json()["kept"] = {end_json((*kept)[0]), end_json((*kept)[1])};
    reply.say(fmt::format("  by the reactions that the state remembers it stays from alpha = {} to {}", end_text((*kept)[0]),
                          end_text((*kept)[1])));
  }

  if (!options.polar.empty()) {
    // The plane of the first face; the force as large as it is.
    const auto rows = compute_constraint_rows(set, *state);
    if (!rows) return reply.fail(rows.failure());
    const Vector3 normal = rows->pairs.front().faces[1].normal_W;
    const Vector3 level = cross(std::abs(normal.y) < 0.9 ? Vector3{0, 1, 0} : Vector3{0, 0, 1}, normal);
    const Vector3 first = (1 / norm(level)) * level, second = cross(normal, first);
    const auto along = compute_load(*model, *state, options.load, first),
               across = compute_load(*model, *state, options.load, second);
    if (!along) return reply.refuse_usage(along.failure());
    if (!across) return reply.refuse_usage(across.failure());
    RestProblem turned = statics->problem;
    std::vector<LimitRay> rays;
    Json list = Json::array();
    for (int i = 0; i < options.rays; ++i) {
      LimitRay ray{2 * std::numbers::pi * i / options.rays};
      turned.load = std::cos(ray.angle) * *along + std::sin(ray.angle) * *across;
      if (turned.load.cwiseAbs().maxCoeff() > 1e-9 * (along->cwiseAbs().maxCoeff() + across->cwiseAbs().maxCoeff())) {
        const auto bears = find_limit_load(turned, reply.stop(), false);
        if (!bears) return reply.fail(bears.failure());
        ray.rests = bears->rests_unloaded;
        ray.endless = bears->verdict == LimitLoad::Verdict::self_locking;
        ray.alpha = bears->can_wedge ? bears->alpha : bears->first_loss.value_or(bears->alpha);
      }
      list.push_back({{"angle", ray.angle}, {"force", ray.endless || !ray.rests ? Json() : Json(ray.alpha)}});
      rays.push_back(ray);
    }
    reply.json()["polar"] = list;
    if (!write_text(options.polar, draw_limit_diagram(rays, options.load), options.force, reply, exit_code)) return exit_code;
    reply.say(fmt::format("wrote {}: the force in newtons that is held in each direction of the plane of '{}'", options.polar,
                          statics->names.front()));
  }
  return reply.finish(kDone);
}

}  // namespace vinculum
