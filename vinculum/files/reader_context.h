// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vinculum/expression/parse.h"
#include "vinculum/formats/yaml_document.h"
#include "vinculum/model/description.h"

namespace vinculum {

// Which variables a formula may use beside the parameters.
enum class Scope {
  constant,  // none
  time,      // t
  surface,   // x, y of the surface's own frame
  contact,   // depth, rate of a contact
  law,       // t, coordinates, velocities
  line,      // and length, rate of a force along a line
  event,     // and all that outputs may name
  output,    // the same, and dimensions must fit also where no number has a unit
};

// A formula and where it stands: a part of a scalar, or (without a node) a text of the command line.
struct SourceText {
  std::string_view text;
  YamlNode node;
  size_t begin = 0;  // in the scalar

  Place place(size_t offset = 0) const { return node ? node.place(begin + offset) : Place{}; }
};

// The common memory of the readers of all sections: what is being read, which names are known, and what has gone
// wrong. A wrong entry keeps its name, so that an error is reported once and not again wherever the name is used.
class ReaderContext {
 public:
  ReaderContext(Diagnostics& diagnostics, YamlNode root);

  // ---- trouble ----

  // Until the next call, all reports are about this element ("body 'boom'"); empty: the file as a whole.
  void begin_element(std::string element) { element_ = std::move(element); }
  const std::string& element() const { return element_; }

  void error(std::string_view code, Place place, std::string message, std::string hint = {});
  void warning(std::string_view code, Place place, std::string message, std::string hint = {});
  // About a node: the message is preceded by the key it stands under.
  void error(std::string_view code, YamlNode node, std::string_view message, std::string hint = {});
  bool has_errors() const { return diagnostics_.has_errors(); }
  // So many errors that the rest is not read.
  bool has_enough() const;

  // Something others refer to could not be understood: then the rules of the model as a whole cannot be judged.
  void lose_structure() { structure_lost_ = true; }
  bool is_structure_lost() const { return structure_lost_; }
  // A whole section could not be understood: names that are not known in a formula may be from there.
  void lose_parameters() { parameters_lost_ = structure_lost_ = true; }
  void lose_bodies() { bodies_lost_ = structure_lost_ = true; }

  // ---- names ----

  void add_parameter(const std::string& name, double value, std::optional<Dimension> dimension);
  void add_broken_name(std::string_view name) { broken_names_.emplace(name); }
  bool is_declared_parameter(const std::string& name) const { return declared_parameters_.contains(name); }
  void add_bodies(const std::vector<BodyDescription>& bodies);
  // A coordinate that moves no body, after all others; of what its value is, as far as that is known.
  void add_extra_state(const std::string& name, std::optional<Dimension> dimension = std::nullopt);

  // Of coordinates and velocities, in the order of the model.
  const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  const std::vector<std::string>& velocity_names() const { return velocity_names_; }
  // What the value of a coordinate or velocity, or the generalised force on a velocity, is measured in; none if there is no such
  // name.
  std::optional<Dimension> find_dimension(std::string_view name) const;
  // The model's own name of a coordinate or velocity that may be called by its joint; any other name as it is.
  std::string own_name(const std::string& name) const;
  std::optional<Dimension> find_force_dimension(std::string_view joint) const;

  // ---- formulas ----

  // The formula in a text; none, with a report, if it is wrong or has another dimension than required.
  std::optional<ParsedExpression> parse(const SourceText& text, Scope scope, std::optional<Dimension> wanted = std::nullopt);

  struct Constant {
    double value = 0;
    std::optional<Dimension> dimension;
    Expression formula;
  };
  std::optional<Constant> parse_constant(const SourceText& text, std::optional<Dimension> wanted = std::nullopt);

  // Where names are looked for that only outputs and events may use.
  void set_quantities(std::function<std::optional<NameTable::Quantity>(std::string_view)> find,
                      std::function<std::vector<std::string>()> list);
  void add_table(const std::string& name, std::shared_ptr<const TableFunction> function);
  // True if a formula of this scope may use the name.
  bool is_known(std::string_view name, Scope scope) const;

 private:
  const NameTable& names_of(Scope scope) const { return tables_[static_cast<int>(scope)]; }
  void explain_parse_error(const SourceText& text, const ParseError& error, Scope scope);
  bool check_dimension(const SourceText& text, std::optional<Dimension> found, std::optional<Dimension> wanted);
  std::string with_label(YamlNode node, std::string_view message) const;
  std::string list_coordinates(std::string_view body) const;

  Diagnostics& diagnostics_;
  std::string element_;
  std::set<std::string, std::less<>> broken_names_;  // parameters without a value, bodies without a known joint
  bool structure_lost_ = false, parameters_lost_ = false, bodies_lost_ = false;
  std::unordered_map<std::string, int> declared_parameters_;  // with their lines; a formula sees those above it
  std::unordered_set<std::string> declared_bodies_;
  std::unordered_map<std::string, std::string_view> declared_quantities_;  // outputs and elements that have some, and their word
  std::unordered_map<std::string, std::string_view> declared_held_;        // inputs and sampled values, and their word
  std::unordered_map<std::string, std::string> own_names_;  // of coordinates and velocities, by the names of joints
  NameTable tables_[8];
  std::vector<std::string> coordinate_names_, velocity_names_;
  std::vector<std::optional<Dimension>> coordinate_dimensions_;
  std::vector<Dimension> velocity_dimensions_;
};

// A mapping whose keys are known. Others are reported, with the nearest known one.
class Fields {
 public:
  // The node may be empty; anything other than a mapping is reported and counts as an empty mapping.
  Fields(ReaderContext& context, YamlNode node, std::initializer_list<std::string_view> known);

  explicit operator bool() const { return static_cast<bool>(node_); }
  YamlNode node() const { return node_; }
  Place place() const { return node_.place(); }

  // The value under a key; the empty node if it is not there.
  YamlNode operator[](std::string_view key) const { return node_ ? node_.find(key) : YamlNode(); }
  bool has(std::string_view key) const { return static_cast<bool>((*this)[key]); }
  // Reported if it is missing.
  YamlNode require(std::string_view key, std::string hint = {}) const;
  // The one of these keys that is present; reported, and empty, if there is none or more than one.
  std::string_view require_one_of(std::initializer_list<std::string_view> keys) const;
  // Reported if it is present: it has no meaning because of `reason`.
  void refuse(std::string_view key, std::string_view reason, std::string hint = {}) const;

  // Missing because it is misspelt, or would come from a merge: that has been reported.
  bool is_misspelt(std::string_view key) const {
    return has_merge_ || std::find(meant_.begin(), meant_.end(), key) != meant_.end();
  }

 private:
  ReaderContext& context_;
  YamlNode node_;
  std::vector<std::string> meant_;  // the known keys that unknown ones are near to
  bool has_unknown_ = false, has_merge_ = false;
};

}  // namespace vinculum
