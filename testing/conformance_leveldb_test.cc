// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// One LevelDB is a DbHandle.

#include "gtest/gtest.h"
#include "testing/conformance_suite.h"
#include "testing/stacks.h"

namespace shardingdb {
namespace {

INSTANTIATE_TEST_SUITE_P(LevelDb, DbHandleConformance,
                         ::testing::Values(LevelDbStack(),
                                           WrappedLevelDbStack()),
                         ConformanceName);

}  // namespace
}  // namespace shardingdb
