// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The reference implementation passes the suite that it is the reference of.

#include "gtest/gtest.h"
#include "testing/conformance_suite.h"
#include "testing/stacks.h"

namespace shardingdb {
namespace {

INSTANTIATE_TEST_SUITE_P(Model, DbHandleConformance,
                         ::testing::Values(ModelStack()), ConformanceName);

}  // namespace
}  // namespace shardingdb
