// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/no_threads.h"

#include <cstddef>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

// The stack of a thread, which there is no room for.
constexpr size_t kTooMuch = size_t{1} << 47;

}  // namespace

NoThreads::NoThreads() {
  EXPECT_EQ(::pthread_getattr_default_np(&before_), 0);
  ::pthread_attr_t huge;
  EXPECT_EQ(::pthread_getattr_default_np(&huge), 0);
  EXPECT_EQ(::pthread_attr_setstacksize(&huge, kTooMuch), 0);
  EXPECT_EQ(::pthread_setattr_default_np(&huge), 0);
  ::pthread_attr_destroy(&huge);
}

NoThreads::~NoThreads() {
  EXPECT_EQ(::pthread_setattr_default_np(&before_), 0);
  ::pthread_attr_destroy(&before_);
}

}  // namespace shardingdb
