// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_FLAGS_PROGRAM_H_
#define SHARDINGDB_FLAGS_PROGRAM_H_

#include <cstdio>

#include "absl/strings/string_view.h"

namespace shardingdb {

// What the programs of this repository that write databases and keys have
// around their work, so that none of them ends without a word.

// To be called before anything else. From then on
//   * a process that gets no more memory says so on stderr, as `name`, and ends
//     with `exit_code`, on whatever thread it is. Files are left as by a kill,
//     which all that these programs write withstands; an exception would not
//     get out of the threads of LevelDB, nor leave its databases usable.
//   * a file that would get longer than `ulimit -f` allows is an error of
//     writing (EFBIG), and not the end of the process.
//   * no file that is opened gets the number of a standard stream that was
//     closed, and with it what is written there.
// `name` must live as long as the process.
void StartProgram(const char* name, int exit_code);

// Writes `text` at once. EndProgram knows whether all of it got out.
void WriteTo(std::FILE* file, absl::string_view text);

// What main returns instead of `code`: if something that was written to stdout
// is lost, this says so on stderr, and is the `exit_code` of StartProgram.
int EndProgram(int code);

}  // namespace shardingdb

#endif  // SHARDINGDB_FLAGS_PROGRAM_H_
