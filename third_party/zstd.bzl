"""Zstandard: dense compression."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def zstd(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "Zstandard",
        package = "libzstd-dev",
        system_targets = {
            ":zstd": ["libzstd", "zstd.h", "-lzstd"],
        },
        required_targets = [":zstd"],
    )
