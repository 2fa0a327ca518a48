// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The reference implementation passes the suite that it is the reference of.

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "testing/conformance_suite.h"
#include "testing/model_db.h"

namespace shardingdb {
namespace {

ConformanceParam Model() {
  ConformanceParam param;
  param.name = "Model";
  param.open = [](const std::string&, const leveldb::Comparator* comparator) {
    return std::make_unique<ModelDb>(comparator);
  };
  param.persistent = false;
  return param;
}

INSTANTIATE_TEST_SUITE_P(Handles, DbHandleConformance,
                         ::testing::Values(Model()), ConformanceName);

}  // namespace
}  // namespace shardingdb
