"""What a MODULE.bazel uses to get everything that ShardingDB needs."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:deps.bzl", "DEPENDENCIES")

def _third_party_impl(_):
    for name, define in DEPENDENCIES.items():
        define(name)

third_party = module_extension(
    implementation = _third_party_impl,
    doc = "Defines one repository for each dependency.",
)
