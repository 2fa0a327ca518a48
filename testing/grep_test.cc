// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/grep.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "snappy.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void WriteFile(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

TEST(GrepTest, FindsTheBytesInFilesAtAnyDepth) {
  TempDir dir;
  std::filesystem::create_directories(dir.Join("a/b"));
  WriteFile(dir.Join("a/b/deep"), "xxNEEDLExx");
  WriteFile(dir.Join("top"), "NEEDLE");
  WriteFile(dir.Join("other"), "NEEDL");
  WriteFile(dir.Join("NEEDLE"), "only its name");
  EXPECT_THAT(FilesContaining(dir.path(), "NEEDLE"),
              IsOkAndHolds(ElementsAre(dir.Join("a/b/deep"), dir.Join("top"))));
  EXPECT_THAT(FilesContaining(dir.path(), "absent"), IsOkAndHolds(IsEmpty()));
}

TEST(GrepTest, FindsBinaryBytes) {
  TempDir dir;
  const std::string needle("\0\xff\0\n", 4);
  WriteFile(dir.Join("binary"), std::string(10, '\0') + needle);
  WriteFile(dir.Join("zeros"), std::string(10, '\0'));
  EXPECT_THAT(FilesContaining(dir.path(), needle),
              IsOkAndHolds(ElementsAre(dir.Join("binary"))));
}

TEST(GrepTest, FindsANeedleOverTheBorderOfTwoReads) {
  TempDir dir;
  for (size_t before = (1 << 20) - 8; before <= (1 << 20) + 1; ++before) {
    WriteFile(dir.Join("big"), std::string(before, '.') + "NEEDLE...");
    EXPECT_THAT(FilesContaining(dir.path(), "NEEDLE"),
                IsOkAndHolds(ElementsAre(dir.Join("big"))))
        << before;
  }
}

TEST(GrepTest, SaysWhatItCannotSearch) {
  TempDir dir;
  EXPECT_THAT(FilesContaining(dir.Join("absent"), "x"),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(FilesContaining(dir.path(), ""),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(GrepTest, MarkersAreFoundInCompressedBytes) {
  const std::string marker = PlantedMarker(7);
  EXPECT_EQ(marker, PlantedMarker(7));
  EXPECT_NE(marker, PlantedMarker(8));
  EXPECT_EQ(marker.size(), 32u);

  std::string compressed;
  const std::string text =
      std::string(5000, 'a') + marker + std::string(5000, 'b');
  snappy::Compress(text.data(), text.size(), &compressed);
  ASSERT_LT(compressed.size(), text.size() / 10);
  EXPECT_NE(compressed.find(marker), std::string::npos);
}

}  // namespace
}  // namespace shardingdb
