// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/marker.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
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
using ::testing::StartsWith;

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

// A command that changes how values are stored; in the document as well.
constexpr absl::string_view kGoldenOfValues =
    "shardingdb-reshard 2\n"
    "run 20260102T030405Z-pid6\n"
    "state unfinished\n"
    "function jump\n"
    "in-values plain\n"
    "out-values key-ring a0a1a2a3a4a5a6a7a8a9aaabacadaeaf\n"
    "input /data/a\n"
    "output /data/a\n"
    "checksum fb23342633ce9049fac4f7f1927f5db576ffcc32fe7f5f0b3b917fceae08d8d4"
    "\n";

Marker MarkerOfValues() {
  Marker marker;
  marker.run = "20260102T030405Z-pid6";
  marker.command.inputs = {"/data/a"};
  marker.command.outputs = {"/data/a"};
  marker.command.function = "jump";
  marker.command.values.out = "key-ring a0a1a2a3a4a5a6a7a8a9aaabacadaeaf";
  return marker;
}

TEST(MarkerTest, OfValuesHasTheBytesOfItsFormat) {
  EXPECT_EQ(EncodeMarker(MarkerOfValues()), kGoldenOfValues);
  ASSERT_OK_AND_ASSIGN(const Marker parsed, ParseMarker(kGoldenOfValues));
  ExpectSame(parsed, MarkerOfValues());
}

TEST(MarkerTest, CommandsWithOtherValuesDiffer) {
  ReshardCommand other = MarkerOfValues().command;
  other.values.out = "key-ring b0a1a2a3a4a5a6a7a8a9aaabacadaeaf";
  EXPECT_NE(other, MarkerOfValues().command);
  other = MarkerOfValues().command;
  other.values.in = "legacy-aes-cbc";
  EXPECT_NE(other, MarkerOfValues().command);
}

std::string WithChecksum(std::string lines) {
  Sha256 sha;
  sha.Update(lines);
  const auto hash = sha.Finish();
  return lines + "checksum " +
         absl::BytesToHexString(absl::string_view(
             reinterpret_cast<const char*>(hash.data()), hash.size())) +
         "\n";
}

TEST(MarkerTest, NeitherVersionHasTheLinesOfTheOther) {
  std::string lines(kGoldenOfValues);
  lines.resize(lines.rfind("checksum "));
  ASSERT_OK(ParseMarker(WithChecksum(lines)));
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"reshard 2", "reshard 1"},
      {"in-values plain\nout-values key-ring "
       "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf\n",
       ""},
      {"output /data/a\n",
       "output /data/a\nentries 1\ndigest " + std::string(64, '0') + "\n"}};
  for (const auto& [from, to] : changes) {
    const std::string changed = absl::StrReplaceAll(lines, {{from, to}});
    ASSERT_NE(changed, lines);
    EXPECT_THAT(ParseMarker(WithChecksum(changed)),
                StatusIs(absl::StatusCode::kDataLoss))
        << to;
  }
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
      kGolden, {{"shardingdb-reshard 1", "shardingdb-reshard 3"}});
  EXPECT_THAT(ParseMarker(newer),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("newer"), HasSubstr("'3'"))));
}

TEST(MarkerTest, SaysTheCommandAsOneWouldTypeIt) {
  EXPECT_EQ(ExampleMarker().command.ToString(),
            "-i /data/a,/data/b c -o /data/b c,/data/line\nbreak "
            "--sharding=prefix:delimiter=2f");
  EXPECT_EQ(MarkerOfValues().command.ToString(),
            "-i /data/a -o /data/a --sharding=jump, with values from plain to "
            "key-ring a0a1a2a3a4a5a6a7a8a9aaabacadaeaf");
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

TEST_F(MarkerFileTest, NothingButAShortRegularFileIsRead) {
  const std::string path = dir_.Join("RESHARD");
  const auto expect_refused = [&](absl::StatusCode code) {
    EXPECT_THAT(ReadMarker(env_, dir_.path()), StatusIs(code, HasSubstr(path)));
    std::filesystem::rename(path, path + ".done");
    EXPECT_FALSE(ReadRecord(env_, dir_.path()).has_value());
    std::filesystem::remove(path + ".done");
  };
  std::filesystem::create_symlink("/dev/zero", path);
  expect_refused(absl::StatusCode::kFailedPrecondition);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_refused(absl::StatusCode::kFailedPrecondition);
  std::filesystem::create_directory(path);
  expect_refused(absl::StatusCode::kFailedPrecondition);
  std::ofstream(path) << "x";
  std::filesystem::resize_file(path, uint64_t{1} << 40);
  expect_refused(absl::StatusCode::kDataLoss);
}

TEST_F(MarkerFileTest, AFolderInPlaceOfTheTemporaryFileIsNamedOnceAndNoMarker) {
  const std::string temporary = dir_.Join("RESHARD.tmp");
  std::filesystem::create_directory(temporary);
  const absl::Status status = WriteMarker(env_, dir_.path(), ExampleMarker());
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                               StartsWith(temporary + ": is not a regular")));
  EXPECT_EQ(status.message().rfind(temporary), 0) << status;
  EXPECT_OK(RemoveMarker(env_, dir_.path()));
}

// They are found before anything is done, and nobody waits for a pipe.
TEST_F(MarkerFileTest, WhatIsNoFileWhereTheRunWillWriteIsRefused) {
  for (const char* const name : {"RESHARD.tmp", "RESHARD.done"}) {
    const std::string path = dir_.Join(name);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_THAT(ReadMarker(env_, dir_.path()),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         StartsWith(path + ": is not a regular")));
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace shardingdb
