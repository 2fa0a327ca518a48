// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_RUN_PROGRAM_H_
#define SHARDINGDB_TESTING_RUN_PROGRAM_H_

#include <string>
#include <vector>

namespace shardingdb {

// What a program that has ended leaves behind.
struct ProgramResult {
  int exit_code = -1;  // 128 + N where signal N ended it, as a shell has it
  std::string out;     // what it wrote to its standard output
  std::string err;     // ... and to its standard error

  // The last line of `out`, without its end.
  std::string LastLine() const;
};

// Runs `program`, a file of this repository such as "examples/quickstart" which
// the test has among its `data`, with nothing on its standard input, and waits
// for its end. A program that cannot be started fails the running test.
ProgramResult RunProgram(const std::string& program,
                         const std::vector<std::string>& arguments);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_RUN_PROGRAM_H_
