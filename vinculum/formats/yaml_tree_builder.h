// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "vinculum/formats/yaml_document.h"

namespace vinculum {

// Why a text is refused as a whole: thrown inside the parser, told by load_yaml.
struct YamlRefusal {
  std::string_view code;
  size_t offset = 0;
  std::string message;
  std::string hint;
};

// Puts a document together, node by node in the order of the text. What stands in a mapping comes in turn as key and value.
class YamlTreeBuilder {
 public:
  YamlTreeBuilder(std::string_view text, Diagnostics& diagnostics);

  // An anchor is the name behind `&`; empty: none.
  void add_null(size_t offset, std::string_view anchor = {});
  void add_scalar(size_t offset, std::string_view value, std::string_view anchor = {});
  void add_alias(size_t offset, std::string_view anchor);
  void begin_list(size_t offset, std::string_view anchor);
  void begin_mapping(size_t offset, std::string_view anchor);
  void end();  // of the list or mapping that is open

  void tell_tag(size_t offset, std::string_view tag);

  bool is_empty() const;  // nothing, or a null
  int line_of(size_t offset) const { return document_.places_.at(offset).line; }
  Place place(size_t offset) const { return document_.places_.at(offset); }
  YamlDocument take() { return std::move(document_); }

 private:
  using Kind = YamlDocument::Kind;
  struct Open {
    std::uint32_t record = 0;
    size_t children = 0;  // the first of its children in pending_
    std::string anchor;
    size_t weight_before = 0;
  };
  struct Anchored {
    bool is_complete = false;
    std::uint32_t record = 0;
    size_t weight = 0;  // nodes it stands for, aliases inside it expanded
  };

  void begin(Kind kind, size_t offset, std::string_view anchor);
  void set_anchor(std::string_view anchor, size_t offset, Anchored node);
  std::uint32_t add(Kind kind, size_t offset);
  void drop_repeated_keys(size_t first);
  std::string_view scalar(std::uint32_t index) const;

  YamlDocument document_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> pending_;  // children of the collections that are open
  std::unordered_map<std::string, Anchored> anchors_;
  size_t weight_ = 0;     // nodes so far, aliases expanded
  size_t expansion_ = 0;  // those that came from aliases
};

}  // namespace vinculum
