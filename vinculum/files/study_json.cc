// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/study_json.h"

namespace vinculum {

namespace {

Json to_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"value", estimate->value}, {"error", estimate->error}};
}

Json to_json(const ConfidenceInterval& interval) { return {interval.low, interval.high}; }

Json to_json(const Spread& spread, bool sampled) {
  Json json{{"count", spread.count}};
  if (spread.count == 0) return json;
  json.update({{"mean", spread.mean}, {"deviation", spread.deviation}, {"least", spread.least}, {"largest", spread.largest}});
  json["quantiles"] = Json::array();
  for (const Quantile& quantile : spread.quantiles) {
    json["quantiles"].push_back({{"p", quantile.p}, {"value", quantile.value}});
    if (sampled) json["quantiles"].back()["interval"] = to_json(quantile.interval);
  }
  return json;
}

Json to_json(const Sensitivity& sensitivity, const std::vector<std::string>& parameters, const std::string& event) {
  Json json{{"method", to_text(sensitivity.method)}, {"points", sensitivity.points}};
  if (!event.empty()) json["of"] = event;
  Json& rows = json["parameters"] = Json::object();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Influence& influence = sensitivity.parameters[i];
    rows[parameters[i]] = {{"first", to_json(influence.first)},
                           {"total", to_json(influence.total)},
                           {"rank_correlation", to_json(influence.rank_correlation)}};
  }
  return json;
}

}  // namespace

Json to_json(const StudyStatistics& statistics) {
  Json json = Json::object();
  for (const QuantityStatistics& quantity : statistics.quantities) {
    Json& entry = json[quantity.quantity] = Json::object();
    if (quantity.spread) entry["spread"] = to_json(*quantity.spread, statistics.sampled);
    if (!quantity.words.empty()) {
      Json& fractions = entry["fractions"] = Json::object();
      for (std::size_t w = 0; w < quantity.words.size(); ++w) {
        const Fraction& fraction = quantity.fractions[w];
        Json& told = fractions[quantity.words[w]] = {{"count", fraction.count}, {"of", fraction.of}, {"value", fraction.value}};
        if (statistics.sampled) told["interval"] = to_json(fraction.interval);
      }
    }
    if (quantity.sensitivity)
      entry["sensitivity"] = to_json(*quantity.sensitivity, statistics.parameters, quantity.event);
    else
      entry["sensitivity"] = {{"method", "none"}, {"why", quantity.why_not}};
  }
  return json;
}

}  // namespace vinculum
