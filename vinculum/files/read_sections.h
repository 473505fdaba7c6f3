// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "vinculum/files/read_model.h"
#include "vinculum/files/read_values.h"
#include "vinculum/formats/text.h"

namespace vinculum {

// The sections of a model file (contract, section 2), each read into its part of the description. An empty node is an absent
// section.

void read_parameters(ReaderContext& context, YamlNode section, const ReadOptions& options, ModelDescription& model);
void read_tables(ReaderContext& context, YamlNode section, const ReadOptions& options, ModelDescription& model);
// States, inputs and sampled values may name each other in their formulas: all names first, in the order of their coordinates.
void declare_states(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_inputs(ReaderContext& context, YamlNode section, ModelDescription& model);
void declare_samples(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_rates(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_samples(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_bodies(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_environment(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_contacts(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_motions(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_velocity_constraints(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_strings(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_guides(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_forces(ReaderContext& context, YamlNode section, ModelDescription& model);
void read_events(ReaderContext& context, YamlNode section, ModelDescription& model);
// `names` knows what their formulas may name.
class OutputNames;  // output_names.h
void read_outputs(ReaderContext& context, YamlNode section, OutputNames& names, ModelDescription& model);
void add_written(ReaderContext& context, OutputNames& names, const std::vector<Written>& written, ModelDescription& model);
void read_initial(ReaderContext& context, YamlNode section, const ReadOptions& options, ModelDescription& model);

// sign | {viscous: k} | {saturated|tanh|algebraic|arctan|dead-zone|hysteresis: m/s} | {delay|lag: s}.
// `linear` if the slip is known to be a velocity in m/s; the slip of a velocity constraint may be anything.
bool read_slip_law(ReaderContext& context, YamlNode node, bool linear, std::optional<SlipLaw>& law);

enum class Naming { own, of_coordinates };  // what the keys of a section are

// Calls read(name, place, node) for every entry of a section: "boom: {..}".
template <class Read>
void read_entries(ReaderContext& context, YamlNode section, std::string_view kind, Naming naming, Read&& read) {
  if (!section || section.is_null()) return;  // a section whose entries are all commented out is empty
  if (!section.is_mapping()) {
    context.error("VN-FILE-010", section, fmt::format("expected a mapping `name: ..`, found {}", section.kind_text()),
                  "every entry stands under its name: `name: {..}`");
    context.lose_structure();
    return;
  }
  for (int i = 0; i < section.size() && !context.has_enough(); ++i) {
    const YamlNode key = section.key(i);
    context.begin_element(fmt::format("{} {}", kind, in_quotes(key.text())));
    if (naming == Naming::own) check_name(context, key);
    read(std::string(key.text()), key.place(), section.entry(i));
  }
  context.begin_element("");
}

}  // namespace vinculum
