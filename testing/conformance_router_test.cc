// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Shards of any kind side by side are a DbHandle.

#include "gtest/gtest.h"
#include "testing/conformance_suite.h"
#include "testing/stacks.h"

namespace shardingdb {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Router, DbHandleConformance,
    ::testing::Values(RoutedStack(1, LevelDbStack()),
                      RoutedStack(2, LevelDbStack()),
                      RoutedStack(7, LevelDbStack()),
                      RoutedStack(3, ModelStack()),
                      RoutedStack(2, RoutedStack(2, LevelDbStack()))),
    ConformanceName);

}  // namespace
}  // namespace shardingdb
