"""googletest and googlemock."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def googletest(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "googletest with googlemock",
        package = "libgmock-dev",
        # As upstream's targets: gtest has googlemock in it.
        system_targets = {
            ":gtest": ["gmock", "gmock/gmock.h", "-lgmock", "-lgtest", "-pthread"],
            ":gtest_main": ["gmock_main", "gmock/gmock.h", "-lgmock_main", "-lgmock", "-lgtest", "-pthread"],
        },
        required_targets = [":gtest", ":gtest_main"],
        urls = ["https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz"],
        sha256 = "81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2",
        strip_prefix = "googletest-release-1.12.1",
        source_package = "googletest",
        files = {Label("//third_party:googletest.BUILD"): "BUILD.bazel"},
    )
