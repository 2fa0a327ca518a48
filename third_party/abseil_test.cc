// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "absl/container/fixed_array.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/functional/function_ref.h"
#include "absl/hash/hash.h"
#include "absl/memory/memory.h"
#include "absl/numeric/int128.h"
#include "absl/random/random.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"

ABSL_FLAG(int, shards, 3, "A flag");

namespace {

TEST(Abseil, StatusOrCarriesEither) {
  absl::StatusOr<int> value = 7;
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, 7);
  value = absl::NotFoundError("none");
  EXPECT_EQ(value.status().code(), absl::StatusCode::kNotFound);
}

TEST(Abseil, StringsAndCords) {
  EXPECT_EQ(absl::StrCat("shard ", 3), "shard 3");
  EXPECT_EQ(absl::StrFormat("%03d", 7), "007");
  absl::Cord cord("a");
  cord.Append("b");
  EXPECT_EQ(std::string(cord), "ab");
}

TEST(Abseil, Containers) {
  absl::flat_hash_map<std::string, int> map = {{"a", 1}};
  EXPECT_EQ(map["a"], 1);
  absl::flat_hash_set<int> set = {1, 1};
  EXPECT_EQ(set.size(), 1);
  absl::InlinedVector<int, 2> vector = {1, 2, 3};
  absl::FixedArray<int> array(3, 4);
  EXPECT_EQ(absl::MakeConstSpan(vector).size(), array.size());
  EXPECT_EQ(absl::HashOf(1, 2), absl::HashOf(1, 2));
}

TEST(Abseil, MutexAndCleanup) {
  absl::Mutex mutex;
  bool cleaned = false;
  {
    absl::MutexLock lock(&mutex);
    absl::Cleanup cleanup = [&cleaned] { cleaned = true; };
  }
  EXPECT_TRUE(cleaned);
  EXPECT_GT(absl::Now(), absl::UnixEpoch());
}

TEST(Abseil, NumbersAndFunctions) {
  absl::BitGen random;
  EXPECT_LT(absl::Uniform<uint32_t>(random, 0, 10), 10);
  EXPECT_EQ(absl::Uint128High64(absl::uint128(1) << 64), 1);
  auto twice = [](int x) { return 2 * x; };
  absl::FunctionRef<int(int)> function = twice;
  EXPECT_EQ(function(2), 4);
}

TEST(Abseil, FlagsParse) {
  absl::SetProgramUsageMessage("abseil_test");
  char program[] = "abseil_test", flag[] = "--shards=5", rest[] = "rest";
  char* arguments[] = {program, flag, rest};
  EXPECT_EQ(absl::ParseCommandLine(3, arguments).size(), 2);
  EXPECT_EQ(absl::GetFlag(FLAGS_shards), 5);
}

}  // namespace
