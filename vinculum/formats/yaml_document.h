// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

// Lines and columns of a UTF-8 text, both counted from 1, columns in characters as editors do.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text);
  Place at(size_t offset) const;

 private:
  std::uint32_t characters_before(size_t offset) const;

  std::string_view text_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<std::uint32_t> characters_;  // before every kStride-th byte
};

class YamlNode;

// A YAML text as a light tree in which everything knows its place. Numbers, words and formulas are all scalars: what they mean is
// the reader's business. Aliases are resolved; so the tree may share branches. It refers to the text it was made of.
class YamlDocument {
 public:
  YamlNode root() const;

 private:
  friend class YamlNode;
  friend class YamlTreeBuilder;

  enum class Kind : std::uint8_t { null, scalar, list, mapping };
  struct Record {
    Kind kind = Kind::null;
    std::uint32_t offset = 0;  // in the text
    std::uint32_t first = 0;   // list, mapping: in children_; scalar: in scalars_
    std::uint32_t count = 0;   // list: entries; mapping: twice the entries (key, value, key, ..); scalar: bytes
  };

  explicit YamlDocument(std::string_view text) : text_(text), places_(text) {}

  std::string_view text_;
  TextPlaces places_;
  std::vector<Record> records_;
  std::vector<std::uint32_t> children_;
  std::string scalars_;
  std::uint32_t root_ = 0;
};

// A node of a document: a handle, valid as long as the document. The empty handle stands for what is not there.
class YamlNode {
 public:
  YamlNode() = default;
  explicit operator bool() const { return document_ != nullptr; }

  bool is_null() const { return record().kind == YamlDocument::Kind::null; }
  bool is_scalar() const { return record().kind == YamlDocument::Kind::scalar; }
  bool is_list() const { return record().kind == YamlDocument::Kind::list; }
  bool is_mapping() const { return record().kind == YamlDocument::Kind::mapping; }
  std::string_view kind_text() const;  // "a list", "a mapping", ..

  std::string_view text() const;  // of a scalar
  int size() const;               // entries of a list or mapping
  YamlNode entry(int i) const;    // of a list, or the value of a mapping's i-th entry
  YamlNode key(int i) const;
  YamlNode find(std::string_view key) const;

  // The key this node, or the list it stands in, stands under; empty at the root.
  std::string_view label() const;

  Place place() const { return document_->places_.at(record().offset); }
  // Where to point at for the node as a whole: at its key if it has one of its own.
  Place head() const { return has_own_key_ ? YamlNode(document_, key_, key_, false).place() : place(); }
  Place place(
      size_t offset) const;  // of one byte of a scalar's text, whatever quotes, escapes and folded lines it was written with

 private:
  friend class YamlDocument;
  YamlNode(const YamlDocument* document, std::uint32_t index, std::uint32_t key, bool has_own_key)
      : document_(document), index_(index), key_(key), has_own_key_(has_own_key) {}
  const YamlDocument::Record& record() const { return document_->records_[index_]; }

  const YamlDocument* document_ = nullptr;
  std::uint32_t index_ = 0;
  std::uint32_t key_ = 0;  // the record of the key it, or the list it stands in, stands under; the root's index if there is none
  bool has_own_key_ = false;
};

inline constexpr size_t kLargestModelFile = size_t{256} << 20;  // bytes: a million bodies

// False, and told, if a file of this many bytes is larger.
bool check_file_size(size_t bytes, Diagnostics& diagnostics);

// The document in a text. Empty, binary, too large, too deep and recursive texts are refused; none if it cannot be read.
// Keys that stand twice are told; the first one holds.
std::optional<YamlDocument> load_yaml(std::string_view text, Diagnostics& diagnostics);

}  // namespace vinculum
