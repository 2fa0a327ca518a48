// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What users hold is a DbHandle.

#include "gtest/gtest.h"
#include "testing/conformance_suite.h"
#include "testing/stacks.h"

namespace shardingdb {
namespace {

INSTANTIATE_TEST_SUITE_P(ShardingDb, DbHandleConformance,
                         ::testing::Values(OpenedStack(3), BuiltStack(1),
                                           BuiltStack(4), LoggedStack(3)),
                         ConformanceName);

}  // namespace
}  // namespace shardingdb
