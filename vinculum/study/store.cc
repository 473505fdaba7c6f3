// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/store.h"

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/core.h>

#include "vinculum/math/checksum.h"
#include "vinculum/math/visit.h"
#include "vinculum/study/sample.h"
#include "vinculum/version.h"

namespace vinculum {

namespace {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

// "front.friction" as an identifier.
std::string as_identifier(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

Statement prepare(sqlite3* database, const std::string& text) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, text.c_str(), static_cast<int>(text.size()), &statement, nullptr);
  return Statement(statement);
}

std::string text_of(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return text == nullptr ? std::string() : std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement, column)));
}

void put_text(sqlite3_stmt* statement, int place, std::string_view text) {
  sqlite3_bind_text(statement, place, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

void put_value(sqlite3_stmt* statement, int place, const StudyValue& value) {
  std::visit(Overloaded{[&](std::monostate) { sqlite3_bind_null(statement, place); },
                        [&](double number) { sqlite3_bind_double(statement, place, number); },
                        [&](const std::string& word) { put_text(statement, place, word); }},
             value);
}

// Of format 1 are the stores whose rows have no checksums: they can be read, but not added to.
constexpr std::string_view kFormat = "2", kFormatWithoutChecksums = "1";

// What a row says, to the last bit: two rows of one text are the same.
std::string checksum_of_row(const StudyRow& row, size_t values) {
  Checksum sum;
  const auto add_number = [&](double number) {
    number += 0.0;  // a file has one zero
    sum.add({reinterpret_cast<const char*>(&number), sizeof number});
  };
  const auto add_text = [&](std::string_view text) {
    sum.add(fmt::format("{}:", text.size()));
    sum.add(text);
  };
  add_number(static_cast<double>(row.point));
  for (const double parameter : row.parameters) add_number(parameter);
  for (size_t i = 0; i < values; ++i) {
    StudyValue value = i < row.values.size() ? row.values[i] : StudyValue();
    if (const double* number = std::get_if<double>(&value); number != nullptr && std::isnan(*number)) value = {};  // as in a file
    sum.add(std::string(1, static_cast<char>('0' + value.index())));
    std::visit(Overloaded{[](std::monostate) {}, add_number, add_text}, value);
  }
  add_text(to_text(row.status));
  add_text(row.code);
  add_text(row.message);
  return sum.text();
}

}  // namespace

struct StudyStore::Content {
  std::string path;
  Study study;
  std::string fingerprint;
  Database database;
  Statement insert_row, insert_time, insert_checksum;
  bool has_checksums = true;

  int execute(const std::string& text) const { return sqlite3_exec(database.get(), text.c_str(), nullptr, nullptr, nullptr); }

  Failure failure(std::string_view what) const {
    const int code = sqlite3_errcode(database.get());
    if (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_READONLY || code == SQLITE_CANTOPEN)
      return {"VN-STUDY-021", fmt::format("{}: {} ({})", path, what, sqlite3_errmsg(database.get())),
              "is the disk full? Points written before are safe: free some space and continue with --resume"};
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
      return {"VN-STUDY-021", fmt::format("{}: {}: another process holds it", path, what), "let that one end"};
    return {"VN-STUDY-022", fmt::format("{}: {} ({})", path, what, sqlite3_errmsg(database.get())),
            "it is damaged, or was not written by this program"};
  }

  std::optional<Failure> set(std::string_view key, std::string_view value) const {
    const Statement statement = prepare(database.get(), "INSERT OR REPLACE INTO study VALUES (?, ?)");
    if (!statement) return failure("cannot be written");
    put_text(statement.get(), 1, key);
    put_text(statement.get(), 2, value);
    if (sqlite3_step(statement.get()) != SQLITE_DONE) return failure("cannot be written");
    return std::nullopt;
  }

  std::string get(std::string_view key) const {
    const Statement statement = prepare(database.get(), "SELECT value FROM study WHERE key = ?");
    if (!statement) return {};
    put_text(statement.get(), 1, key);
    return sqlite3_step(statement.get()) == SQLITE_ROW ? text_of(statement.get(), 0) : std::string();
  }

  bool prepare_writing() {
    // A killed process leaves a good file: what was committed is there. Only a power cut may take the last moments with it.
    execute("PRAGMA journal_mode = WAL");
    execute("PRAGMA synchronous = NORMAL");
    std::string places = "?";
    for (size_t i = 0; i < study.over.size() + study.collect.size() + 3; ++i) places += ", ?";
    insert_row = prepare(database.get(), "INSERT OR REPLACE INTO points VALUES (" + places + ")");
    insert_time = prepare(database.get(), "INSERT OR REPLACE INTO timing VALUES (?, ?)");
    insert_checksum = prepare(database.get(), "INSERT OR REPLACE INTO checksums VALUES (?, ?)");
    return insert_row && insert_time && insert_checksum;
  }
};

StudyStore::StudyStore(std::unique_ptr<Content> content) : content_(std::move(content)) {}
StudyStore::StudyStore(StudyStore&&) noexcept = default;
StudyStore& StudyStore::operator=(StudyStore&&) noexcept = default;
StudyStore::~StudyStore() {
  if (content_) close();
}

const Study& StudyStore::study() const { return content_->study; }
const std::string& StudyStore::fingerprint() const { return content_->fingerprint; }
const std::string& StudyStore::path() const { return content_->path; }

Outcome<StudyStore> StudyStore::create(const std::string& path, const Study& study, const std::string& fingerprint) {
  auto content = std::make_unique<Content>();
  content->path = path;
  content->study = study;
  content->fingerprint = fingerprint;
  if (access(path.c_str(), F_OK) == 0)
    return Failure{"VN-STUDY-020", fmt::format("{} exists", path), "--resume continues it, --force replaces it"};
  // Made beside and then renamed: whoever is killed leaves a whole store, or none.
  const std::string beside = path + ".new";
  for (const char* end : {"", "-journal"}) unlink((beside + end).c_str());
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(beside.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  content->database.reset(opened);
  if (result != SQLITE_OK) return content->failure("cannot be created");
  std::string columns = "point INTEGER PRIMARY KEY";
  for (const StudyAxis& axis : study.over) columns += fmt::format(", {} REAL", as_identifier(axis.name));
  for (const StudyColumn& column : study.collect) columns += ", " + as_identifier(column.name);
  columns += ", status TEXT NOT NULL, code TEXT, message TEXT";
  if (content->execute("BEGIN; CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
                       "CREATE TABLE points (" +
                       columns +
                       "); CREATE TABLE timing (point INTEGER PRIMARY KEY, seconds REAL);"
                       "CREATE TABLE checksums (point INTEGER PRIMARY KEY, checksum TEXT);") != SQLITE_OK)
    return content->failure("cannot be created");
  for (const auto& [key, value] : {std::pair<std::string_view, std::string>{"format", kFormat},
                                   {"program", VINCULUM_VERSION},
                                   {"fingerprint", fingerprint},
                                   {"study", describe_study(study)}}) {
    if (auto failure = content->set(key, value)) return *failure;
  }
  if (content->execute("COMMIT") != SQLITE_OK) return content->failure("cannot be created");
  content->database.reset();
  if (std::rename(beside.c_str(), path.c_str()) != 0)
    return Failure{"VN-STUDY-021", fmt::format("{} cannot be created", path), "check the folder"};
  return open(path, Access::write);
}

Outcome<StudyStore> StudyStore::open(const std::string& path, Access access_wanted) {
  auto content = std::make_unique<Content>();
  content->path = path;
  if (access(path.c_str(), F_OK) != 0)
    return Failure{"VN-STUDY-020", fmt::format("there is no {}", path), "name the folder of a study by --output"};
  sqlite3* opened = nullptr;
  // A reader too may have to bring in what a killed writer left beside the file.
  const int result = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE, nullptr);
  content->database.reset(opened);
  if (result != SQLITE_OK) return content->failure("cannot be opened");
  sqlite3_busy_timeout(opened, 10'000);
  const std::string format = content->get("format");
  content->has_checksums = format != kFormatWithoutChecksums;
  if (format != kFormat && (content->has_checksums || access_wanted == Access::write)) {
    return Failure{"VN-STUDY-022", fmt::format("{} is not a study of this program, or of another version of it", path),
                   "a study is DIR/study.sqlite"};
  }
  const auto study = read_study_text(content->get("study"));
  if (!study) return Failure{"VN-STUDY-022", fmt::format("{}: its description cannot be read", path), "it is damaged"};
  content->study = *study;
  content->fingerprint = content->get("fingerprint");
  if (access_wanted == Access::write && !content->prepare_writing()) return content->failure("cannot be written");
  return StudyStore(std::move(content));
}

std::optional<Failure> StudyStore::check_same(const Study& study, const std::string& fingerprint) const {
  if (fingerprint != content_->fingerprint)
    return Failure{"VN-STUDY-023",
                   fmt::format("{} has results of another model, or of this one as it was before a change", path()),
                   "choose another folder by --output, or --force to start again"};
  if (content_->get("program") != VINCULUM_VERSION)
    return Failure{
        "VN-STUDY-023",
        fmt::format("{} has results of version {}, and this is {}", path(), content_->get("program"), VINCULUM_VERSION),
        "their last digits may differ: choose another folder by --output, or --force to start again"};
  Study mine = content_->study, other = study;
  mine.model = other.model = "";
  if (describe_study(mine) == describe_study(other)) return std::nullopt;
  const char* what = mine.command != other.command || mine.options != other.options ? "another question"
                     : mine.samples != other.samples || mine.seed != other.seed     ? "other samples"
                                                                                    : "other parameters or collected values";
  return Failure{"VN-STUDY-023", fmt::format("{} has results of another study: {}", path(), what),
                 "choose another folder by --output, or --force to start again"};
}

std::optional<Failure> StudyStore::write(std::span<const TimedRow> rows) {
  if (rows.empty()) return std::nullopt;
  Content& store = *content_;
  const auto give_up = [&] {
    Failure failure = store.failure("points could not be written");
    sqlite3_reset(store.insert_row.get());
    sqlite3_reset(store.insert_time.get());
    sqlite3_reset(store.insert_checksum.get());
    store.execute("ROLLBACK");
    return failure;
  };
  if (store.execute("BEGIN IMMEDIATE") != SQLITE_OK) return give_up();
  const size_t values = store.study.collect.size();
  const StudyValue nothing;
  for (const TimedRow& timed : rows) {
    const StudyRow& row = timed.row;
    sqlite3_stmt* statement = store.insert_row.get();
    int place = 1;
    sqlite3_bind_int64(statement, place++, row.point);
    for (const double parameter : row.parameters) sqlite3_bind_double(statement, place++, parameter);
    // By reference: the texts must stay until the row is written.
    for (size_t i = 0; i < values; ++i) put_value(statement, place++, i < row.values.size() ? row.values[i] : nothing);
    put_text(statement, place++, to_text(row.status));
    for (const std::string* text : {&row.code, &row.message}) {
      if (text->empty())
        sqlite3_bind_null(statement, place++);
      else
        put_text(statement, place++, *text);
    }
    if (sqlite3_step(statement) != SQLITE_DONE) return give_up();
    sqlite3_reset(statement);
    statement = store.insert_checksum.get();
    const std::string checksum = checksum_of_row(row, values);
    sqlite3_bind_int64(statement, 1, row.point);
    put_text(statement, 2, checksum);
    if (sqlite3_step(statement) != SQLITE_DONE) return give_up();
    sqlite3_reset(statement);
    if (row.status == PointStatus::inferred) continue;
    statement = store.insert_time.get();
    sqlite3_bind_int64(statement, 1, row.point);
    sqlite3_bind_double(statement, 2, timed.seconds);
    if (sqlite3_step(statement) != SQLITE_DONE) return give_up();
    sqlite3_reset(statement);
  }
  if (store.execute("COMMIT") != SQLITE_OK) return give_up();
  return std::nullopt;
}

std::optional<Failure> StudyStore::remove_failed() {
  if (content_->execute(
          "BEGIN IMMEDIATE; DELETE FROM checksums WHERE point IN (SELECT point FROM points WHERE status = 'failed');"
          "DELETE FROM points WHERE status = 'failed'; COMMIT") == SQLITE_OK)
    return std::nullopt;
  return content_->failure("points could not be removed");
}

std::optional<Failure> StudyStore::for_each_row(const std::function<bool(const StudyRow&)>& visit) const {
  const Statement statement = prepare(
      content_->database.get(), content_->has_checksums
                                    ? "SELECT points.*, checksums.checksum FROM points LEFT JOIN checksums ON checksums.point = "
                                      "points.point ORDER BY points.point"
                                    : "SELECT * FROM points ORDER BY point");
  if (!statement) return content_->failure("cannot be read");
  const int parameters = static_cast<int>(content_->study.over.size()), values = static_cast<int>(content_->study.collect.size());
  if (sqlite3_column_count(statement.get()) != 1 + parameters + values + 3 + (content_->has_checksums ? 1 : 0))
    return Failure{"VN-STUDY-022", fmt::format("{}: its columns are not those of its study", path()), "it is damaged"};
  StudyRow row;
  while (true) {
    const int result = sqlite3_step(statement.get());
    if (result == SQLITE_DONE) return std::nullopt;
    if (result != SQLITE_ROW) return content_->failure("cannot be read");
    int column = 0;
    row.point = sqlite3_column_int64(statement.get(), column++);
    row.parameters.clear();
    row.values.clear();
    for (int i = 0; i < parameters; ++i) row.parameters.push_back(sqlite3_column_double(statement.get(), column++));
    for (int i = 0; i < values; ++i, ++column) {
      switch (sqlite3_column_type(statement.get(), column)) {
        case SQLITE_INTEGER:
        case SQLITE_FLOAT: row.values.emplace_back(sqlite3_column_double(statement.get(), column)); break;
        case SQLITE_TEXT: row.values.emplace_back(text_of(statement.get(), column)); break;
        default: row.values.emplace_back(); break;
      }
    }
    const std::string status = text_of(statement.get(), column++);
    row.status = status == "done" ? PointStatus::done : status == "inferred" ? PointStatus::inferred : PointStatus::failed;
    row.code = text_of(statement.get(), column++);
    row.message = text_of(statement.get(), column++);
    if (content_->has_checksums && text_of(statement.get(), column) != checksum_of_row(row, static_cast<size_t>(values)))
      return Failure{"VN-STUDY-024", fmt::format("{}: point {} is damaged: checksum mismatch", path(), row.point),
                     "take the store from a copy, or run the study again with --force"};
    if (!visit(row)) return std::nullopt;
  }
}

std::optional<Failure> StudyStore::for_each_time(const std::function<void(long point, double seconds)>& visit) const {
  const Statement statement = prepare(content_->database.get(), "SELECT point, seconds FROM timing ORDER BY point");
  if (!statement) return content_->failure("cannot be read");
  int result = SQLITE_ROW;
  while ((result = sqlite3_step(statement.get())) == SQLITE_ROW)
    visit(sqlite3_column_int64(statement.get(), 0), sqlite3_column_double(statement.get(), 1));
  if (result != SQLITE_DONE) return content_->failure("cannot be read");
  return std::nullopt;
}

Outcome<std::vector<StudyRow>> StudyStore::rows() const {
  std::vector<StudyRow> list;
  const auto failure = for_each_row([&](const StudyRow& row) {
    list.push_back(row);
    return true;
  });
  if (failure) return *failure;
  return list;
}

// Through all rows, so that a study is not continued on damaged ones.
Outcome<std::vector<bool>> StudyStore::asked_points() const {
  std::vector<bool> asked(static_cast<size_t>(count_points(content_->study)), false);
  const auto failure = for_each_row([&](const StudyRow& row) {
    const auto point = static_cast<size_t>(row.point);
    if (row.status != PointStatus::inferred && point < asked.size()) asked[point] = true;
    return true;
  });
  if (failure) return *failure;
  return asked;
}

Outcome<StudyStore::Counts> StudyStore::count() const {
  const Statement statement = prepare(content_->database.get(), "SELECT status, COUNT(*) FROM points GROUP BY status");
  if (!statement) return content_->failure("cannot be read");
  Counts counts;
  int result = SQLITE_ROW;
  while ((result = sqlite3_step(statement.get())) == SQLITE_ROW) {
    const std::string status = text_of(statement.get(), 0);
    (status == "done"     ? counts.done
     : status == "failed" ? counts.failed
                          : counts.inferred) = sqlite3_column_int64(statement.get(), 1);
  }
  if (result != SQLITE_DONE) return content_->failure("cannot be read");
  return counts;
}

std::optional<Failure> StudyStore::close() {
  if (!content_->database) return std::nullopt;
  std::optional<Failure> failure;
  if (content_->insert_row) {
    content_->insert_row.reset();
    content_->insert_time.reset();
    content_->insert_checksum.reset();
    if (content_->execute("PRAGMA journal_mode = DELETE") != SQLITE_OK) failure = content_->failure("could not be finished");
  }
  content_->database.reset();
  return failure;
}

}  // namespace vinculum
