// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/process_usage.h"

#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

TEST(ProcessUsage, SeesWorkAndMemory) {
  const ProcessUsage before = ProcessUsage::Now();
  EXPECT_GT(before.peak_rss_bytes, uint64_t{1} << 20);
  std::vector<char> memory(before.peak_rss_bytes + (64 << 20), 'x');
  ProcessUsage after = ProcessUsage::Now();
  EXPECT_GE(after.peak_rss_bytes, before.peak_rss_bytes + (32 << 20));
  while (after.cpu_seconds == before.cpu_seconds) {
    for (char& byte : memory) byte = static_cast<char>(byte + 1);
    after = ProcessUsage::Now();
  }
  EXPECT_GT(after.cpu_seconds, before.cpu_seconds);
}

TEST(ProcessUsage, NeverForgetsWhatWasWritten) {
  const TempDir dir;
  const ProcessUsage before = ProcessUsage::Now();
  std::ofstream(dir.Join("file")) << std::string(1 << 20, 'x') << std::flush;
  // More than that where the folder is on a disk, nothing where it is not.
  EXPECT_GE(ProcessUsage::Now().written_bytes, before.written_bytes);
}

}  // namespace
}  // namespace shardingdb
