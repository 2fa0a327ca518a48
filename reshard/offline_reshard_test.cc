// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/offline_reshard.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class OfflineReshardTest : public ::testing::Test {
 protected:
  // The folders of these names.
  std::vector<std::string> At(const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(dir_.Join(name));
    return paths;
  }

  absl::StatusOr<ReshardResult> Run(const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs,
                                    ShardingFuncPtr function = JumpSharding()) {
    ReshardOptions options;
    options.inputs = At(inputs);
    options.outputs = At(outputs);
    options.function = std::move(function);
    return Reshard(options);
  }

  void ExpectNoMarkers() {
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(dir_.path())) {
      EXPECT_NE(file.path().filename(), "RESHARD") << file.path();
    }
  }

  TempDir dir_;
  const Entries entries_ = GenerateEntries(11, 3000);
};

struct Layout {
  std::string name;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string old_function;
  std::string new_function;
};

void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.name; }

class LayoutTest : public OfflineReshardTest,
                   public ::testing::WithParamInterface<Layout> {
 protected:
  ShardingFuncPtr Function(const std::string& name) {
    absl::StatusOr<ShardingFuncPtr> function = ShardingFuncByName(name);
    EXPECT_OK(function);
    return function.ok() ? *function : JumpSharding();
  }
};

TEST_P(LayoutTest, BringsEveryEntryToItsPlace) {
  const Layout& layout = GetParam();
  const std::vector<std::string> inputs = At(layout.inputs);
  const std::vector<std::string> outputs =
      At(layout.outputs.empty() ? layout.inputs : layout.outputs);
  bool in_place = false;
  for (const std::string& input : inputs) {
    for (const std::string& output : outputs) {
      in_place = in_place || input == output;
    }
  }
  WriteSet(inputs, Function(layout.old_function), entries_);
  std::map<std::string, std::map<std::string, std::string>> before;
  for (const std::string& input : inputs) before[input] = FilesOf(input);

  ASSERT_OK_AND_ASSIGN(
      const ReshardResult result,
      Run(layout.inputs, layout.outputs, Function(layout.new_function)));
  EXPECT_EQ(result.contents, DigestOf(entries_));
  EXPECT_LE(result.moved, entries_.size());
  EXPECT_TRUE(ReadSet(outputs, Function(layout.new_function)) == entries_);
  ExpectNoMarkers();
  for (const std::string& input : inputs) {
    if (!in_place) {
      EXPECT_EQ(FilesOf(input), before[input]);
      EXPECT_EQ(result.moved, entries_.size());
    } else if (std::find(outputs.begin(), outputs.end(), input) ==
               outputs.end()) {
      EXPECT_EQ(ReadFolder(input), Entries());
    }
  }

  if (!in_place) return;
  ASSERT_OK_AND_ASSIGN(
      const ReshardResult again,
      Run(layout.outputs.empty() ? layout.inputs : layout.outputs, {},
          Function(layout.new_function)));
  EXPECT_EQ(again.contents, result.contents);
  EXPECT_EQ(again.moved, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, LayoutTest,
    ::testing::Values(
        Layout{"Migrate1To3", {"a"}, {"x", "y", "z"}, "jump", "jump"},
        Layout{"Migrate1To1", {"a"}, {"x"}, "jump", "jump"},
        Layout{"Migrate3To1", {"a", "b", "c"}, {"x"}, "murmur", "jump"},
        Layout{"Migrate3To5",
               {"a", "b", "c"},
               {"v", "w", "x", "y", "z"},
               "xor",
               "sha256"},
        Layout{"Grow1To3", {"a"}, {"a", "b", "c"}, "jump", "jump"},
        Layout{
            "Grow3To4", {"a", "b", "c"}, {"a", "b", "c", "d"}, "jump", "jump"},
        Layout{"Grow3To7",
               {"a", "b", "c"},
               {"a", "b", "c", "d", "e", "f", "g"},
               "murmur",
               "murmur"},
        Layout{"Shrink3To2", {"a", "b", "c"}, {"a", "b"}, "jump", "jump"},
        Layout{"Shrink4To1", {"a", "b", "c", "d"}, {"c"}, "murmur", "jump"},
        Layout{"RemoveTheMiddle", {"a", "b", "c"}, {"a", "c"}, "jump", "jump"},
        Layout{"ReplaceOne", {"a", "b"}, {"a", "x"}, "jump", "jump"},
        Layout{
            "ChangeTheOrder", {"a", "b", "c"}, {"c", "a", "b"}, "jump", "jump"},
        Layout{"ChangeTheFunction", {"a", "b", "c"}, {}, "xor", "jump"},
        Layout{"ByPrefix", {"a", "b", "c"}, {}, "jump", "prefix:delimiter=3a"},
        Layout{"OneAlone", {"a"}, {}, "jump", "jump"}),
    [](const ::testing::TestParamInfo<Layout>& info) {
      return info.param.name;
    });

TEST_F(OfflineReshardTest, GrowingByOneMovesOnlyWhatTheNewShardOwns) {
  WriteSet(At({"a", "b", "c"}), JumpSharding(), entries_);
  ASSERT_OK_AND_ASSIGN(const ReshardResult result,
                       Run({"a", "b", "c"}, {"a", "b", "c", "d"}));
  const Entries moved = ReadFolder(dir_.Join("d"));
  EXPECT_EQ(result.moved, moved.size());
  uint64_t bytes = 0;
  for (const auto& [key, value] : moved) bytes += key.size() + value.size();
  EXPECT_EQ(result.moved_bytes, bytes);
  EXPECT_LT(moved.size(), entries_.size() / 3);
}

TEST_F(OfflineReshardTest, WithNothingToMoveNothingIsWritten) {
  WriteSet(At({"a", "b"}), JumpSharding(), entries_);
  ASSERT_OK(Run({"a", "b"}, {}));
  std::vector<std::string> steps;
  ReshardOptions options;
  options.inputs = At({"a", "b"});
  options.on_step = [&](absl::string_view step) {
    steps.push_back(std::string(step));
  };
  ASSERT_OK(Reshard(options));
  EXPECT_THAT(steps, ::testing::ElementsAre("inputs opened"));
}

TEST_F(OfflineReshardTest, AnEmptySetIsMovedToo) {
  WriteSet(At({"a"}), JumpSharding(), {});
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Run({"a"}, {"a", "b"}));
  EXPECT_EQ(result.contents, MultisetDigest());
  EXPECT_EQ(ReadSet(At({"a", "b"}), JumpSharding()), Entries());
}

TEST_F(OfflineReshardTest, MovesLargeValues) {
  Entries large;
  for (const char* key : {"a", "b", "c", "d", "e", "f"}) {
    large[key] = std::string(5 << 20, key[0]);
  }
  WriteSet(At({"a"}), JumpSharding(), large);
  ASSERT_OK(Run({"a"}, {"a", "b", "c"}));
  EXPECT_TRUE(ReadSet(At({"a", "b", "c"}), JumpSharding()) == large);
}

TEST_F(OfflineReshardTest, MakesFoldersAboveTheOutputs) {
  WriteSet(At({"a"}), JumpSharding(), entries_);
  ASSERT_OK(Run({"a"}, {"new/deep/x", "new/y"}));
  EXPECT_TRUE(ReadSet(At({"new/deep/x", "new/y"}), JumpSharding()) == entries_);
}

TEST_F(OfflineReshardTest, FoldersMayBeSpelledInAnyWay) {
  WriteSet(At({"a"}), JumpSharding(), entries_);
  std::filesystem::create_directory_symlink(dir_.Join("a"), dir_.Join("link"));
  ASSERT_OK(Run({"link"}, {"./a//", "b/../c/"}));
  EXPECT_TRUE(ReadSet(At({"a", "c"}), JumpSharding()) == entries_);
}

TEST_F(OfflineReshardTest, TheSameEntryInTwoInputsIsCountedOnce) {
  WriteSet(At({"a"}), JumpSharding(), entries_);
  Entries some;
  for (const auto& entry : entries_) {
    if (some.size() < 500) some.insert(entry);
  }
  WriteSet(At({"b"}), JumpSharding(), some);
  ASSERT_OK_AND_ASSIGN(const ReshardResult migrated, Run({"a", "b"}, {"x"}));
  EXPECT_EQ(migrated.contents, DigestOf(entries_));
  EXPECT_EQ(migrated.moved, entries_.size());
  ASSERT_OK_AND_ASSIGN(const ReshardResult in_place, Run({"a", "b"}, {}));
  EXPECT_EQ(in_place.contents, DigestOf(entries_));
  EXPECT_TRUE(ReadSet(At({"a", "b"}), JumpSharding()) == entries_);
}

TEST_F(OfflineReshardTest, TwoValuesOfAKeyStopItBeforeAnythingIsWritten) {
  WriteSet(At({"a"}), JumpSharding(), {{"key", "one"}, {"b", "2"}});
  WriteSet(At({"b"}), JumpSharding(), {{"key", "other"}, {"c", "3"}});
  EXPECT_THAT(Run({"a", "b"}, {"a", "b", "c"}),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr("0x6b6579"), HasSubstr(dir_.Join("a")),
                             HasSubstr(dir_.Join("b")))));
  ExpectNoMarkers();
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("c")));
  EXPECT_EQ(ReadFolder(dir_.Join("a")), Entries({{"key", "one"}, {"b", "2"}}));
  EXPECT_EQ(ReadFolder(dir_.Join("b")),
            Entries({{"key", "other"}, {"c", "3"}}));
}

TEST_F(OfflineReshardTest,
       TwoValuesOfAKeyStopAMigrationWithItsInputsAsTheyAre) {
  WriteSet(At({"a"}), JumpSharding(), {{"key", "one"}});
  WriteSet(At({"b"}), JumpSharding(), {{"key", "other"}});
  const auto before = FilesOf(dir_.Join("a"));
  EXPECT_THAT(Run({"a", "b"}, {"x", "y"}),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("0x6b6579")));
  EXPECT_EQ(FilesOf(dir_.Join("a")), before);
}

TEST_F(OfflineReshardTest, RefusesAnOutputThatHoldsOtherData) {
  WriteSet(At({"a"}), JumpSharding(), entries_);
  WriteSet(At({"x"}), JumpSharding(), {{"other", "data"}});
  const auto a = FilesOf(dir_.Join("a"));
  const auto x = FilesOf(dir_.Join("x"));
  EXPECT_THAT(Run({"a"}, {"w", "x"}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(dir_.Join("x") + ": holds other data")));
  EXPECT_THAT(Run({"a"}, {"a", "x"}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(dir_.Join("x"))));
  EXPECT_EQ(FilesOf(dir_.Join("a")), a);
  EXPECT_EQ(FilesOf(dir_.Join("x")), x);
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("w")));
}

TEST_F(OfflineReshardTest, RefusesADatabaseThatIsOpen) {
  WriteSet(At({"a"}), JumpSharding(), entries_);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                       OpenLevelDb(dir_.Join("a"), ShardOptions()));
  for (const char* output : {"a", "x"}) {
    EXPECT_THAT(Run({"a"}, {output}),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(dir_.Join("a")), HasSubstr("lock"))));
  }
  ExpectNoMarkers();
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("x")));
}

TEST_F(OfflineReshardTest, AnAnswerOutOfRangeIsAnErrorOfTheFunction) {
  WriteSet(At({"a"}), JumpSharding(), entries_);
  const auto before = FilesOf(dir_.Join("a"));
  const ShardingFuncPtr broken = CustomSharding(
      "broken", [](const leveldb::Slice&, uint32_t count) { return count; });
  EXPECT_THAT(Run({"a"}, {"x", "y"}, broken),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("'broken'"), HasSubstr("answered 2"))));
  EXPECT_EQ(FilesOf(dir_.Join("a")), before);
  EXPECT_THAT(
      Run({"a"}, {"a", "b"}, broken),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("'broken'")));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("b")));
  EXPECT_EQ(ReadFolder(dir_.Join("a")), entries_);
}

TEST_F(OfflineReshardTest, AFunctionThatThrowsDoesNotEndTheProcess) {
  WriteSet(At({"a", "b"}), JumpSharding(), entries_);
  for (const char* at : {"inputs opened", "output synced", "verified"}) {
    SCOPED_TRACE(at);
    std::atomic<bool> throws{false};
    ReshardOptions options;
    options.inputs = At({"a", "b"});
    options.outputs = At({"a", "b", "c"});
    options.function =
        CustomSharding("moody", [&](const leveldb::Slice& key, uint32_t count) {
          if (throws) throw std::runtime_error("boom");
          return JumpSharding()->ShardOf(key, count);
        });
    options.on_step = [&](absl::string_view step) {
      if (step == at) throws = true;
    };
    EXPECT_THROW((void)Reshard(options), std::runtime_error);
    throws = false;
    options.on_step = nullptr;
    EXPECT_OK(Reshard(options));
    EXPECT_TRUE(ReadSet(options.outputs, JumpSharding()) == entries_);
    ASSERT_OK(Run({"a", "b", "c"}, {"a", "b"}));
    std::filesystem::remove_all(dir_.Join("c"));
  }
}

// Stands for any fault by which copies do not arrive: verification reads other
// owners than the copy was made for.
TEST_F(OfflineReshardTest, NothingIsDeletedWhenVerificationFails) {
  WriteSet(At({"a", "b"}), JumpSharding(), entries_);
  std::atomic<bool> lies{false};
  ReshardOptions options;
  options.inputs = At({"a", "b"});
  options.outputs = At({"a", "b", "c"});
  options.function =
      CustomSharding("moody", [&](const leveldb::Slice& key, uint32_t count) {
        const uint32_t shard = JumpSharding()->ShardOf(key, count);
        return lies && key == leveldb::Slice("user:0") ? (shard + 1) % count
                                                       : shard;
      });
  options.on_step = [&](absl::string_view step) {
    if (step == "output synced") lies = true;
    EXPECT_NE(step, "batch deleted");
  };
  EXPECT_THAT(Reshard(options), StatusIs(absl::StatusCode::kAborted));
  Entries all = ReadFolder(dir_.Join("a"));
  all.merge(ReadFolder(dir_.Join("b")));
  EXPECT_TRUE(all == entries_);
  lies = false;
  options.on_step = nullptr;
  EXPECT_OK(Reshard(options));
  EXPECT_TRUE(ReadSet(options.outputs, JumpSharding()) == entries_);
}

TEST_F(OfflineReshardTest, StopsWhenToldAndGoesOnLater) {
  WriteSet(At({"a", "b"}), JumpSharding(), entries_);
  for (const char* at : {"inputs opened", "folder marked", "output synced",
                         "verified", "batch deleted"}) {
    SCOPED_TRACE(at);
    std::atomic<bool> stop{false};
    ReshardOptions options;
    options.inputs = At({"a", "b"});
    options.outputs = At({"a", "b", "c"});
    options.stop = &stop;
    options.on_step = [&](absl::string_view step) {
      if (step == at) stop = true;
    };
    EXPECT_THAT(Reshard(options), StatusIs(absl::StatusCode::kCancelled));
    ASSERT_OK(Run({"a", "b"}, {"a", "b", "c"}));
    EXPECT_TRUE(ReadSet(At({"a", "b", "c"}), JumpSharding()) == entries_);
    ASSERT_OK(Run({"a", "b", "c"}, {"a", "b"}));
    std::filesystem::remove_all(dir_.Join("c"));
  }
}

// On the thread that calls, and on one that writes.
TEST_F(OfflineReshardTest, WithoutMemoryOnAnyThreadTheSameCallGoesOn) {
  for (const std::vector<std::string>& outputs :
       {std::vector<std::string>{"a", "c"}, std::vector<std::string>{"c"}}) {
    for (absl::string_view step :
         {"inputs opened", "folder marked", "batch copied"}) {
      std::filesystem::remove_all(dir_.Join("a"));
      std::filesystem::remove_all(dir_.Join("c"));
      WriteSet(At({"a"}), JumpSharding(), entries_);
      ReshardOptions options;
      options.inputs = At({"a"});
      options.outputs = At(outputs);
      options.batch_bytes = 1000;
      options.on_step = [&](absl::string_view passed) {
        if (passed == step) throw std::bad_alloc();
      };
      EXPECT_THAT(Reshard(options),
                  StatusIs(absl::StatusCode::kResourceExhausted,
                           HasSubstr("out of memory: run the same command")))
          << step;
      options.on_step = nullptr;
      ASSERT_OK(Reshard(options));
      EXPECT_TRUE(ReadSet(At(outputs), JumpSharding()) == entries_) << step;
    }
  }
}

}  // namespace
}  // namespace shardingdb
