// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/marker.h"

#include <cstddef>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "crypto/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Marker ExampleMarker() {
  Marker marker;
  marker.run = "20260102T030405Z-pid6";
  marker.command.inputs = {"/data/a", "/data/b c"};
  marker.command.outputs = {"/data/b c", "/data/line\nbreak"};
  marker.command.function = "prefix:delimiter=2f";
  Sha256 sha;
  MultisetDigest contents;
  contents.Add(HashEntry("key", "value", &sha));
  marker.contents = contents;
  return marker;
}

void ExpectSame(const Marker& a, const Marker& b) {
  EXPECT_EQ(a.run, b.run);
  EXPECT_EQ(a.command, b.command);
  EXPECT_EQ(a.finished, b.finished);
  EXPECT_EQ(a.contents, b.contents);
}

// docs/formats/reshard-marker.md shows the same bytes.
constexpr absl::string_view kGolden =
    "shardingdb-reshard 1\n"
    "run 20260102T030405Z-pid6\n"
    "state unfinished\n"
    "function prefix:delimiter=2f\n"
    "input /data/a\n"
    "input /data/b c\n"
    "output /data/b c\n"
    "output /data/line\\nbreak\n"
    "entries 1\n"
    "digest 8390d1d517b092cfb3d4b83156ca5f274066c5490e9795b4824eefe2cba62b01"
    "\n"
    "checksum ef09f0249249aa31bfccb07437cc6f9a42e07bdc95b53e8013687ec74d517f5c"
    "\n";

TEST(MarkerTest, HasTheBytesOfItsFormat) {
  EXPECT_EQ(EncodeMarker(ExampleMarker()), kGolden);
}

TEST(MarkerTest, IsReadBack) {
  ASSERT_OK_AND_ASSIGN(const Marker parsed, ParseMarker(kGolden));
  ExpectSame(parsed, ExampleMarker());
}

TEST(MarkerTest, IsReadBackWithoutContents) {
  Marker marker = ExampleMarker();
  marker.contents.reset();
  ASSERT_OK_AND_ASSIGN(const Marker parsed, ParseMarker(EncodeMarker(marker)));
  ExpectSame(parsed, marker);
}

TEST(MarkerTest, IsReadBackFinished) {
  Marker marker = ExampleMarker();
  marker.finished = true;
  ASSERT_OK_AND_ASSIGN(const Marker parsed, ParseMarker(EncodeMarker(marker)));
  ExpectSame(parsed, marker);
}

TEST(MarkerTest, EveryChangedByteIsFound) {
  for (size_t i = 0; i < kGolden.size(); ++i) {
    std::string bytes(kGolden);
    bytes[i] ^= 1;
    const absl::StatusCode code = ParseMarker(bytes).status().code();
    // The version is looked at first: only it says how to read the rest.
    EXPECT_EQ(code, (i == 19 || i == 20) ? absl::StatusCode::kFailedPrecondition
                                         : absl::StatusCode::kDataLoss)
        << i;
  }
}

TEST(MarkerTest, EveryCutIsFound) {
  for (size_t size = 0; size < kGolden.size(); ++size) {
    EXPECT_THAT(ParseMarker(kGolden.substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss))
        << size;
  }
}

TEST(MarkerTest, ANewerVersionIsRefused) {
  const std::string newer = absl::StrReplaceAll(
      kGolden, {{"shardingdb-reshard 1", "shardingdb-reshard 2"}});
  EXPECT_THAT(ParseMarker(newer),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("newer"), HasSubstr("'2'"))));
}

TEST(MarkerTest, SaysTheCommandAsOneWouldTypeIt) {
  EXPECT_EQ(ExampleMarker().command.ToString(),
            "-i /data/a,/data/b c -o /data/b c,/data/line\nbreak "
            "--sharding=prefix:delimiter=2f");
}

class MarkerFileTest : public ::testing::Test {
 protected:
  leveldb::Env* const env_ = leveldb::Env::Default();
  TempDir dir_;
};

TEST_F(MarkerFileTest, ThereIsNoneInANewFolder) {
  ASSERT_OK_AND_ASSIGN(const std::optional<Marker> marker,
                       ReadMarker(env_, dir_.path()));
  EXPECT_FALSE(marker.has_value());
}

TEST_F(MarkerFileTest, IsWrittenReplacedAndRemoved) {
  Marker marker = ExampleMarker();
  ASSERT_OK(WriteMarker(env_, dir_.path(), marker));
  marker.finished = true;
  ASSERT_OK(WriteMarker(env_, dir_.path(), marker));
  ASSERT_OK_AND_ASSIGN(const std::optional<Marker> read,
                       ReadMarker(env_, dir_.path()));
  ASSERT_TRUE(read.has_value());
  ExpectSame(*read, marker);

  ASSERT_OK(RemoveMarker(env_, dir_.path()));
  ASSERT_OK_AND_ASSIGN(const std::optional<Marker> none,
                       ReadMarker(env_, dir_.path()));
  EXPECT_FALSE(none.has_value());
  ASSERT_OK(RemoveMarker(env_, dir_.path()));
}

TEST_F(MarkerFileTest, RemovingTakesWhatAnInterruptedWriteLeft) {
  std::ofstream(dir_.Join("RESHARD.tmp")) << "shardingdb-resh";
  EXPECT_TRUE(IsMarkerFile("RESHARD.tmp"));
  EXPECT_TRUE(IsMarkerFile("RESHARD"));
  EXPECT_FALSE(IsMarkerFile("RESHARD2"));
  ASSERT_OK(RemoveMarker(env_, dir_.path()));
  EXPECT_FALSE(env_->FileExists(dir_.Join("RESHARD.tmp")));
}

TEST_F(MarkerFileTest, ADamagedOneNamesItsFile) {
  std::ofstream(dir_.Join("RESHARD")) << "something else\n";
  EXPECT_THAT(
      ReadMarker(env_, dir_.path()),
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr(dir_.Join("RESHARD"))));
}

TEST_F(MarkerFileTest, CannotBeWrittenIntoAFolderThatIsNotThere) {
  const std::string missing = dir_.Join("missing");
  EXPECT_THAT(WriteMarker(env_, missing, ExampleMarker()),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(missing)));
}

}  // namespace
}  // namespace shardingdb
