// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/comparators.h"

#include <string>

#include "leveldb/comparator.h"
#include "leveldb/slice.h"

namespace shardingdb {
namespace {

using ::leveldb::Slice;

class ReverseBytewise final : public leveldb::Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  const char* Name() const override { return "shardingdb.test.Reverse"; }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

class Numeric final : public leveldb::Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
  }
  const char* Name() const override { return "shardingdb.test.Numeric"; }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

}  // namespace

const leveldb::Comparator* ReverseBytewiseComparator() {
  static const auto* const kComparator = new ReverseBytewise;
  return kComparator;
}

const leveldb::Comparator* NumericComparator() {
  static const auto* const kComparator = new Numeric;
  return kComparator;
}

}  // namespace shardingdb
