// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Labels of whole sets: what opening writes, finishes, and refuses.

#include "shardingdb/set_labels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "crypto/compression.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "testing/fault_injection_env.h"
#include "testing/folder_look.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

constexpr int kEntries = 100;

std::string Key(int i) { return absl::StrCat("key", i); }

class SetLabelsTest : public ::testing::Test {
 protected:
  SetLabelsTest() {
    for (const char* name : {"a", "b", "c"}) paths_.push_back(dir_.Join(name));
  }

  using Opened = absl::StatusOr<std::unique_ptr<ShardingDb>>;

  ShardingDbBuilder Builder() {
    ShardingDbBuilder builder;
    builder.WithDbPaths(paths_);
    return builder;
  }

  static void Fill(ShardingDb* db) {
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_OK(db->Put(leveldb::WriteOptions(), Key(i), "value"));
    }
  }

  static void ExpectFilled(ShardingDb* db) {
    std::string value;
    for (int i = 0; i < kEntries; ++i) {
      EXPECT_OK(db->Get(leveldb::ReadOptions(), Key(i), &value)) << i;
    }
  }

  // A set with entries.
  void Make() {
    Opened db = Builder().Build();
    ASSERT_OK(db.status());
    Fill(db->get());
  }

  // The label of one folder, which is closed.
  static ShardLabel LabelOf(const std::string& path) {
    std::string bytes;
    Change(path, [&](leveldb::DB* db) {
      EXPECT_OK(db->Get(leveldb::ReadOptions(), ShardLabelKey(), &bytes));
    });
    const auto label = ParseShardLabel(bytes);
    EXPECT_OK(label.status());
    return label.ok() ? *label : ShardLabel();
  }

  static void Change(const std::string& path,
                     const std::function<void(leveldb::DB*)>& change) {
    const auto db = OpenLevelDb(path, ShardOptions());
    ASSERT_OK(db.status());
    change(db->get());
  }

  void Unlabel() {
    for (const std::string& path : paths_) {
      Change(path, [](leveldb::DB* db) {
        EXPECT_OK(db->Delete(leveldb::WriteOptions(), ShardLabelKey()));
      });
    }
  }

  std::map<std::string, std::string> Look() {
    std::map<std::string, std::string> all;
    for (const std::string& path : paths_) {
      if (std::filesystem::exists(path)) all.merge(LookAtFolder(path));
    }
    return all;
  }

  // Expects that the set is refused, and that no byte has changed.
  void ExpectRefused(ShardingDbBuilder& builder, absl::StatusCode code,
                     const std::string& text) {
    const auto before = Look();
    EXPECT_THAT(builder.Build(), StatusIs(code, HasSubstr(text)));
    EXPECT_EQ(Look(), before);
  }

  void ExpectRefused(const std::string& text) {
    ShardingDbBuilder builder = Builder();
    ExpectRefused(builder, absl::StatusCode::kFailedPrecondition, text);
  }

  const TempDir dir_;
  std::vector<std::string> paths_;
};

TEST_F(SetLabelsTest, ANewSetIsLabelled) {
  Make();
  const ShardLabel first = LabelOf(paths_[0]);
  for (uint32_t i = 0; i < 3; ++i) {
    const ShardLabel label = LabelOf(paths_[i]);
    EXPECT_EQ(label.set_id, first.set_id);
    EXPECT_EQ(label.shard, i);
    EXPECT_EQ(label.shard_count, 3);
    EXPECT_EQ(label.epoch, 1);
    EXPECT_EQ(label.function, "jump");
    EXPECT_EQ(label.comparator, "leveldb.BytewiseComparator");
    EXPECT_EQ(label.values, ValuesForm::kPlain);
    EXPECT_TRUE(label.stable);
  }
}

TEST_F(SetLabelsTest, TheOrderOfFoldersDoesNotMatter) {
  Make();
  std::sort(paths_.begin(), paths_.end());
  do {
    for (const bool read_only : {false, true}) {
      ShardingDbBuilder builder = Builder();
      if (read_only) builder.WithReadOnly();
      const Opened db = builder.Build();
      ASSERT_OK(db.status());
      ExpectFilled(db->get());
    }
  } while (std::next_permutation(paths_.begin(), paths_.end()));
}

TEST_F(SetLabelsTest, TheOrderOfHandlesDoesNotMatter) {
  Make();
  std::vector<std::unique_ptr<DbHandle>> handles;
  for (const int i : {2, 0, 1}) {
    auto handle = OpenLevelDb(paths_[i], ShardOptions());
    ASSERT_OK(handle.status());
    handles.push_back(*std::move(handle));
  }
  const Opened db =
      ShardingDbBuilder().WithDbHandles(std::move(handles)).Build();
  ASSERT_OK(db.status());
  ExpectFilled(db->get());
  EXPECT_EQ((*db)->GetStats().gets, kEntries);
}

TEST_F(SetLabelsTest, LabelsAreNotCounted) {
  const Opened db = Builder().Build();
  ASSERT_OK(db.status());
  const DbStats stats = (*db)->GetStats();
  EXPECT_EQ(stats.puts, 0);
  EXPECT_EQ(stats.gets, 0);
  EXPECT_EQ(stats.bytes_written, 0);
}

TEST_F(SetLabelsTest, RefusesWhatIsNotTheWholeSet) {
  Make();
  const std::vector<std::string> all = paths_;
  paths_ = {all[0], all[1]};
  ExpectRefused(absl::StrCat("2 shards are given, but ", all[0],
                             " is shard 0 of 3: missing shard 2"));
  paths_ = {all[2]};
  ExpectRefused("is shard 2 of 3: missing shard 0, 1");
  std::filesystem::copy(all[0], dir_.Join("copy"));
  paths_ = {all[0], all[1], dir_.Join("copy")};
  ExpectRefused(
      absl::StrCat(dir_.Join("copy"), ": is shard 0 of 3, and so is ", all[0]));
  paths_ = all;
  std::filesystem::remove_all(all[1]);
  ExpectRefused(absl::StrCat(all[1], ": there is no database, but ", all[0],
                             " is shard 0 of 3"));
  EXPECT_FALSE(std::filesystem::exists(all[1]));
  ASSERT_OK(OpenLevelDb(all[1], ShardOptions()).status());
  ExpectRefused(absl::StrCat(all[1], ": has no label, but ", all[0]));
}

TEST_F(SetLabelsTest, RefusesAnotherLayout) {
  Make();
  ExpectRefused(Builder().WithShardingFunc(MurmurSharding()),
                absl::StatusCode::kFailedPrecondition,
                paths_[0] + ": is a shard by the sharding function \"jump\"");
  ExpectRefused(Builder().WithValueCompression(Compression::kSnappy),
                absl::StatusCode::kFailedPrecondition,
                paths_[0] + ": holds plain values, not compressed ones");
  const auto ring = KeyRing::Generate();
  ASSERT_OK(ring.status());
  ExpectRefused(Builder().WithEncryption(*ring),
                absl::StatusCode::kFailedPrecondition,
                paths_[0] + ": holds plain values, not sealed ones");
  const std::vector<std::string> all = paths_;
  for (std::string& path : paths_) path += "_of_another_set";
  Make();
  paths_[0] = all[0];
  ExpectRefused(paths_[1] + ": is of the set ");
}

TEST_F(SetLabelsTest, RefusesAWrongKeyOfAnEmptySet) {
  const auto ring = KeyRing::Generate();
  const auto other = KeyRing::Generate();
  ASSERT_OK(ring.status());
  ASSERT_OK(other.status());
  ASSERT_OK(Builder().WithEncryption(*ring).Build().status());
  ExpectRefused(Builder().WithEncryption(*other),
                absl::StatusCode::kFailedPrecondition,
                paths_[0] + ": wrong key: the key check of the set");
  ExpectRefused(paths_[0] + ": holds sealed values, not plain ones");
  EXPECT_OK(Builder().WithEncryption(*ring).Build().status());
}

TEST_F(SetLabelsTest, TheKeyCheckIsRenewedBeforeItsKeyIsDropped) {
  for (const bool rekey : {false, true}) {
    for (const std::string& path : paths_) std::filesystem::remove_all(path);
    const auto ring = KeyRing::Generate();
    const auto other = KeyRing::Generate();
    ASSERT_OK(other.status());
    ASSERT_OK(Builder().WithEncryption(*ring).Build().status());
    const uint32_t old_id = (*ring)->primary_id();
    std::vector<DataKey> keys = (*other)->ExportKeys();
    const uint32_t new_id = keys[0].id;
    ASSERT_OK((*ring)->AddKey(std::move(keys[0])));
    ASSERT_OK((*ring)->SetPrimary(new_id));
    {
      const Opened db = Builder().WithEncryption(*ring).Build();
      ASSERT_OK(db.status());
      if (rekey) {
        const auto progress = (*db)->Rekey();
        ASSERT_OK(progress.status());
        EXPECT_EQ(progress->entries, 0);
      }
      EXPECT_OK((*db)->CheckKeyUnused(old_id));
    }
    ASSERT_OK((*ring)->Drop(old_id));
    EXPECT_OK(Builder().WithEncryption(*ring).Build().status());
  }
}

TEST_F(SetLabelsTest, RefusesADamagedAndANewerLabel) {
  Make();
  const std::string label = EncodeShardLabel(LabelOf(paths_[1]));
  const auto put = [&](const std::string& bytes) {
    Change(paths_[1], [&](leveldb::DB* db) {
      EXPECT_OK(db->Put(leveldb::WriteOptions(), ShardLabelKey(), bytes));
    });
  };
  put(label.substr(0, label.size() - 2) + "\n");
  ShardingDbBuilder builder = Builder();
  ExpectRefused(builder, absl::StatusCode::kDataLoss,
                paths_[1] + ": its label: damaged: checksum");
  put("shardingdb-label 2\nmore\n");
  ExpectRefused(paths_[1] + ": its label: written by a newer version");
  put(label);
  EXPECT_OK(Builder().Build().status());
}

TEST_F(SetLabelsTest, OneDatabaseOfLevelDbIsAdopted) {
  paths_.resize(1);
  Change(paths_[0], [](leveldb::DB* db) {
    for (int i = 0; i < kEntries; ++i) {
      EXPECT_OK(db->Put(leveldb::WriteOptions(), Key(i), "value"));
    }
  });
  const Opened db = Builder().Build();
  ASSERT_OK(db.status());
  ExpectFilled(db->get());
  EXPECT_OK((*db)->Close());
  EXPECT_EQ(LabelOf(paths_[0]).shard_count, 1);
}

TEST_F(SetLabelsTest, SeveralAreAdoptedIfEveryKeyIsInItsPlace) {
  Make();
  Unlabel();
  ExpectRefused(paths_[0] + ": holds entries and no label");
  ExpectRefused(
      Builder().WithShardingFunc(MurmurSharding()).WithAdoption("murmur"),
      absl::StatusCode::kFailedPrecondition, ": holds the key ");
  ExpectRefused(Builder().WithAdoption("murmur"),
                absl::StatusCode::kInvalidArgument, "WithAdoption");
  std::swap(paths_[0], paths_[2]);
  ExpectRefused(Builder().WithAdoption("jump"),
                absl::StatusCode::kFailedPrecondition,
                paths_[0] + ": holds the key ");
  ExpectRefused(Builder().WithReadOnly(), absl::StatusCode::kFailedPrecondition,
                "shard 0 holds the key ");
  std::swap(paths_[0], paths_[2]);
  {
    const Opened db = Builder().WithReadOnly().Build();
    ASSERT_OK(db.status());
    ExpectFilled(db->get());
  }
  {
    const Opened db = Builder().WithAdoption("jump").Build();
    ASSERT_OK(db.status());
    ExpectFilled(db->get());
  }
  EXPECT_EQ(LabelOf(paths_[2]).shard, 2);
  std::swap(paths_[0], paths_[2]);
  const Opened db = Builder().Build();
  ASSERT_OK(db.status());
  ExpectFilled(db->get());
}

TEST_F(SetLabelsTest, AnAdoptedSetThatIsSealedMayBeTakenForPlainOnce) {
  const auto ring = KeyRing::Generate();
  ASSERT_OK(ring.status());
  {
    const Opened db = Builder().WithEncryption(*ring).Build();
    ASSERT_OK(db.status());
    Fill(db->get());
  }
  Unlabel();
  ASSERT_OK(Builder().WithAdoption("jump").Build().status());
  EXPECT_EQ(LabelOf(paths_[0]).values, ValuesForm::kUnknown);
  const Opened db = Builder().WithEncryption(*ring).Build();
  ASSERT_OK(db.status());
  ExpectFilled(db->get());
  EXPECT_OK((*db)->Close());
  EXPECT_EQ(LabelOf(paths_[0]).values, ValuesForm::kSealed);
  ExpectRefused(paths_[0] + ": holds sealed values, not plain ones");
}

// Fails each write and sync of logs, one after the other, while a set is made
// or adopted.
class CutShortTest : public SetLabelsTest,
                     public ::testing::WithParamInterface<bool> {};

TEST_P(CutShortTest, TheNextOpeningFinishesIt) {
  const bool adopts = GetParam();
  for (const FileOperation operation :
       {FileOperation::kAppend, FileOperation::kSync, FileOperation::kCreate}) {
    for (uint64_t skip = 0;; ++skip) {
      ASSERT_LT(skip, 200);
      for (const std::string& path : paths_) std::filesystem::remove_all(path);
      if (adopts) {
        Make();
        Unlabel();
      }
      FaultInjectionEnv env(leveldb::Env::Default());
      leveldb::Options options;
      options.create_if_missing = true;
      options.env = &env;
      const int fault = env.AddFault({{operation}, "*/?/*", skip});
      ShardingDbBuilder cut = Builder();
      cut.WithOptions(options);
      if (adopts) cut.WithAdoption("jump");
      const absl::Status status = cut.Build().status();
      const bool failed = env.Failures(fault) > 0;
      env.RemoveAllFaults();
      ShardingDbBuilder again = Builder();
      if (adopts) again.WithAdoption("jump");
      {
        const Opened db = again.Build();
        ASSERT_OK(db.status()) << skip << ": " << status;
        if (adopts) ExpectFilled(db->get());
      }
      const ShardLabel first = LabelOf(paths_[0]);
      for (const std::string& path : paths_) {
        EXPECT_EQ(LabelOf(path).set_id, first.set_id);
        EXPECT_TRUE(LabelOf(path).stable);
      }
      if (!failed) break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NewAndAdopted, CutShortTest, ::testing::Bool());

}  // namespace
}  // namespace shardingdb
