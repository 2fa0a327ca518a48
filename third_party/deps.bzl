"""What a WORKSPACE calls to get everything that ShardingDB needs."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:abseil.bzl", "abseil")
load("//third_party:bazel.bzl", "bazel_own_repositories")
load("//third_party:benchmark.bzl", "benchmark")
load("//third_party:cryptopp.bzl", "cryptopp")
load("//third_party:googletest.bzl", "googletest")
load("//third_party:isal.bzl", "isal")
load("//third_party:leveldb.bzl", "leveldb")
load("//third_party:nlohmann_json.bzl", "nlohmann_json")
load("//third_party:rocksdb.bzl", "rocksdb")
load("//third_party:snappy.bzl", "snappy")
load("//third_party:zstd.bzl", "zstd")

# The one list of dependencies; MODULE.bazel and WORKSPACE both come here.
DEPENDENCIES = {
    "com_github_google_benchmark": benchmark,
    "com_google_absl": abseil,
    "com_google_googletest": googletest,
    "com_google_leveldb": leveldb,
    "cryptopp": cryptopp,
    "isal": isal,
    "nlohmann_json": nlohmann_json,
    "rocksdb": rocksdb,
    "snappy": snappy,
    "zstd": zstd,
}

def shardingdb_dependencies():
    """Defines each repository that the WORKSPACE has not defined itself."""
    for name, define in DEPENDENCIES.items():
        if not native.existing_rule(name):
            define(name)
    bazel_own_repositories()
