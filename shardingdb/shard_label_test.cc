// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_label.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shardingdb/reserved_key.h"
#include "testing/right_checksum.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// docs/formats/shard-label.md shows the same bytes.
constexpr absl::string_view kGolden =
    "shardingdb-label 1\n"
    "set 000102030405060708090a0b0c0d0e0f\n"
    "epoch 2\n"
    "shard 1 of 3\n"
    "function prefix:delimiter=2f\n"
    "comparator leveldb.BytewiseComparator\n"
    "values sealed\n"
    "keys clear\n"
    "key-check 0100010203\n"
    "state stable\n"
    "checksum "
    "570c2f029fbe05123e448d3432b78bcdcb3902dabbbd33f5efb0c0f4ec08839b\n";

constexpr absl::string_view kGoldenCreating =
    "shardingdb-label 1\n"
    "set 000102030405060708090a0b0c0d0e0f\n"
    "epoch 1\n"
    "shard 0 of 1\n"
    "function jump\n"
    "comparator line\\nbreak\n"
    "values plain\n"
    "keys clear\n"
    "key-check none\n"
    "state creating\n"
    "checksum "
    "4ecbd4c7f1cfddba4812a856c3915f36b12b5d913f8333c939ebcfb99e568dc9\n";

ShardLabel Example() {
  ShardLabel label;
  label.set_id = "000102030405060708090a0b0c0d0e0f";
  label.epoch = 2;
  label.shard = 1;
  label.shard_count = 3;
  label.function = "prefix:delimiter=2f";
  label.comparator = "leveldb.BytewiseComparator";
  label.values = ValuesForm::kSealed;
  label.key_check = std::string("\x01\x00\x01\x02\x03", 5);
  return label;
}

ShardLabel CreatingExample() {
  ShardLabel label;
  label.set_id = "000102030405060708090a0b0c0d0e0f";
  label.function = "jump";
  label.comparator = "line\nbreak";
  label.stable = false;
  return label;
}

TEST(ShardLabelTest, BytesAreGolden) {
  EXPECT_EQ(EncodeShardLabel(Example()), kGolden);
  EXPECT_EQ(EncodeShardLabel(CreatingExample()), kGoldenCreating);
}

TEST(ShardLabelTest, IsReadBack) {
  EXPECT_THAT(ParseShardLabel(kGolden), IsOkAndHolds(Example()));
  EXPECT_THAT(ParseShardLabel(kGoldenCreating),
              IsOkAndHolds(CreatingExample()));
}

TEST(ShardLabelTest, IsReadBackInEveryForm) {
  for (const ValuesForm form : {ValuesForm::kPlain, ValuesForm::kCompressed,
                                ValuesForm::kSealed, ValuesForm::kUnknown}) {
    ShardLabel label = Example();
    label.values = form;
    label.opaque_keys = true;
    EXPECT_THAT(ParseShardLabel(EncodeShardLabel(label)), IsOkAndHolds(label))
        << NameOf(form);
  }
}

TEST(ShardLabelTest, KeysAreReserved) {
  EXPECT_TRUE(IsReservedKey(ShardLabelKey()));
  EXPECT_TRUE(IsReservedKey({KeyCheckKey().data(), KeyCheckKey().size()}));
  EXPECT_EQ(ShardLabelKey().ToString(),
            "\xff\xff\xff\xff"
            "shardingdb:label");
  EXPECT_EQ(KeyCheckKey(),
            "\xff\xff\xff\xff"
            "shardingdb:key-check");
}

TEST(ShardLabelTest, EveryFlippedBitIsNoticed) {
  for (size_t i = 0; i < kGolden.size() * 8; ++i) {
    std::string bytes(kGolden);
    bytes[i / 8] = static_cast<char>(bytes[i / 8] ^ (1 << (i % 8)));
    EXPECT_FALSE(ParseShardLabel(bytes).ok()) << i;
  }
}

TEST(ShardLabelTest, ANewerFormatIsRefused) {
  EXPECT_THAT(ParseShardLabel(WithRightChecksum(absl::StrReplaceAll(
                  kGolden, {{"shardingdb-label 1", "shardingdb-label 2"}}))),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("written by a newer version (format '2'")));
}

TEST(ShardLabelTest, WhatIsNoLabelIsDamage) {
  const struct {
    absl::string_view line;
    absl::string_view instead;
  } kCases[] = {
      {"shardingdb-label 1", "shardingdb-other 1"},
      {"set 000102030405060708090a0b0c0d0e0f", "set 00"},
      {"set 00", "set 0X"},
      {"epoch 2", "epoch 0"},
      {"epoch 2", "epoch +2"},
      {"epoch 2", "epoch 18446744073709551616"},
      {"shard 1 of 3", "shard 3 of 3"},
      {"shard 1 of 3", "shard 1"},
      {"shard 1 of 3", "shard 1 of 1000000"},
      {"function prefix:delimiter=2f", "function "},
      {"function prefix", "function \\q"},
      {"function prefix", "function \\160refix"},
      {"comparator leveldb", "comparator \\q"},
      {"values sealed", "values other"},
      {"keys clear", "keys maybe"},
      {"key-check 01", "key-check 1"},
      {"key-check 01", "key-check zz"},
      {"state stable", "state moving"},
      {"state stable\n", ""},
      {"state stable\n", "state stable\nmore lines\n"},
      {"epoch 2\nshard 1 of 3\n", "shard 1 of 3\nepoch 2\n"},
  };
  for (const auto& changed : kCases) {
    EXPECT_THAT(ParseShardLabel(WithRightChecksum(absl::StrReplaceAll(
                    kGolden, {{changed.line, changed.instead}}))),
                StatusIs(absl::StatusCode::kDataLoss))
        << changed.instead;
  }
}

TEST(ShardLabelTest, SaysWhichShardItIs) {
  EXPECT_EQ(PlaceOf(Example()), "shard 1 of 3");
}

}  // namespace
}  // namespace shardingdb
