// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What becomes of the labels of a set when it is resharded.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/aead.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "reshard/databases_at_rest.h"
#include "reshard/folders_digest.h"
#include "reshard/offline_reshard.h"
#include "reshard/test_rings.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

constexpr int kEntries = 300;

class LabelsTest : public ::testing::Test {
 protected:
  using Paths = std::vector<std::string>;

  Paths Folders(const std::string& names) const {
    Paths paths;
    for (const char name : names)
      paths.push_back(dir_.Join(std::string(1, name)));
    return paths;
  }

  static absl::StatusOr<std::unique_ptr<ShardingDb>> Open(
      const Paths& paths, std::shared_ptr<const Aead> ring = nullptr,
      ShardingFuncPtr function = JumpSharding()) {
    ShardingDbBuilder builder;
    builder.WithDbPaths(paths).WithShardingFunc(std::move(function));
    if (ring != nullptr) builder.WithEncryption(std::move(ring));
    return builder.Build();
  }

  static void Make(const Paths& paths,
                   std::shared_ptr<const Aead> ring = nullptr,
                   ShardingFuncPtr function = JumpSharding()) {
    const auto db = Open(paths, std::move(ring), std::move(function));
    ASSERT_OK(db.status());
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_OK(
          (*db)->Put(leveldb::WriteOptions(), absl::StrCat("key", i), "value"));
    }
  }

  static void ExpectWhole(const Paths& paths,
                          std::shared_ptr<const Aead> ring = nullptr) {
    const auto db = Open(paths, std::move(ring));
    ASSERT_OK(db.status());
    std::string value;
    for (int i = 0; i < kEntries; ++i) {
      EXPECT_OK(
          (*db)->Get(leveldb::ReadOptions(), absl::StrCat("key", i), &value));
      EXPECT_EQ(value, "value");
    }
  }

  static ReshardOptions Options(const Paths& inputs, const Paths& outputs) {
    ReshardOptions options;
    options.inputs = inputs;
    options.outputs = outputs;
    return options;
  }

  static absl::Status Run(const ReshardOptions& options) {
    return Reshard(options).status();
  }

  // The stored label; empty where there is none.
  static std::string Stored(const std::string& path) {
    std::string bytes;
    const auto db = OpenLevelDb(path, ShardOptions());
    EXPECT_OK(db.status());
    if (!db.ok()) return bytes;
    const leveldb::Status status =
        (*db)->Get(leveldb::ReadOptions(), ShardLabelKey(), &bytes);
    EXPECT_TRUE(status.ok() || status.IsNotFound());
    return bytes;
  }

  static ShardLabel LabelOf(const std::string& path) {
    const auto label = ParseShardLabel(Stored(path));
    EXPECT_OK(label.status());
    return label.ok() ? *label : ShardLabel();
  }

  const TempDir dir_;
};

TEST_F(LabelsTest, GrowInPlaceKeepsTheSet) {
  Make(Folders("abc"));
  const ShardLabel before = LabelOf(dir_.Join("a"));
  ASSERT_OK(Run(Options(Folders("cab"), Folders("abcd"))));
  for (const auto& [name, shard] :
       {std::pair("a", 0), {"b", 1}, {"c", 2}, {"d", 3}}) {
    const ShardLabel label = LabelOf(dir_.Join(name));
    EXPECT_EQ(label.set_id, before.set_id);
    EXPECT_EQ(label.epoch, 2);
    EXPECT_EQ(label.shard, shard);
    EXPECT_EQ(label.shard_count, 4);
    EXPECT_EQ(label.values, ValuesForm::kPlain);
    EXPECT_TRUE(label.stable);
  }
  ExpectWhole(Folders("dbca"));
}

TEST_F(LabelsTest, EmptiedFoldersLoseTheirs) {
  Make(Folders("abc"));
  ASSERT_OK(Run(Options(Folders("abc"), Folders("ab"))));
  EXPECT_EQ(Stored(dir_.Join("c")), "");
  ExpectWhole(Folders("ba"));
  // It is an empty database, and may become a shard again.
  ASSERT_OK(Run(Options(Folders("ab"), Folders("abc"))));
  ExpectWhole(Folders("cab"));
}

TEST_F(LabelsTest, AMigrationMakesANewSet) {
  Make(Folders("abc"));
  const ShardLabel before = LabelOf(dir_.Join("a"));
  const std::string input = Stored(dir_.Join("b"));
  ASSERT_OK(Run(Options(Folders("abc"), Folders("xy"))));
  EXPECT_EQ(Stored(dir_.Join("b")), input);
  EXPECT_NE(LabelOf(dir_.Join("x")).set_id, before.set_id);
  EXPECT_EQ(LabelOf(dir_.Join("x")).set_id, LabelOf(dir_.Join("y")).set_id);
  ExpectWhole(Folders("yx"));
  ExpectWhole(Folders("abc"));
  EXPECT_OK(Run(Options(Folders("abc"), Folders("xy"))));  // once more
}

TEST_F(LabelsTest, InputsAreTheWholeSet) {
  Make(Folders("abc"));
  Make(Folders("pq"));
  EXPECT_THAT(Run(Options(Folders("ab"), Folders("xy"))),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(absl::StrCat(dir_.Join("a"),
                                              " is shard 0 of 3: missing shard "
                                              "2"))));
  EXPECT_THAT(Run(Options(Folders("abcpq"), Folders("xy"))),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(dir_.Join("p") + ": is of the set ")));
  EXPECT_THAT(DigestOfFolders(Folders("ac")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("missing shard 1")));
  EXPECT_THAT(HoldDatabases(nullptr, Folders("ac")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("missing shard 1")));
  EXPECT_OK(HoldDatabases(nullptr, Folders("cab")).status());
  const auto digest = DigestOfFolders(Folders("cab"));
  ASSERT_OK(digest.status());
  EXPECT_EQ(digest->entries, kEntries);
  ReshardOptions given_up = Options(Folders("ab"), Folders("xy"));
  given_up.give_up_missing_shards = true;
  EXPECT_OK(Run(given_up));
  EXPECT_OK(Open(Folders("yx")).status());
}

TEST_F(LabelsTest, AnotherFunctionIsNamed) {
  Make(Folders("ab"), nullptr, MurmurSharding());
  ReshardOptions options = Options(Folders("ab"), Folders("abc"));
  EXPECT_THAT(Run(options), StatusIs(absl::StatusCode::kFailedPrecondition,
                                     HasSubstr("say --sharding=murmur")));
  options.function = JumpSharding();
  ASSERT_OK(Run(options));
  ExpectWhole(Folders("abc"));
}

TEST_F(LabelsTest, ASetThatWasNotMadeToTheEndIsRefused) {
  Make(Folders("ab"));
  ShardLabel label = LabelOf(dir_.Join("b"));
  label.stable = false;
  {
    const auto db = OpenLevelDb(dir_.Join("b"), ShardOptions());
    ASSERT_OK(db.status());
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), ShardLabelKey(),
                         EncodeShardLabel(label)));
  }
  EXPECT_THAT(Run(Options(Folders("ab"), Folders("abc"))),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("was not made to the end")));
}

TEST_F(LabelsTest, WithoutLabelsItWorksAsBeforeAndPutsSome) {
  {
    const auto db = OpenLevelDb(dir_.Join("old"), ShardOptions());
    ASSERT_OK(db.status());
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_OK(
          (*db)->Put(leveldb::WriteOptions(), absl::StrCat("key", i), "value"));
    }
  }
  ASSERT_OK(Run(Options({dir_.Join("old")}, Folders("xy"))));
  EXPECT_EQ(LabelOf(dir_.Join("x")).values, ValuesForm::kUnknown);
  EXPECT_EQ(LabelOf(dir_.Join("x")).epoch, 1);
  ExpectWhole(Folders("yx"));
}

TEST_F(LabelsTest, SealedBytesTakeTheirKeyCheckAlong) {
  const TestRings rings;
  const std::shared_ptr<const Aead> ring = rings.File("ring")->ring();
  Make(Folders("ab"), ring);
  ASSERT_OK(Run(Options(Folders("ab"), Folders("abc"))));
  EXPECT_EQ(LabelOf(dir_.Join("c")).key_check,
            LabelOf(dir_.Join("a")).key_check);
  EXPECT_THAT(Open(Folders("abc")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("holds sealed values, not plain ones")));
  ExpectWhole(Folders("cba"), ring);
}

TEST_F(LabelsTest, AChangeOfValuesIsInTheLabels) {
  TestRings rings;
  const std::shared_ptr<const Aead> ring = rings.File("ring")->ring();
  Make(Folders("ab"));
  ReshardOptions seal = Options(Folders("ab"), Folders("ab"));
  seal.out_values = rings.Codec("ring");
  ASSERT_OK(Run(seal));
  EXPECT_EQ(LabelOf(dir_.Join("b")).values, ValuesForm::kSealed);
  EXPECT_EQ(LabelOf(dir_.Join("b")).epoch, 2);
  ExpectWhole(Folders("ba"), ring);
  const std::string check = LabelOf(dir_.Join("a")).key_check;
  rings.Rotate();
  EXPECT_OK(Open(Folders("ab"), ring).status());
  ReshardOptions anew = seal;
  anew.in_values = anew.out_values;
  ASSERT_OK(Run(anew));
  EXPECT_NE(KeyRing::KeyIdOf(LabelOf(dir_.Join("a")).key_check),
            KeyRing::KeyIdOf(check));
  ReshardOptions open = Options(Folders("ab"), Folders("xyz"));
  open.in_values = rings.Codec("ring");
  ASSERT_OK(Run(open));
  EXPECT_EQ(LabelOf(dir_.Join("x")).values, ValuesForm::kPlain);
  ExpectWhole(Folders("zyx"));
}

// Ends a run behind each of the steps that write labels.
TEST_F(LabelsTest, ARunThatWasInterruptedIsLabelledAsAWhole) {
  for (int after = 1; after <= 4; ++after) {
    const TempDir dir;
    const auto folders = [&](const std::string& names) {
      Paths paths;
      for (const char name : names) {
        paths.push_back(dir.Join(std::string(1, name)));
      }
      return paths;
    };
    Make(folders("abc"));
    const std::string set_id = LabelOf(dir.Join("a")).set_id;
    FaultInjectionEnv env(leveldb::Env::Default());
    ReshardOptions options = Options(folders("abc"), folders("abd"));
    options.env = &env;
    int labelled = 0;
    options.on_step = [&](absl::string_view step) {
      if (step != "label written" && step != "label removed") return;
      if (++labelled == after) env.AddFault({{FileOperation::kAppend}});
    };
    const absl::Status cut = Run(options);
    EXPECT_FALSE(cut.ok()) << after;
    EXPECT_FALSE(Open(folders("abd")).ok());
    env.RemoveAllFaults();
    options.on_step = nullptr;
    ASSERT_OK(Run(options)) << after;
    EXPECT_EQ(LabelOf(dir.Join("d")).set_id, set_id);
    EXPECT_EQ(Stored(dir.Join("c")), "");
    ExpectWhole(folders("dab"));
  }
}

}  // namespace
}  // namespace shardingdb
