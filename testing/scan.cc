// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/scan.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "testing/status_matchers.h"

namespace shardingdb {

KeyValues ScanForward(leveldb::Iterator* iterator) {
  KeyValues entries;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    entries.emplace_back(iterator->key().ToString(),
                         iterator->value().ToString());
  }
  EXPECT_OK(iterator->status());
  return entries;
}

KeyValues ScanBackward(leveldb::Iterator* iterator) {
  KeyValues entries;
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
    entries.emplace_back(iterator->key().ToString(),
                         iterator->value().ToString());
  }
  EXPECT_OK(iterator->status());
  return entries;
}

KeyValues ScanBothWays(leveldb::Iterator* iterator) {
  KeyValues forward = ScanForward(iterator);
  KeyValues backward = ScanBackward(iterator);
  std::reverse(backward.begin(), backward.end());
  EXPECT_TRUE(forward == backward)
      << forward.size() << " entries forwards, " << backward.size()
      << " entries backwards, or unlike ones";
  return forward;
}

std::vector<std::string> KeysOf(const KeyValues& entries) {
  std::vector<std::string> keys;
  keys.reserve(entries.size());
  for (const auto& entry : entries) keys.push_back(entry.first);
  return keys;
}

}  // namespace shardingdb
