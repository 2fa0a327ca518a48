// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A damaged record in the last block of a log or a descriptor does not pass for
// one that a crash tore (patch 0009).

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"
#include "third_party/leveldb/files.h"

namespace shardingdb {
namespace {

constexpr int kEntries = 12;

std::string Key(int i) { return absl::StrCat("key", 10 + i); }
std::string Value(int i) { return absl::StrCat("value of ", Key(i)); }

class DamagedLogTest : public testing::Test {
 protected:
  DamagedLogTest() : env_(leveldb::NewMemEnv(leveldb::Env::Default())) {}

  // A log that begins with `first`, under "first", and has the kEntries next.
  Files LogFiles(const std::string& first) {
    Database db(env_.get());
    EXPECT_OK(db.Open());
    EXPECT_OK(db.Put("first", first));
    for (int i = 0; i < kEntries; ++i) EXPECT_OK(db.Put(Key(i), Value(i)));
    db.Close();
    return ReadFiles(env_.get());
  }

  // A descriptor of kEntries tables, each with one entry.
  Files DescriptorFiles() {
    Database db(env_.get());
    EXPECT_OK(db.Open());
    for (int i = 0; i < kEntries; ++i) {
      EXPECT_OK(db.Put(Key(i), Value(i)));
      const leveldb::Slice begin("~1"), end("~2");
      db->CompactRange(&begin, &end);  // only writes the memtable out
    }
    db.Close();
    return ReadFiles(env_.get());
  }

  // The records of the file whose last block is damaged.
  static std::vector<size_t> LastBlock(const std::string& log) {
    std::vector<size_t> offsets = RecordOffsets(log);
    const size_t block = log.size() / 32768 * 32768;
    offsets.erase(offsets.begin(),
                  std::lower_bound(offsets.begin(), offsets.end(), block));
    EXPECT_GT(offsets.size(), 3);
    return offsets;
  }

  static leveldb::Status OpenStrictly(const Files& files) {
    const std::unique_ptr<leveldb::Env> env = EnvWithFiles(files);
    Database db(env.get());
    db.options()->paranoid_checks = true;
    return db.Open();
  }

  // No record's length can be damaged without opening failing.
  static void FlipEachBitOfEachLength(const Files& files,
                                      const std::string& name) {
    for (const size_t offset : LastBlock(files.at(name))) {
      for (int bit = 0; bit < 16; ++bit) {
        Files damaged = files;
        char& byte = damaged[name][offset + 4 + bit / 8];
        byte = static_cast<char>(byte ^ (1 << bit % 8));
        EXPECT_THAT(OpenStrictly(damaged),
                    LevelDbStatusIs(LevelDbCode::kCorruption))
            << "bit " << bit << " of the record at " << offset;
      }
    }
  }

  // Nor can a header be overwritten by `bytes`, but for the last one's.
  static void OverwriteEachHeader(const Files& files, const std::string& name,
                                  const std::string& bytes) {
    std::vector<size_t> offsets = LastBlock(files.at(name));
    offsets.pop_back();
    for (const size_t offset : offsets) {
      Files damaged = files;
      damaged[name].replace(offset, bytes.size(), bytes);
      EXPECT_THAT(OpenStrictly(damaged),
                  LevelDbStatusIs(LevelDbCode::kCorruption))
          << "record at " << offset;
    }
  }

  // Wherever the log is cut, it opens with the records that are whole.
  static void CutAnywhere(const Files& files) {
    const std::string name = NamesWith(".log", files).at(0);
    const std::string log = files.at(name);
    const std::vector<size_t> offsets = LastBlock(log);
    const int before = static_cast<int>(offsets.size()) - kEntries;
    for (size_t size = offsets[0]; size < log.size(); ++size) {
      Files cut = files;
      cut[name].resize(size);
      const std::unique_ptr<leveldb::Env> env = EnvWithFiles(cut);
      Database db(env.get());
      db.options()->paranoid_checks = true;
      ASSERT_OK(db.Open()) << "cut at " << size;
      for (int i = 0; i < kEntries; ++i) {
        const size_t end =
            i + 1 < kEntries ? offsets[before + i + 1] : log.size();
        if (end <= size) {
          ASSERT_EQ(db.Get(Key(i)), Value(i)) << size;
        } else {
          ASSERT_EQ(db.Get(Key(i)), "NotFound: ") << size;
        }
      }
    }
  }

  const std::unique_ptr<leveldb::Env> env_;
};

TEST_F(DamagedLogTest, LengthOfARecord) {
  const Files files = LogFiles("1");
  FlipEachBitOfEachLength(files, NamesWith(".log", files).at(0));
}

TEST_F(DamagedLogTest, LengthOfARecordBehindOtherBlocks) {
  const Files files = LogFiles(std::string(40000, '1'));
  FlipEachBitOfEachLength(files, NamesWith(".log", files).at(0));
}

TEST_F(DamagedLogTest, HeaderOfARecord) {
  const Files files = LogFiles("1");
  const std::string log = NamesWith(".log", files).at(0);
  OverwriteEachHeader(files, log, std::string(7, '\xff'));
  OverwriteEachHeader(files, log, std::string(7, '\0'));
}

TEST_F(DamagedLogTest, LengthOfADescriptorsRecord) {
  const Files files = DescriptorFiles();
  FlipEachBitOfEachLength(files, NamesWith("MANIFEST", files).at(0));
}

TEST_F(DamagedLogTest, HeaderOfADescriptorsRecord) {
  const Files files = DescriptorFiles();
  const std::string descriptor = NamesWith("MANIFEST", files).at(0);
  OverwriteEachHeader(files, descriptor, std::string(7, '\xff'));
  OverwriteEachHeader(files, descriptor, std::string(7, '\0'));
}

// A damaged descriptor is refused whatever the options.
TEST_F(DamagedLogTest, NoTableOfADamagedDescriptorIsRemoved) {
  Files files = DescriptorFiles();
  const std::vector<std::string> tables = NamesWith(".ldb", files);
  EXPECT_EQ(tables.size(), kEntries);
  const std::string name = NamesWith("MANIFEST", files).at(0);
  std::string& descriptor = files[name];
  descriptor[RecordOffsets(descriptor).at(3) + 5] = 4;  // 1024 bytes more
  const std::unique_ptr<leveldb::Env> env = EnvWithFiles(files);
  Database db(env.get());
  EXPECT_THAT(db.Open(), LevelDbStatusIs(LevelDbCode::kCorruption));
  EXPECT_EQ(NamesWith(".ldb", ReadFiles(env.get())), tables);
}

TEST_F(DamagedLogTest, TornRecordIsNoDamage) {
  ASSERT_NO_FATAL_FAILURE(CutAnywhere(LogFiles("1")));
}

TEST_F(DamagedLogTest, TornRecordWithALogInItIsNoDamage) {
  const Files inner = LogFiles("1");
  Database db(env_.get());
  ASSERT_OK(leveldb::DestroyDB("/db", *db.options()));
  ASSERT_NO_FATAL_FAILURE(
      CutAnywhere(LogFiles(inner.at(NamesWith(".log", inner).at(0)))));
}

// Any byte may be in a value: those that look most like headers, too, must not
// make opening slow.
TEST_F(DamagedLogTest, BytesThatLookLikeHeaders) {
  Files files = LogFiles(std::string(32000, '\4'));
  std::string& log = files[NamesWith(".log", files).at(0)];
  log.resize(32000);
  EXPECT_OK(OpenStrictly(files));
  log.replace(0, 7, std::string(7, '\xff'));
  EXPECT_OK(OpenStrictly(files));
}

}  // namespace
}  // namespace shardingdb
