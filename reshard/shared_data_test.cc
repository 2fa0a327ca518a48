// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The databases of other programs in the folder that the environment variable
// SHARDINGDB_SHARED_DATA names: migrated, grown, shrunk and compared with the
// table of its README.md.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "crypto/legacy_aes_cbc.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"
#include "reshard/folders_digest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "reshard/test_rings.h"
#include "reshard/value_codec.h"
#include "shardingdb/sharding_func.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

struct Archive {
  std::string name;
  std::vector<std::string> folders;
  uint64_t entries;
  std::string sha256;
};

void PrintTo(const Archive& archive, std::ostream* out) {
  *out << archive.name;
}

class SharedDataTest : public ::testing::TestWithParam<Archive> {
 protected:
  void SetUp() override {
    const char* const shared = std::getenv("SHARDINGDB_SHARED_DATA");
    ASSERT_NE(shared, nullptr)
        << "run with --test_env=SHARDINGDB_SHARED_DATA=FOLDER";
    const std::string command = "tar -xzf '" + std::string(shared) + "/" +
                                GetParam().name + ".tar.gz' -C '" +
                                dir_.path() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (const std::string& folder : GetParam().folders) {
      inputs_.push_back(dir_.Join(folder));
    }
  }

  std::vector<std::string> Outputs(int count) {
    std::vector<std::string> outputs;
    for (int i = 0; i < count; ++i) {
      outputs.push_back(dir_.Join("out" + std::to_string(i)));
    }
    return outputs;
  }

  void Move(const std::vector<std::string>& from,
            const std::vector<std::string>& to) {
    ReshardOptions options;
    options.inputs = from;
    options.outputs = to;
    ASSERT_OK_AND_ASSIGN(const ReshardResult result, Reshard(options));
    EXPECT_EQ(result.contents.entries(), GetParam().entries);
    ASSERT_OK_AND_ASSIGN(const FoldersDigest digest, DigestOfFolders(to));
    EXPECT_EQ(digest.entries, GetParam().entries);
    EXPECT_EQ(digest.sha256, GetParam().sha256);
  }

  TempDir dir_;
  std::vector<std::string> inputs_;
};

TEST_P(SharedDataTest, MigratesGrowsAndShrinksWithTheSameDigest) {
  std::vector<std::map<std::string, std::string>> before;
  for (const std::string& input : inputs_) before.push_back(FilesOf(input));
  Move(inputs_, Outputs(3));
  Move(Outputs(3), Outputs(4));
  Move(Outputs(4), Outputs(2));
  for (size_t i = 0; i < inputs_.size(); ++i) {
    EXPECT_TRUE(FilesOf(inputs_[i]) == before[i]) << inputs_[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Archives, SharedDataTest,
    ::testing::Values(
        Archive{"goleveldb-single",
                {"goleveldb-single"},
                4976,
                "77dd55f990f85fe26adc71af69d6abf65787277780d548cc140bd6c1de"
                "325126"},
        Archive{"classic-level-single",
                {"classic-level-single"},
                6612,
                "4af8cadaa8fd68c890ac738e322f3184366104cae8360bc8897b865fb8"
                "563f2a"},
        Archive{"go-shardingdb-murmur3",
                {"go-shardingdb-murmur3/shard0", "go-shardingdb-murmur3/shard1",
                 "go-shardingdb-murmur3/shard2"},
                5806,
                "e550832fb9fd5586da48249a368af8a3e8e408e7f42c4252dae5754a2a"
                "e4ea61"}),
    [](const ::testing::TestParamInfo<Archive>& info) {
      std::string name = info.param.name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

// A set that the Go shardingdb has encrypted.
TEST(SharedLegacyTest, IsMigratedUnderANewRing) {
  const char* const shared = std::getenv("SHARDINGDB_SHARED_DATA");
  ASSERT_NE(shared, nullptr);
  TempDir dir;
  const std::string command = "tar -xzf '" + std::string(shared) +
                              "/go-shardingdb-murmur3-aescbc.tar.gz' -C '" +
                              dir.path() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const TestRings rings;
  ReshardOptions options;
  for (const char* const shard : {"shard0", "shard1", "shard2"}) {
    options.inputs.push_back(
        dir.Join(std::string("go-shardingdb-murmur3-aescbc/") + shard));
    options.outputs.push_back(dir.Join(shard));
  }
  options.in_values =
      LegacyValues(NewLegacyAesCbc(SecretBytes("1234567890123456")).value());
  options.out_values = rings.Codec("ring");
  ASSERT_OK(Reshard(options));
  ASSERT_OK_AND_ASSIGN(const FoldersDigest digest,
                       DigestOfFolders(options.outputs, nullptr, nullptr,
                                       nullptr, options.out_values));
  EXPECT_EQ(digest.entries, 2946);
  EXPECT_EQ(digest.sha256,
            "4dfbd0d5782f553c0f522024ac7a65382bbb079f661935e2be8247ae5bff4d40");
}

// How many of `values` with 8 bytes or more are in any file of `folder`.
int ValuesInFiles(const std::string& folder, const Entries& entries) {
  int found = 0;
  for (const auto& [path, bytes] : FilesOf(folder)) {
    // Looking for 5,000 values in some megabytes one by one takes minutes.
    std::unordered_set<std::string> beginnings;
    for (size_t i = 0; i + 8 <= bytes.size(); ++i) {
      beginnings.insert(bytes.substr(i, 8));
    }
    for (const auto& [key, value] : entries) {
      found += value.size() >= 8 && beginnings.count(value.substr(0, 8)) > 0 &&
               bytes.find(value) != std::string::npos;
    }
  }
  return found;
}

// The database as the other program has left it, log and all.
TEST_P(SharedDataTest, SealedInPlaceNoValueIsFoundInAnyFile) {
  const TestRings rings;
  ReshardOptions options;
  options.inputs = inputs_;
  options.function = MurmurSharding();
  options.out_values = rings.Codec("ring");
  std::vector<Entries> entries;
  for (const std::string& folder : inputs_) {
    entries.push_back(ReadFolder(folder));
    EXPECT_GT(ValuesInFiles(folder, entries.back()), 100);
  }
  ASSERT_OK_AND_ASSIGN(const ReshardResult sealed, Reshard(options));
  EXPECT_EQ(sealed.moved, GetParam().entries);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    EXPECT_EQ(ValuesInFiles(inputs_[i], entries[i]), 0) << inputs_[i];
  }
  std::swap(options.in_values, options.out_values);
  ASSERT_OK(Reshard(options));
  ASSERT_OK_AND_ASSIGN(const FoldersDigest digest, DigestOfFolders(inputs_));
  EXPECT_EQ(digest.entries, GetParam().entries);
  EXPECT_EQ(digest.sha256, GetParam().sha256);
}

}  // namespace
}  // namespace shardingdb
