// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/yaml_tree_builder.h"

#include <fmt/core.h>

#include "vinculum/formats/text.h"

namespace vinculum {

namespace {

constexpr size_t kDeepest = 64;                  // a model needs less than 10
constexpr size_t kLargestExpansion = 1'000'000;  // nodes that come from aliases

}  // namespace

YamlTreeBuilder::YamlTreeBuilder(std::string_view text, Diagnostics& diagnostics) : document_(text), diagnostics_(diagnostics) {
  document_.records_.reserve(text.size() / 6);
}

void YamlTreeBuilder::add_null(size_t offset, std::string_view anchor) {
  // What is not there stands where its key stands.
  const bool is_value = !open_.empty() && document_.records_[open_.back().record].kind == Kind::mapping;
  const std::uint32_t index = add(Kind::null, is_value ? document_.records_[pending_.back()].offset : offset);
  set_anchor(anchor, offset, {true, index, 1});
}

void YamlTreeBuilder::add_scalar(size_t offset, std::string_view value, std::string_view anchor) {
  const std::uint32_t index = add(Kind::scalar, offset);
  document_.records_[index].first = static_cast<std::uint32_t>(document_.scalars_.size());
  document_.records_[index].count = static_cast<std::uint32_t>(value.size());
  document_.scalars_ += value;
  set_anchor(anchor, offset, {true, index, 1});
}

void YamlTreeBuilder::add_alias(size_t offset, std::string_view anchor) {
  const auto target = anchors_.find(std::string(anchor));
  if (target == anchors_.end()) {
    throw YamlRefusal{"VN-FILE-008", offset, fmt::format("there is no anchor {} that this alias refers to", in_quotes(anchor)),
                      "put a text that begins with `*` in quotes"};
  }
  if (!target->second.is_complete) {
    throw YamlRefusal{"VN-FILE-008", offset, "this alias stands inside the node it refers to",
                      "an alias may only refer to what is complete"};
  }
  weight_ += target->second.weight;
  expansion_ += target->second.weight;
  if (expansion_ > kLargestExpansion) {
    throw YamlRefusal{"VN-FILE-008", offset, fmt::format("aliases expand to more than {} nodes", kLargestExpansion),
                      "write the model out, or use fewer aliases inside aliases"};
  }
  if (!open_.empty()) pending_.push_back(target->second.record);  // at the top there is nothing yet to refer to
}

void YamlTreeBuilder::begin_list(size_t offset, std::string_view anchor) { begin(Kind::list, offset, anchor); }
void YamlTreeBuilder::begin_mapping(size_t offset, std::string_view anchor) { begin(Kind::mapping, offset, anchor); }

void YamlTreeBuilder::begin(Kind kind, size_t offset, std::string_view anchor) {
  if (open_.size() >= kDeepest) {
    throw YamlRefusal{"VN-FILE-005", offset, fmt::format("lists and mappings are nested more than {} deep", kDeepest),
                      "a model needs less than ten levels; is a bracket too many?"};
  }
  const size_t weight_before = weight_;
  const std::uint32_t index = add(kind, offset);
  set_anchor(anchor, offset, {});
  open_.push_back({index, pending_.size(), std::string(anchor), weight_before});
}

void YamlTreeBuilder::set_anchor(std::string_view anchor, size_t offset, Anchored node) {
  if (anchor.empty() || anchors_.emplace(anchor, node).second) return;
  throw YamlRefusal{"VN-FILE-008", offset, fmt::format("the anchor {} stands here a second time", in_quotes(anchor)),
                    "give it another name"};
}

void YamlTreeBuilder::end() {
  const Open closed = std::move(open_.back());
  open_.pop_back();
  auto& record = document_.records_[closed.record];
  if (record.kind == Kind::mapping) drop_repeated_keys(closed.children);
  record.first = static_cast<std::uint32_t>(document_.children_.size());
  record.count = static_cast<std::uint32_t>(pending_.size() - closed.children);
  document_.children_.insert(document_.children_.end(), pending_.begin() + static_cast<std::ptrdiff_t>(closed.children),
                             pending_.end());
  pending_.resize(closed.children);
  if (!closed.anchor.empty()) anchors_[closed.anchor] = {true, closed.record, weight_ - closed.weight_before};
}

void YamlTreeBuilder::tell_tag(size_t offset, std::string_view tag) {
  diagnostics_.error("VN-FILE-028", place(offset), "", fmt::format("the YAML tag {} has no meaning here", in_quotes(tag)),
                     "leave it out: the key decides what a value means");
}

bool YamlTreeBuilder::is_empty() const {
  return document_.records_.empty() || document_.records_[document_.root_].kind == Kind::null;
}

std::string_view YamlTreeBuilder::scalar(std::uint32_t index) const {
  const auto& record = document_.records_[index];
  return std::string_view(document_.scalars_).substr(record.first, record.count);
}

std::uint32_t YamlTreeBuilder::add(Kind kind, size_t offset) {
  const auto index = static_cast<std::uint32_t>(document_.records_.size());
  document_.records_.push_back({kind, static_cast<std::uint32_t>(offset), 0, 0});
  ++weight_;
  if (open_.empty()) {
    document_.root_ = index;
  } else {
    pending_.push_back(index);
  }
  return index;
}

void YamlTreeBuilder::drop_repeated_keys(size_t first) {
  constexpr size_t kFew = 32;  // below, comparing each with each is faster than a table
  const bool few = pending_.size() - first <= kFew;
  std::unordered_map<std::string_view, size_t> seen;
  size_t kept = first;
  for (size_t i = first; i < pending_.size(); i += 2) {
    const std::string_view key = scalar(pending_[i]);
    size_t earlier = i;
    if (few) {
      for (size_t k = first; k < kept && earlier == i; k += 2) {
        if (scalar(pending_[k]) == key) earlier = k;
      }
    } else if (const auto [entry, is_new] = seen.emplace(key, kept); !is_new) {
      earlier = entry->second;
    }
    if (earlier != i) {
      diagnostics_.error("VN-FILE-009", place(document_.records_[pending_[i]].offset), "",
                         fmt::format("the key {} stands here a second time; the first is in line {}", in_quotes(key),
                                     line_of(document_.records_[pending_[earlier]].offset)),
                         "keep one of the two");
      continue;
    }
    pending_[kept] = pending_[i];
    pending_[kept + 1] = pending_[i + 1];
    kept += 2;
  }
  pending_.resize(kept);
}

}  // namespace vinculum
