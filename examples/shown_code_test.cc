// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What README and user guide show compiles, and a user can build it with the
// labels that they name.

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kPages[] = {"README.md", "docs/user-guide.md"};

// What of the pages' code is here compiles.
constexpr const char* kSources[] = {"examples/twenty_lines.cc",
                                    "examples/shown_opening.cc",
                                    "examples/shown_keys_on_disk.cc"};

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The code in C++ that `page` shows.
std::vector<std::string> CodeIn(const std::string& page) {
  constexpr char kBegin[] = "```cpp\n";
  std::vector<std::string> blocks;
  for (size_t at = 0; (at = page.find(kBegin, at)) != std::string::npos;) {
    at += sizeof(kBegin) - 1;
    blocks.push_back(page.substr(at, page.find("```", at) - at));
  }
  return blocks;
}

// The labels of this repository, as others see it, that `page` names.
std::vector<std::string> LabelsIn(const std::string& page) {
  constexpr char kLabel[] = "abcdefghijklmnopqrstuvwxyz_:/@";
  std::vector<std::string> labels;
  for (size_t at = 0;
       (at = page.find("@shardingdb//", at)) != std::string::npos; ++at) {
    labels.push_back(page.substr(at, page.find_first_not_of(kLabel, at) - at));
  }
  return labels;
}

// `code` in the pieces that stand together in a source, each with the end of
// its last line: an #include, or lines without an empty one between.
std::vector<std::string> PiecesOf(const std::string& code) {
  std::vector<std::string> pieces;
  bool goes_on = false;
  for (absl::string_view line : absl::StrSplit(code, '\n')) {
    const bool stands_alone = absl::StartsWith(line, "#include");
    if (!goes_on || stands_alone) pieces.emplace_back();
    if (!line.empty()) absl::StrAppend(&pieces.back(), line, "\n");
    if (pieces.back().empty()) pieces.pop_back();
    goes_on = !line.empty() && !stands_alone;
  }
  return pieces;
}

// `piece` as it is in the body of a function.
std::string Indented(const std::string& piece) {
  return absl::StrCat(
      "  ",
      absl::StrReplaceAll(absl::StripSuffix(piece, "\n"), {{"\n", "\n  "}}),
      "\n");
}

TEST(ShownCode, TwentyLinesAreAsTheyAre) {
  const std::string source = Contents("examples/twenty_lines.cc");
  const size_t begin = source.find("#include");  // behind the license
  ASSERT_NE(begin, std::string::npos);
  EXPECT_THAT(Contents("README.md"),
              HasSubstr("```cpp\n" + source.substr(begin) + "```\n"));
}

TEST(ShownCode, EachPieceIsInASourceThatCompiles) {
  std::string sources;
  for (const char* path : kSources) absl::StrAppend(&sources, Contents(path));
  for (const char* page : kPages) {
    const std::vector<std::string> blocks = CodeIn(Contents(page));
    EXPECT_THAT(blocks, Not(IsEmpty())) << page;
    for (const std::string& block : blocks) {
      for (const std::string& piece : PiecesOf(block)) {
        EXPECT_TRUE(absl::StrContains(sources, piece) ||
                    absl::StrContains(sources, Indented(piece)))
            << page << " shows what no source has:\n"
            << piece;
      }
    }
  }
}

TEST(ShownCode, EachLabelIsOneThatAnotherWorkspaceUses) {
  const std::string consumer = Contents("examples/consumer/BUILD.bazel");
  for (const char* page : kPages) {
    const std::vector<std::string> labels = LabelsIn(Contents(page));
    EXPECT_THAT(labels, Not(IsEmpty())) << page;
    for (const std::string& label : labels) {
      EXPECT_THAT(consumer, HasSubstr("\"" + label + "\"")) << page;
    }
  }
}

}  // namespace
}  // namespace shardingdb
