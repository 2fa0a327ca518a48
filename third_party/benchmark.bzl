"""google benchmark."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def benchmark(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "google benchmark",
        package = "libbenchmark-dev",
        system_targets = {
            ":benchmark": ["benchmark", "benchmark/benchmark.h", "-lbenchmark", "-pthread"],
            ":benchmark_main": ["benchmark_main", "benchmark/benchmark.h", "-lbenchmark_main", "-lbenchmark", "-pthread"],
        },
        required_targets = [":benchmark", ":benchmark_main"],
        urls = ["https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz"],
        sha256 = "6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7",
        strip_prefix = "benchmark-1.7.1",
        source_package = "benchmark",
        files = {Label("//third_party:benchmark.BUILD"): "BUILD.bazel"},
    )
