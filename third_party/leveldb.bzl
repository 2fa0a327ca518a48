"""LevelDB: always from source, with the patches of third_party/leveldb."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def leveldb(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "LevelDB",
        remedy = "put the archive into a folder and name that with --distdir",
        urls = ["https://github.com/google/leveldb/archive/refs/tags/1.23.tar.gz"],
        sha256 = "9a37f8a6174f09bd622bc723b55881dc541cd50747cbd08831c2a82d620f6d76",
        strip_prefix = "leveldb-1.23",
        source_package = "leveldb",
        patches = [
            Label("//third_party/leveldb:0001-extend-inputs-of-second-level.patch"),
            Label("//third_party/leveldb:0002-close-of-old-log.patch"),
            Label("//third_party/leveldb:0003-append-to-log.patch"),
            Label("//third_party/leveldb:0004-nothing-behind-torn-descriptor.patch"),
            Label("//third_party/leveldb:0005-sync-covers-old-log.patch"),
            Label("//third_party/leveldb:0006-manual-compaction-after-error.patch"),
            Label("//third_party/leveldb:0007-verify-checksums.patch"),
            Label("//third_party/leveldb:0008-unreadable-log.patch"),
            Label("//third_party/leveldb:0009-damaged-length.patch"),
            Label("//third_party/leveldb:0010-no-reuse-of-torn-log.patch"),
            Label("//third_party/leveldb:0011-missing-log.patch"),
            Label("//third_party/leveldb:0012-lock-stays.patch"),
            Label("//third_party/leveldb:0013-sync-of-reused-descriptor.patch"),
            Label("//third_party/leveldb:0014-repair-by-sequence.patch"),
            Label("//third_party/leveldb:0015-truncated-table.patch"),
            Label("//third_party/leveldb:0016-hint-after-last.patch"),
            Label("//third_party/leveldb:0017-last-sequence.patch"),
        ],
        patches_variable = "SHARDINGDB_LEVELDB_PATCHES",
        files = {
            Label("//third_party/leveldb:crc32c.h"): "crc32c/crc32c.h",
            Label("//third_party:leveldb.BUILD"): "BUILD.bazel",
        },
    )
