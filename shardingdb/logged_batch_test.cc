// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/logged_batch.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "leveldb/write_batch.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

TEST(LoggedBatchTest, HasGoldenBytes) {
  leveldb::WriteBatch batch;
  batch.Put("k", "value");
  batch.Delete("gone");
  batch.Put("", "");
  std::string bytes;
  ASSERT_OK(EncodeBatch(batch, &bytes));
  EXPECT_EQ(bytes, std::string("\x01\x01\0\0\0k\x05\0\0\0value"
                               "\0\x04\0\0\0gone"
                               "\x01\0\0\0\0\0\0\0\0",
                               33));
}

TEST(LoggedBatchTest, ComesBack) {
  leveldb::WriteBatch batch;
  batch.Put("k", std::string(1000, 'v'));
  batch.Delete(std::string("\0x", 2));
  std::string bytes, again;
  ASSERT_OK(EncodeBatch(batch, &bytes));
  leveldb::WriteBatch decoded;
  ASSERT_OK(DecodeBatch(bytes, &decoded));
  ASSERT_OK(EncodeBatch(decoded, &again));
  EXPECT_EQ(again, bytes);
}

TEST(LoggedBatchTest, RefusesWhatIsNone) {
  leveldb::WriteBatch batch;
  batch.Put("key", "value");
  std::string bytes;
  ASSERT_OK(EncodeBatch(batch, &bytes));
  leveldb::WriteBatch decoded;
  for (size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_THAT(DecodeBatch(bytes.substr(0, size), &decoded),
                LevelDbStatusIs(LevelDbCode::kCorruption))
        << size;
  }
  bytes[0] = 2;
  EXPECT_THAT(DecodeBatch(bytes, &decoded),
              LevelDbStatusIs(LevelDbCode::kCorruption));
  EXPECT_OK(DecodeBatch("", &decoded));
}

TEST(LoggedBatchTest, NumbersAreLittleEndian) {
  std::string bytes;
  AppendFixed32(0x01020304, &bytes);
  AppendFixed64(0xfffefdfcfbfaf9f8u, &bytes);
  EXPECT_EQ(bytes, "\x04\x03\x02\x01\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff");
  absl::string_view rest = bytes;
  uint32_t a;
  uint64_t b;
  ASSERT_TRUE(TakeFixed32(&rest, &a));
  ASSERT_TRUE(TakeFixed64(&rest, &b));
  EXPECT_EQ(a, 0x01020304u);
  EXPECT_EQ(b, 0xfffefdfcfbfaf9f8u);
  EXPECT_FALSE(TakeFixed32(&rest, &a));
}

}  // namespace
}  // namespace shardingdb
