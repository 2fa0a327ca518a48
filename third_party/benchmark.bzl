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
    )
