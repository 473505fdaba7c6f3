// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "vinculum/formats/text.h"
#include "vinculum/formats/yaml_parser.h"

namespace vinculum {

bool check_file_size(size_t bytes, Diagnostics& diagnostics) {
  if (bytes <= kLargestModelFile) return true;
  diagnostics.error("VN-FILE-002", {}, "",
                    fmt::format("this file has {:.0f} MB; at most {} MB are read", static_cast<double>(bytes) / (1 << 20),
                                kLargestModelFile >> 20),
                    "is it a model file?");
  return false;
}

std::optional<YamlDocument> load_yaml(std::string_view text, Diagnostics& diagnostics) {
  if (!check_file_size(text.size(), diagnostics)) return std::nullopt;
  if (const size_t bad = find_non_text(text); bad != std::string_view::npos) {
    diagnostics.error("VN-FILE-004", TextPlaces(text.substr(0, bad)).at(bad), "",
                      fmt::format("this is not a text: byte 0x{:02X} is not part of any character in UTF-8",
                                  static_cast<unsigned char>(text[bad])),
                      "is this a model file? A text in another encoding must be saved as UTF-8");
    return std::nullopt;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark some editors put in front

  YamlTreeBuilder builder(text, diagnostics);
  try {
    parse_yaml(text, builder);
  } catch (const YamlRefusal& refusal) {
    diagnostics.error(refusal.code, builder.place(refusal.offset), "", refusal.message, refusal.hint);
    return std::nullopt;
  }
  if (builder.is_empty()) {
    diagnostics.error("VN-FILE-003", {1, 1}, "", "there is no model in this file: it is empty or holds only comments",
                      "`vinculum new model.yaml` writes one to begin with");
    return std::nullopt;
  }
  return builder.take();
}

}  // namespace vinculum
