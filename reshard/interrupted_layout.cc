// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/interrupted_layout.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/marker.h"
#include "reshard/value_codec.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/sharding_func.h"
#include "testing/grep.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

constexpr size_t kEntries = 700;
constexpr size_t kBatchBytes = 8 << 10;

std::vector<std::string> Paths(const TempDir& dir,
                               const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(dir.Join(name));
  return paths;
}

bool HasMarker(const std::string& folder) {
  return std::filesystem::exists(folder + "/RESHARD");
}

}  // namespace

void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.name; }

std::vector<Layout> LayoutsToInterrupt() {
  return {
      {"Migrate2To3", {"a", "b"}, {"x", "y", "z"}},
      {"Grow2To4", {"a", "b"}, {"a", "b", "c", "d"}},
      {"Shrink3To2", {"a", "b", "c"}, {"a", "b"}},
      {"ReplaceAndTurn", {"a", "b", "c"}, {"d", "c", "a"}},
  };
}

std::vector<Layout> RecodingsToInterrupt() {
  return {
      {"Seal", {"a", "b"}, {"a", "b"}, "plain", "ring"},
      {"StoreInClear", {"a", "b"}, {"a", "b"}, "ring", "plain"},
      {"SealAnew", {"a", "b"}, {"a", "b"}, "ring", "ring"},
      {"SealUnderAnother", {"a", "b", "c"}, {"a", "b", "c"}, "ring", "other"},
      {"Compress", {"a", "b"}, {"a", "b"}, "plain", "compressed"},
      {"SealCompressed", {"a", "b"}, {"a", "b"}, "compressed", "ring"},
      {"MigrateAndSeal", {"a", "b"}, {"x", "y", "z"}, "plain", "ring"},
      {"MigrateUnderAnother", {"a", "b"}, {"x", "y"}, "ring", "other"},
  };
}

InterruptedLayout::InterruptedLayout(const Layout& layout)
    : layout_(layout), entries_(GenerateEntries(7, kEntries)) {
  const bool recodes = layout.inputs == layout.outputs;
  WriteSet(Paths(original_, layout_.inputs),
           recodes ? JumpSharding() : MurmurSharding(),
           rings_.Stored(layout.in_values, entries_));
  // What was sealed before is not under the primary any more.
  rings_.Rotate();
}

std::string InterruptedLayout::in_values() const {
  return rings_.Path(layout_.in_values);
}

std::string InterruptedLayout::out_values() const {
  return rings_.Path(layout_.out_values);
}

Entries InterruptedLayout::Opened(const Entries& stored) const {
  Entries opened;
  for (const auto& [key, value] : stored) {
    if (!IsReservedKey(key)) opened[key] = rings_.Opened(key, value);
  }
  return opened;
}

void InterruptedLayout::ExpectStoredInTheNewForm(
    const std::string& folder) const {
  const ValueCodec out = rings_.Codec(layout_.out_values);
  for (const auto& [key, value] : ReadFolder(folder)) {
    EXPECT_FALSE(IsReservedKey(key)) << folder;
    EXPECT_TRUE(out.IsCurrent(key, value, rings_.Opened(key, value))) << folder;
  }
  if (layout_.in_values == "plain" && out.plain()) return;
  // As databases of WriteSet have it in values that are not current.
  EXPECT_THAT(FilesContaining(folder, "overwritten later"),
              IsOkAndHolds(::testing::IsEmpty()));
}

ReshardOptions InterruptedLayout::Options() const {
  ReshardOptions options;
  options.inputs = Paths(folders_, layout_.inputs);
  options.outputs = Paths(folders_, layout_.outputs);
  options.batch_bytes = kBatchBytes;
  options.in_values = rings_.Codec(layout_.in_values);
  options.out_values = rings_.Codec(layout_.out_values);
  return options;
}

void InterruptedLayout::Restore() {
  entries_ = GenerateEntries(7, kEntries);
  std::error_code error;
  for (const std::string& folder : AllFolders()) {
    std::filesystem::remove_all(folder, error);
    EXPECT_FALSE(error) << folder;
  }
  std::filesystem::copy(original_.path(), folders_.path(),
                        std::filesystem::copy_options::recursive, error);
  EXPECT_FALSE(error);
  for (const std::string& input : Paths(folders_, layout_.inputs)) {
    inputs_as_restored_[input] = FilesOf(input);
  }
}

std::vector<std::string> InterruptedLayout::AllFolders() const {
  std::set<std::string> names(layout_.inputs.begin(), layout_.inputs.end());
  names.insert(layout_.outputs.begin(), layout_.outputs.end());
  return Paths(folders_, {names.begin(), names.end()});
}

bool InterruptedLayout::InPlace() const {
  return std::any_of(layout_.inputs.begin(), layout_.inputs.end(),
                     [this](const std::string& input) {
                       return std::count(layout_.outputs.begin(),
                                         layout_.outputs.end(), input) > 0;
                     });
}

void InterruptedLayout::ExpectNothingLost() {
  Entries all;
  for (const std::string& folder : AllFolders()) {
    if (HasMarker(folder)) {
      EXPECT_THAT(OpenLevelDb(folder, ShardOptions()),
                  StatusIs(absl::StatusCode::kFailedPrecondition,
                           ::testing::HasSubstr("unfinished reshard")));
    }
    if (!std::filesystem::exists(folder + "/CURRENT")) continue;
    for (auto& [key, value] : Opened(ReadFolder(folder))) {
      const auto added = all.emplace(key, value);
      EXPECT_EQ(added.first->second, value);
    }
  }
  EXPECT_TRUE(all == entries_) << all.size() << " entries";
  if (InPlace()) return;
  for (const std::string& input : Paths(folders_, layout_.inputs)) {
    EXPECT_TRUE(FilesOf(input) == inputs_as_restored_[input]) << input;
  }
}

bool InterruptedLayout::WriteWhereNotMarked() {
  const std::vector<std::string> all = AllFolders();
  if (std::none_of(all.begin(), all.end(), HasMarker)) return false;
  const std::vector<std::string> outputs = Paths(folders_, layout_.outputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (HasMarker(outputs[i])) continue;
    if (!std::filesystem::exists(outputs[i] + "/CURRENT")) continue;
    std::string key = "new";
    while (JumpSharding()->ShardOf(key, outputs.size()) != i) key += "w";
    const auto db = OpenLevelDb(outputs[i], ShardOptions());
    EXPECT_OK(db.status());
    if (!db.ok()) return false;
    // Folders lose their markers when all values have their new form.
    const absl::StatusOr<std::optional<Marker>> coordinator =
        ReadMarker(leveldb::Env::Default(), outputs[0]);
    EXPECT_OK(coordinator.status());
    const bool finished =
        !InPlace() || (coordinator.ok() && coordinator->has_value() &&
                       (*coordinator)->finished);
    const std::string stored =
        rings_.Stored(finished ? layout_.out_values : layout_.in_values,
                      {{key, "value"}})[key];
    EXPECT_OK((*db)->Put(leveldb::WriteOptions(), key, stored));
    entries_[key] = "value";
    return true;
  }
  return false;
}

void InterruptedLayout::ExpectDone() {
  const std::vector<std::string> outputs = Paths(folders_, layout_.outputs);
  EXPECT_TRUE(Opened(ReadSet(outputs, JumpSharding())) == entries_);
  for (const std::string& output : outputs) ExpectStoredInTheNewForm(output);
  for (const std::string& folder : AllFolders()) {
    EXPECT_FALSE(HasMarker(folder)) << folder;
    if (std::count(outputs.begin(), outputs.end(), folder) > 0) continue;
    if (InPlace()) {
      EXPECT_TRUE(ReadFolder(folder).empty()) << folder;
      // LevelDB removes what it could not remove before.
      EXPECT_OK(OpenLevelDb(folder, ShardOptions()).status());
      for (const auto& [name, bytes] : FilesOf(folder))
        EXPECT_FALSE(absl::EndsWith(name, ".ldb")) << folder << "/" << name;
    } else {
      EXPECT_TRUE(FilesOf(folder) == inputs_as_restored_[folder]) << folder;
    }
  }
}

}  // namespace shardingdb
