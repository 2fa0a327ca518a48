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
    )
