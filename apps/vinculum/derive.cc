// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/symbolic/derive.h"
#include "vinculum/symbolic/generate_c.h"
#include "vinculum/symbolic/print.h"

namespace vinculum::app {

namespace {

struct DeriveCommandOptions : ModelOptions {
  std::string to = "text";
  std::string form = "automatic";
  int terms = DeriveOptions{}.most_terms;
};

int answer(std::string text, Reply& reply) {
  reply.json()["equations"] = text;
  text.pop_back();  // the line's end that say() puts
  reply.say(text);
  return reply.finish(kDone);
}

int run_derive(const DeriveCommandOptions& options) {
  PrintedReply reply(options.json);
  int exit_code = kDone;
  if (options.terms < 1 || options.terms > kMostWrittenTerms)
    return reply.refuse_usage(fmt::format("--terms must lie between 1 and {}", kMostWrittenTerms),
                              "`derive --to c` prints equations of any length");
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  reply.json()["to"] = options.to;
  catch_interrupts();
  if (options.to == "c") {
    const auto text = generate_c(*model, is_interrupted);
    return text ? answer(*text, reply) : reply.fail(text.failure());
  }

  DeriveOptions derive;
  derive.most_terms = options.terms;
  derive.stop = is_interrupted;
  if (options.form == "closed") derive.form = DerivedForm::closed;
  if (options.form == "joint") derive.form = DerivedForm::joint;
  const auto equations = derive_equations(*model, derive);
  if (!equations) return reply.fail(equations.failure());

  Json& json = reply.json();
  json["form"] = equations->is_closed_form ? "closed" : "joint";
  json["terms"] = equations->terms;
  json["rows"] = Json::object();
  for (const DerivedEquation& equation : equations->equations) json["rows"][equation.of] = to_text(equation);
  const auto list = [&](const char* key, const std::vector<Definition>& definitions) {
    json[key] = Json::array();
    for (const Definition& definition : definitions) {
      Json entry{{"name", definition.name}, {"formula", to_text(definition.formula)}};
      if (definition.formula.is_constant()) entry["value"] = definition.formula.constant_value();
      json[key].push_back(std::move(entry));
    }
  };
  list("angles", equations->angles);
  list("motions", equations->motions);
  list("definitions", equations->definitions);
  return answer(options.to == "latex" ? to_latex(*model, *equations) : to_text(*model, *equations), reply);
}

}  // namespace

void add_derive(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DeriveCommandOptions>();
  options->start = UseOfStart::none;
  options->why_unused = "equations do not depend on where the model starts";
  CLI::App* command = app.add_subcommand("derive", "print the equations of motion as text, LaTeX or C");
  command->footer(
      "example:\n  vinculum derive pendulum.yaml\n  vinculum derive pendulum.yaml --to latex\n"
      "  vinculum derive arm.yaml --to c > arm.c");
  add_model_options(*command, *options, false);
  command->add_option("--to", options->to, "text and LaTeX name the parameters of the model; C is for any tree")
      ->check(CLI::IsMember({"text", "latex", "c"}))
      ->capture_default_str();
  command
      ->add_option("--form", options->form,
                   "closed: planar trees in absolute angles; joint: joint coordinates; automatic: closed if it exists")
      ->check(CLI::IsMember({"automatic", "closed", "joint"}))
      ->capture_default_str();
  command->add_option("--terms", options->terms, "largest number of terms to print")
      ->type_name("N")
      ->check(finite_number())
      ->capture_default_str();
  const auto is_written_out = [options] { return options->to != "c"; };
  OptionRules()
      .only_if("--form", is_written_out, "C code computes the recursion of the tree, in no other form")
      .only_if("--terms", is_written_out, "C code of any length is written")
      .apply(*command);
  command->callback([options, &exit_code] { exit_code = run_derive(*options); });
}

}  // namespace vinculum::app
