"""Snappy: fast compression of values and blocks."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def snappy(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "Snappy",
        package = "libsnappy-dev",
        system_targets = {
            ":snappy": ["snappy", "snappy.h", "-lsnappy"],
        },
        required_targets = [":snappy"],
        urls = ["https://github.com/google/snappy/archive/refs/tags/1.1.9.tar.gz"],
        sha256 = "75c1fbb3d618dd3a0483bff0e26d0a92b495bbe5059c8b4f1c962b478b6e06e7",
        strip_prefix = "snappy-1.1.9",
        source_package = "snappy",
        files = {Label("//third_party:snappy.BUILD"): "BUILD.bazel"},
    )
