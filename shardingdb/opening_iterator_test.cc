// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/opening_iterator.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/value_sealer.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// One entry, and a status that it has while it shows it.
class OneEntry final : public leveldb::Iterator {
 public:
  OneEntry(std::string value, leveldb::Status status)
      : value_(std::move(value)), status_(std::move(status)) {}

  bool Valid() const override { return valid_; }
  void SeekToFirst() override { valid_ = true; }
  void SeekToLast() override { valid_ = true; }
  void Seek(const leveldb::Slice&) override { valid_ = true; }
  void Next() override { valid_ = false; }
  void Prev() override { valid_ = false; }
  leveldb::Slice key() const override { return "key"; }
  leveldb::Slice value() const override { return value_; }
  leveldb::Status status() const override { return status_; }

 private:
  const std::string value_;
  const leveldb::Status status_;
  bool valid_ = false;
};

class OpeningIteratorTest : public ::testing::Test {
 protected:
  OpeningIteratorTest() : ring_(KeyRing::Generate().value()) {}

  std::unique_ptr<leveldb::Iterator> Over(const std::string& value,
                                          const leveldb::Status& status) {
    auto iterator =
        NewOpeningIterator(std::make_unique<OneEntry>(value, status),
                           std::make_shared<ValueSealer>(ring_, nullptr));
    iterator->SeekToFirst();
    return iterator;
  }

  const std::shared_ptr<KeyRing> ring_;
};

TEST_F(OpeningIteratorTest, OpensWhatIsThere) {
  std::string sealed;
  ASSERT_OK(ring_->Seal("value", "key", &sealed));
  const auto iterator = Over(sealed, leveldb::Status::OK());
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->value().ToString(), "value");
  EXPECT_OK(iterator->status());
}

TEST_F(OpeningIteratorTest, AValueThatDoesNotOpenIsCorruption) {
  const auto iterator = Over("never sealed", leveldb::Status::OK());
  EXPECT_EQ(iterator->value().ToString(), "");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(), LevelDbStatusIs(LevelDbCode::kCorruption));
}

// LevelDB goes on behind a block that it could not read, and shows what that
// one had overwritten.
TEST_F(OpeningIteratorTest, AnErrorOfReadingIsNotTakenForDamage) {
  const auto iterator =
      Over("never sealed", leveldb::Status::IOError("a bad disk"));
  EXPECT_EQ(iterator->value().ToString(), "");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("a bad disk")));
}

}  // namespace
}  // namespace shardingdb
