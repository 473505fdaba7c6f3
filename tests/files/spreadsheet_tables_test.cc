// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables as spreadsheets write them: a byte order mark is read over; other separators and repeated names are refused with a hint.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/scratch_path.h"
#include "vinculum/files/read_model.h"
#include "vinculum/files/read_motion.h"
#include "vinculum/formats/table.h"

namespace vinculum {
namespace {

std::string write_sheet(const std::string& name, const std::string& text) {
  const std::string path = testing::scratch_path("spreadsheet." + name).string();
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

const char* const kSlider = "vinculum: 1\nbodies: { slider: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0 } }\n";

TEST(SpreadsheetTables, AByteOrderMarkIsNoPartOfTheFirstName) {
  Diagnostics diagnostics;
  const std::string path = write_sheet("mark.csv", "\xEF\xBB\xBFt,slider\r\n0,1\r\n1,3\r\n2,5\r\n3,7\r\n");
  const auto table = read_table(path, diagnostics);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->columns[0].name, "t");
  EXPECT_EQ(table->columns[1].values, (std::vector<double>{1, 3, 5, 7}));
  const auto motion = read_motion(path, read_model_text(kSlider), diagnostics);
  ASSERT_TRUE(motion) << diagnostics.list().front().message;
  EXPECT_EQ(motion->states[2].q[0], 5);
  EXPECT_NEAR(motion->states[2].v[0], 2, 1e-13);
  EXPECT_EQ(motion->given, (std::vector<std::string>{"slider", "slider'"}));
}

TEST(SpreadsheetTables, RowsThatWereClearedAreNoRows) {
  for (const char* text : {"t,slider\r\n0,1\r\n1,3\r\n\r\n,\r\n,\r\n", "t,slider\n0,1\n , \n1,3\n,,,\n"}) {
    Diagnostics diagnostics;
    const auto table = read_table(write_sheet("cleared.csv", text), diagnostics);
    ASSERT_TRUE(table) << text;
    EXPECT_EQ(table->columns[0].values, (std::vector<double>{0, 1}));
    EXPECT_EQ(table->columns[1].values, (std::vector<double>{1, 3}));
  }
}

struct WrongSheet {
  const char *name, *text, *code, *message, *hint;
};

TEST(SpreadsheetTables, WhatCannotBeReadHasAHint) {
  const WrongSheet sheets[] = {
      {"semicolons", "t;slider\n0;1,5\n1;2,5\n", "VN-FILE-120", "its header is one column", "semicolons"},
      {"semicolons with a mark", "\xEF\xBB\xBFt;slider\n0;1\n", "VN-FILE-120", "its header is one column", "semicolons"},
      {"tabs", "t\tslider\n0\t1\n", "VN-FILE-120", "its header is one column", "tabs"},
      {"decimal commas", "t,slider\n0,1,5\n0,5,2,5\n", "VN-FILE-121", "3 values in a table of 2 columns", "decimal commas"},
      {"two names", "t,slider,slider\n0,1,2\n", "VN-FILE-127", "two columns are named 'slider'", "keep one"},
      {"two names with units", "t [s],slider [m],slider [mm]\n0,1,2\n", "VN-FILE-127", "two columns are named 'slider'",
       "keep one"},
      {"an empty cell", "t,slider\n0,1\n1,\n2,3\n", "VN-FILE-122", "the cell is empty", "remove the line"},
      {"an empty cell in front", "t,slider\n0,1\n,2\n", "VN-FILE-122", "the cell is empty", "remove the line"},
      {"other bytes", "\xFF\xFEt\0,\0", "VN-FILE-120", "UTF-16", "UTF-8"},
  };
  for (const WrongSheet& sheet : sheets) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_table(write_sheet("wrong.csv", sheet.text), diagnostics)) << sheet.name;
    ASSERT_EQ(diagnostics.list().size(), 1u) << sheet.name;
    const Diagnostic& told = diagnostics.list().front();
    EXPECT_EQ(told.code, sheet.code) << sheet.name;
    EXPECT_NE(told.message.find(sheet.message), std::string::npos) << told.message;
    EXPECT_NE(told.hint.find(sheet.hint), std::string::npos) << told.hint;
  }
}

// The same for tables of a model: one message, with the hint.
TEST(SpreadsheetTables, OfAModel) {
  const std::filesystem::path folder = testing::scratch_path("spreadsheet.model");
  std::filesystem::create_directories(folder);
  const auto read = [&](const std::string& text, Diagnostics& diagnostics) {
    std::ofstream(folder / "road.csv", std::ios::binary) << text;
    ReadOptions options;
    options.folder = folder.string();
    return read_model(std::string(kSlider) + "tables: { road: { file: road.csv, x: s, y: height } }\n", diagnostics, options);
  };
  Diagnostics good, wrong, twice;
  EXPECT_TRUE(read("\xEF\xBB\xBFs [mm],height [m]\n0,0\n1000,2\n", good));
  EXPECT_FALSE(read("s;height\n0;0\n1;2\n", wrong));
  ASSERT_EQ(wrong.list().size(), 1u);
  EXPECT_NE(wrong.list()[0].hint.find("semicolons"), std::string::npos);
  EXPECT_FALSE(read("s,height,s\n0,0,1\n1,2,3\n", twice));
  ASSERT_EQ(twice.list().size(), 1u);
  EXPECT_EQ(twice.list()[0].code, "VN-FILE-127");
}

}  // namespace
}  // namespace vinculum
