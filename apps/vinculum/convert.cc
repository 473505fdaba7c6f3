// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/formats/text.h"
#include "vinculum/import/convert_urdf.h"

namespace vinculum::app {

namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  UrdfOptions urdf;
  bool strict = false;
  bool force = false;
  bool json = false;
};

Json notes_to_json(const std::vector<LossNote>& notes) {
  Json list = Json::array();
  for (const LossNote& note : notes) list.push_back({{"element", note.element}, {"line", note.place.line}, {"note", note.note}});
  return list;
}

int run_convert(const ConvertOptions& options) {
  PrintedReply reply(options.json);
  const auto text = read_text(options.input);
  if (!text) return reply.refuse_usage(fmt::format("cannot read {}", options.input), "check the path");
  Diagnostics diagnostics(options.input);
  const auto conversion = convert_urdf(*text, diagnostics, options.urdf);
  std::optional<std::string> model;
  if (conversion) model = write_conversion(*conversion, diagnostics);
  reply.tell(diagnostics);
  if (!model) return reply.finish(kInvalidModel);

  reply.json()["losses"] = notes_to_json(conversion->losses);
  reply.json()["remarks"] = notes_to_json(conversion->remarks);
  reply.json()["loss_kinds"] = Json::array();
  for (const LossKind& kind : count_kinds(conversion->losses)) {
    reply.json()["loss_kinds"].push_back(
        {{"kind", kind.first.kind}, {"count", kind.count}, {"line", kind.first.place.line}, {"note", kind.first.note}});
    print_error(kind.count == 1 ? fmt::format("not converted: {}\n", to_text(kind.first))
                                : fmt::format("not converted: {} x {}, the first in {}\n", kind.count, visible(kind.first.kind),
                                              to_text(kind.first)));
  }
  if (options.strict && !conversion->losses.empty()) {
    return reply.fail({"VN-URDF-100",
                       fmt::format("{} elements were not converted, and --strict was given", conversion->losses.size()),
                       "leave out --strict to accept the model as written"});
  }
  if (options.output.empty()) {
    if (options.json) reply.json()["model"] = *model;
    if (!options.json) print(*model);
    return reply.finish(kDone);
  }
  int exit_code = kDone;
  if (!write_text(options.output, *model, options.force, reply, exit_code)) return exit_code;
  reply.say(fmt::format("wrote {}: {} bodies", options.output, conversion->description.bodies.size()));
  return reply.finish(kDone);
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "convert a URDF robot to a model file; list what was not converted");
  command->footer(
      "example:\n  vinculum convert arm.urdf -o arm.yaml\n  vinculum convert dog.urdf -o dog.yaml --floating-base "
      "--accept-inertia");
  command->add_option("urdf", options->input, "robot in URDF")->required();
  command->add_option("-o,--output", options->output, "model file to write; standard output if not given")->type_name("FILE");
  command->add_flag("--floating-base", options->urdf.floating_base,
                    "the root link moves freely instead of being fixed to the world");
  command->add_flag("--accept-inertia", options->urdf.accept_inertia,
                    "accept links with impossible inertia tensors, with a warning");
  command->add_flag("--force", options->force, "replace that file if it exists");
  command->add_flag("--strict", options->strict, "fail if any element was not converted");
  command->add_flag("--json", options->json, "print one JSON document instead of text");
  OptionRules().only_with("--force", {"--output"}, "no file is written").apply(*command);
  command->callback([options, &exit_code] { exit_code = run_convert(*options); });
}

}  // namespace vinculum::app
