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
        urls = ["https://github.com/facebook/zstd/releases/download/v1.5.4/zstd-1.5.4.tar.gz"],
        sha256 = "0f470992aedad543126d06efab344dc5f3e171893810455787d38347343a4424",
        strip_prefix = "zstd-1.5.4",
        source_package = "libzstd",
        source_package_sha256 = "8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953",
        source_package_archive = "archive.tar.xz",
        files = {Label("//third_party:zstd.BUILD"): "BUILD.bazel"},
    )
