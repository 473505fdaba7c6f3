// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/constraints/pad.h"

namespace vinculum::app {

namespace {

struct PadOptions {
  std::string pressure = "uniform";
  std::vector<double> beta;
  std::optional<double> gyration;
  bool json = false;
};

int run_pad(const PadOptions& options) {
  PrintedReply reply(options.json);
  const auto law = read_pressure(options.pressure);
  if (!law) return reply.fail(law.failure());
  if (options.beta.empty() && !options.gyration)
    return reply.refuse_usage("give --beta, --gyration or both", "for example --beta 0.5,1,2");
  for (const double beta : options.beta) {
    if (!(beta >= 0))
      return reply.fail(
          {"VN-VARIANT-012", fmt::format("beta = {} is negative", beta), "it is a ratio of speeds: V/(|Omega| radius)"});
  }
  if (options.gyration && !(*options.gyration > 0))
    return reply.fail({"VN-VARIANT-012", fmt::format("the gyration {} is not positive", *options.gyration),
                       "J/(m R^2) of the disc: 0.5 if it is uniform"});
  Json& json = reply.json();
  json["pressure"] = options.pressure;
  json["beta"] = options.beta;
  for (const char* const key : {"S", "T", "D"}) json[key] = Json::array();
  if (!options.beta.empty()) reply.say("      beta            S (force)           T (moment)          D (power)");
  for (const double beta : options.beta) {
    const PadFactors factors = compute_pad(*law, beta);
    json["S"].push_back(factors.S), json["T"].push_back(factors.T), json["D"].push_back(factors.D);
    reply.say(fmt::format("{:>12.6g} {:>19.15f} {:>19.15f} {:>19.15g}", beta, factors.S, factors.T, factors.D));
  }
  const PadMoments moments = compute_pad_moments(*law);
  json["moments"] = {{"1/x", moments.inverse}, {"x", moments.first}, {"x^2", moments.even[1]}};
  if (options.gyration) {
    const auto ratio = find_final_ratio(*law, *options.gyration);
    json["gyration"] = *options.gyration;
    json["final_ratio"] = ratio ? Json(*ratio) : Json();
    if (!ratio)
      reply.say("a disc of this gyration only slides in the end: v/(omega R) grows beyond all bounds");
    else if (*ratio == 0)
      reply.say("a disc of this gyration only turns in the end: v/(omega R) tends to 0");
    else
      reply.say(fmt::format("a disc that slides and spins comes to rest with v/(omega R) = {:.15f}, whatever its start", *ratio));
  }
  return reply.finish(kDone);
}

}  // namespace

void add_pad(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PadOptions>();
  CLI::App* command = app.add_subcommand("pad", "compute the friction of a round pad that slides and spins");
  command->footer(
      "A pad of radius r has speed V of its centre and spin Omega, with beta = V/(|Omega| r). With load N and friction f:\nforce "
      "f N S against V, moment f N r T against Omega, power f N |Omega| r D.\n\nPressures over x = "
      "distance/radius: power:N is (1 - x^2)^N, cosine:N is cos^N(pi x/2).\nuniform = power:0, punch (a rigid flat foot) = "
      "power:-0.5, hertz (a round one) = power:0.5, a thin ring = power:-1.\n"
      "example:\n  vinculum pad --pressure uniform --beta 0.5,1,2\n  vinculum pad --pressure uniform --gyration 0.5");
  command->add_option("--pressure", options->pressure, "uniform, punch, hertz, power:N or cosine:N")
      ->capture_default_str()
      ->type_name("P");
  command->add_option("--beta", options->beta, "ratios V/(|Omega| r)")
      ->delimiter(',')
      ->check(finite_number())
      ->type_name("B[,B..]");
  command
      ->add_option("--gyration", options->gyration,
                   "J = G m R^2 of a disc: compute the ratio v/(omega R) with which it comes to rest")
      ->check(finite_number())
      ->type_name("G");
  command->add_flag("--json", options->json, "print one JSON document instead of text");
  command->callback([options, &exit_code] { exit_code = run_pad(*options); });
}

}  // namespace vinculum::app
