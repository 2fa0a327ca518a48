// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_RECODE_FIXTURE_H_
#define SHARDINGDB_RESHARD_RECODE_FIXTURE_H_

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "reshard/test_rings.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_func.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {

// A set of two folders, plain in the beginning, whose values get another form
// in place.
class RecodeFixture : public ::testing::Test {
 protected:
  RecodeFixture() { WriteSet(folders_, JumpSharding(), entries_); }

  ReshardOptions Command(const std::string& in, const std::string& out) {
    ReshardOptions options;
    options.inputs = folders_;
    options.batch_bytes = 8192;
    options.in_values = rings_.Codec(in);
    options.out_values = rings_.Codec(out);
    return options;
  }
  absl::StatusOr<ReshardResult> Run(const std::string& in,
                                    const std::string& out) {
    return Reshard(Command(in, out));
  }
  // Runs the command until the step has been passed so many times.
  void Interrupt(ReshardOptions options, absl::string_view at, int times = 1) {
    std::atomic<bool> stop{false};
    std::atomic<int> seen{0};
    options.stop = &stop;
    options.on_step = [&](absl::string_view step) {
      if (step == at && ++seen == times) stop = true;
    };
    ASSERT_THAT(Reshard(options), StatusIs(absl::StatusCode::kCancelled));
  }
  void ExpectHolds(const std::string& form, const Entries& entries) {
    const ValueCodec codec = rings_.Codec(form);
    Entries opened;
    for (const auto& [key, stored] : ReadSet(folders_, JumpSharding())) {
      if (codec.plain()) {
        opened[key] = stored;
      } else {
        EXPECT_OK(codec.aead->Open(stored, key, &opened[key]));
      }
    }
    EXPECT_TRUE(opened == entries);
  }
  void ExpectNotMarked() {
    for (const std::string& folder : folders_) {
      EXPECT_FALSE(std::filesystem::exists(folder + "/RESHARD")) << folder;
    }
  }
  void Put(const std::string& folder, const std::string& key,
           const std::string& stored) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                         OpenLevelDb(folder, ShardOptions()));
    ASSERT_OK(db->Put(leveldb::WriteOptions(), key, stored));
    ASSERT_OK(db->Close());
  }
  std::string KeyOf(uint32_t shard, std::string key) {
    while (JumpSharding()->ShardOf(key, 2) != shard) key += "x";
    return key;
  }

  TempDir dir_;
  TestRings rings_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  const std::vector<std::string> folders_ = {a_, b_};
  const Entries entries_ = GenerateEntries(3, 1500);
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_RECODE_FIXTURE_H_
