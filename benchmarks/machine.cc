// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <thread>

#include "absl/strings/str_format.h"

namespace shardingdb {
namespace {

// The value of the first line "name : value" of /proc/cpuinfo.
std::string CpuInfo(const std::string& name, const std::string& otherwise) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.compare(0, name.size(), name) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return otherwise;
}

}  // namespace

std::string DescribeMachine() {
  struct utsname system = {};
  ::uname(&system);
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<double>(::sysconf(_SC_PAGESIZE));
  return absl::StrFormat(
      "%s, %d cores, %.0f GiB, %s %s", CpuInfo("model name", system.machine),
      std::thread::hardware_concurrency(), memory / (uint64_t{1} << 30),
      system.sysname, system.release);
}

}  // namespace shardingdb
