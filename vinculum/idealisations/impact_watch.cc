// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/impact_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/decision/impact_problem.h"
#include "vinculum/idealisations/checkpoint_words.h"

namespace vinculum {

void ImpactWatcher::hear_impact(const ImpactReport& report, double t) {
  // Of what the rows exchanged: rates after an impact are known to 1e-12 of what they are at most (decision/impact.cc), energies
  // are sums of their products with impulses.
  constexpr double kRoundOffOfEnergy = 1e-10;
  ++count_;
  lost_ += report.energy_lost();
  double exchanged = report.energy_before;
  for (const ImpactReport::RowImpulse& row : report.impulses) exchanged += std::abs(row.energy_lost);
  if (-report.energy_lost() > kRoundOffOfEnergy * exchanged) {
    if (!made_first_.happened()) made_ = -report.energy_lost(), before_ = report.energy_before;
    made_first_.take_if_none(t);
    ++made_count_;
  }
  if (!report.other.empty() && !order_first_.happened()) {
    order_first_.take_if_none(t);
    followed_ = report.followed;
    other_ = report.other;
  }
  if (!report.compared) ++uncompared_;
}

void ImpactWatcher::judge(double, std::vector<Verdict>& verdicts) const {
  if (count_ == 0) return;
  Verdict verdict;
  verdict.subject = "impacts";
  verdict.term = "energy and order of impacts";
  const std::string order = order_first_.happened()
                                ? fmt::format(
                                      "contacts struck together at t = {:.4g} s leave with {} here, one after the other "
                                      "with {}",
                                      *order_first_.t, followed_, other_)
                                : "";
  const std::string many = fmt::format("{:g} impact{} dissipated {:.4g} J", count_, count_ == 1 ? "" : "s", lost_);
  if (made_first_.happened()) {
    verdict.verdict = Holds::violated;
    verdict.first_violation = made_first_.t;
    verdict.why = fmt::format("the impact law created {:.4g} J at t = {:.4g} s, kinetic energy before {:.4g} J{}", made_,
                              *made_first_.t, before_, made_count_ > 1 ? fmt::format("; {:g} such impacts", made_count_) : "");
    if (!order.empty()) verdict.why += "; " + order;
    verdict.hint = "use `restitution: {energetic: e}`, which never creates energy";
  } else if (order_first_.happened()) {
    verdict.verdict = Holds::not_unique;
    verdict.first_violation = order_first_.t;
    verdict.why = order;
    verdict.hint = "give the contacts a gap, or a stiffness by `laws`, to define which is struck first";
  } else if (uncompared_ > 0) {
    verdict.why = fmt::format("{}; more than {} contacts struck together {} time{}: their order was not varied", many,
                              kMostOrdered, uncompared_, uncompared_ == 1 ? "" : "s");
  } else {
    verdict.verdict = Holds::holds;
    verdict.why = many + "; none created energy or depends on the order of contacts";
  }
  verdicts.push_back(std::move(verdict));
}

std::vector<double> ImpactWatcher::memory() const {
  std::vector<double> numbers{count_, lost_, made_count_, made_, before_, uncompared_};
  made_first_.add_to(numbers);
  order_first_.add_to(numbers);
  for (const std::string& words : {followed_, other_}) add_words(numbers, words);
  return numbers;
}

bool ImpactWatcher::restore(std::span<const double> n) {
  constexpr size_t kNumbers = 6, kOfTime = FirstTime::kNumbers;
  if (n.size() < kNumbers + 2 * kOfTime) return false;
  count_ = n[0], lost_ = n[1], made_count_ = n[2], made_ = n[3], before_ = n[4], uncompared_ = n[5];
  made_first_ = FirstTime::from_numbers(n.subspan<kNumbers, kOfTime>());
  order_first_ = FirstTime::from_numbers(n.subspan<kNumbers + kOfTime, kOfTime>());
  n = n.subspan(kNumbers + 2 * kOfTime);
  return take_words(n, followed_) && take_words(n, other_) && n.empty();
}

void add_impulses(const Model& model, const std::vector<ImpactReport>& impacts, std::span<Occurrence> events) {
  // Which element strikes with a row: that of the one-sided row whose mode it shares, or whose friction it is.
  const auto element_of_row = [&](int index) -> const OneSided* {
    const Row& row = model.rows()[index];
    for (const OneSided& element : model.one_sided()) {
      const bool hangs = row.mode >= 0 && row.mode == element.mode && row.when == model.rows()[element.row].when;
      const bool rubs = row.grip >= 0 && model.grips()[row.grip].normal == element.row;
      if (element.row == index || hangs || rubs) return &element;
    }
    return nullptr;
  };
  const auto is_of_impact = [&](const Occurrence& event) {
    return event.kind == EventKind::jam || std::ranges::any_of(model.one_sided(), [&](const OneSided& element) {
             return element.element == event.element && element.touches == event.kind;
           });
  };
  std::vector<Occurrence*> of_impact;
  for (Occurrence& event : events) {
    if (is_of_impact(event)) of_impact.push_back(&event);
  }
  if (of_impact.empty()) return;
  for (const ImpactReport& report : impacts) {
    for (const ImpactReport::RowImpulse& row : report.impulses) {
      const OneSided* element = element_of_row(row.row);
      const auto own = std::ranges::find_if(of_impact, [&](const Occurrence* event) {
        return element != nullptr && element->element == event->element &&
               (event->kind == EventKind::jam || event->kind == element->touches);
      });
      Occurrence& event = own == of_impact.end() ? *of_impact.front() : **own;
      event.impulses.push_back({model.rows()[row.row].name, row.impulse});
      event.energy_lost = event.energy_lost.value_or(0) + row.energy_lost;
    }
  }
}

}  // namespace vinculum
