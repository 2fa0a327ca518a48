// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Sealing values changes nothing that a user sees.

#include "gtest/gtest.h"
#include "testing/conformance_suite.h"
#include "testing/stacks.h"

namespace shardingdb {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Sealed, DbHandleConformance,
    ::testing::Values(SealedStack(ModelStack()), SealedStack(LevelDbStack()),
                      SealedStack(RoutedStack(1, LevelDbStack())),
                      SealedStack(RoutedStack(2, LevelDbStack())),
                      SealedStack(RoutedStack(7, LevelDbStack())),
                      RoutedStack(2, SealedStack(LevelDbStack()))),
    ConformanceName);

}  // namespace
}  // namespace shardingdb
