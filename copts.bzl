"""Compiler options of this repository's own C++ targets."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

# Clang's -Wthread-safety needs no line here: Bazel's own C++ toolchain turns
# it on wherever the compiler knows it, and -Werror makes it count.
SHARDINGDB_COPTS = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-sign-compare",
    # Newer Abseil deprecates what the oldest one that is supported needs, such
    # as absl::MutexLock on a pointer.
    "-Wno-deprecated-declarations",
]
