"""RocksDB: to compare with, where it is installed."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def rocksdb(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "RocksDB",
        package = "librocksdb-dev",
        visible_to = Label("//:users_of_rocksdb"),
        system_targets = {
            ":rocksdb": ["rocksdb", "rocksdb/db.h", "-lrocksdb"],
        },
        system_defines = ["SHARDINGDB_HAS_ROCKSDB"],
        required_targets = [":rocksdb"],
        optional = True,
    )
