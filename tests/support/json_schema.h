// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace vinculum::testing {

// JSON Schema, draft 7, as far as our schemas use it; any other keyword is an error, so that nothing is passed over.
//
// Beside the answer it tells which parts of the schema a good value has met, and where in the value: of `anyOf` and `oneOf` the
// first alternative that fits.
class JsonSchema {
 public:
  using Json = nlohmann::json;
  struct Met {
    const Json* schema;
    Json::json_pointer at;
  };

  explicit JsonSchema(Json root) : root_(std::move(root)) {}

  const Json& root() const { return root_; }

  // Empty if the value fits; else the first thing that is wrong.
  std::string check(const Json& value) {
    met_.clear();
    why_.clear();
    return fits(root_, value, Json::json_pointer()) ? std::string() : why_;
  }
  const std::vector<Met>& met() const { return met_; }

 private:
  static bool is_of(const std::string& type, const Json& value) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    throw std::logic_error("type " + type);
  }

  static bool has_all(const Json& keys, const Json& value) {
    return std::all_of(keys.begin(), keys.end(), [&](const Json& key) { return value.contains(key.get<std::string>()); });
  }

  bool fits(const Json& schema, const Json& value, const Json::json_pointer& at) {
    const size_t before = met_.size();
    met_.push_back({&schema, at});
    for (const auto& [keyword, rule] : schema.items()) {
      if (obeys(schema, keyword, rule, value, at)) continue;
      if (why_.empty()) why_ = at.to_string() + ": " + keyword + " " + rule.dump().substr(0, 200);
      met_.resize(before);
      return false;
    }
    return true;
  }

  bool obeys(const Json& schema, const std::string& keyword, const Json& rule, const Json& value, const Json::json_pointer& at) {
    if (keyword == "$schema" || keyword == "title" || keyword == "description" || keyword == "definitions") return true;
    if (keyword == "$ref") return fits(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at);
    if (keyword == "type" && rule.is_string()) return is_of(rule, value);
    if (keyword == "type") return std::any_of(rule.begin(), rule.end(), [&](const Json& type) { return is_of(type, value); });
    if (keyword == "enum") return std::find(rule.begin(), rule.end(), value) != rule.end();
    if (keyword == "pattern")
      return !value.is_string() || std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
    if (keyword == "minItems") return !value.is_array() || value.size() >= rule.get<size_t>();
    if (keyword == "maxItems") return !value.is_array() || value.size() <= rule.get<size_t>();
    if (keyword == "minProperties") return !value.is_object() || value.size() >= rule.get<size_t>();
    if (keyword == "maxProperties") return !value.is_object() || value.size() <= rule.get<size_t>();
    if (keyword == "required") return !value.is_object() || has_all(rule, value);
    if (keyword == "items") {
      for (size_t i = 0; value.is_array() && i < value.size(); ++i)
        if (!fits(rule, value[i], at / i)) return false;
      return true;
    }
    if (keyword == "dependencies") {
      for (const auto& [key, others] : rule.items())
        if (value.is_object() && value.contains(key) && !has_all(others, value)) return false;
      return true;
    }
    if (keyword == "propertyNames") {
      for (auto entry = value.begin(); value.is_object() && entry != value.end(); ++entry)
        if (!fits(rule, entry.key(), at)) return false;
      return true;
    }
    if (keyword == "properties" || keyword == "additionalProperties") {
      const Json known = schema.value("properties", Json::object());
      for (auto entry = value.begin(); value.is_object() && entry != value.end(); ++entry) {
        if ((keyword == "properties") != known.contains(entry.key())) continue;
        if (keyword == "additionalProperties" && rule.is_boolean()) {
          if (rule == false) return false;
        } else if (!fits(keyword == "properties" ? rule[entry.key()] : rule, entry.value(), at / entry.key())) {
          return false;
        }
      }
      return true;
    }
    const auto fits_one = [&](const Json& one) {
      const std::string why = std::exchange(why_, "");
      const bool good = fits(one, value, at);
      why_ = why;
      return good;
    };
    if (keyword == "allOf") return std::all_of(rule.begin(), rule.end(), [&](const Json& one) { return fits(one, value, at); });
    if (keyword == "anyOf") return std::any_of(rule.begin(), rule.end(), fits_one);
    if (keyword == "oneOf") return std::count_if(rule.begin(), rule.end(), fits_one) == 1;
    if (keyword == "not") {
      const size_t before = met_.size();
      const bool good = fits_one(rule);
      met_.resize(before);
      return !good;
    }
    throw std::logic_error("keyword " + keyword);
  }

  Json root_;
  std::vector<Met> met_;
  std::string why_;
};

}  // namespace vinculum::testing
