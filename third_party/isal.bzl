"""ISA-L: CRC-32C by the processor's own instruction."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def isal(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "ISA-L",
        package = "libisal-dev",
        system_targets = {
            ":isal": ["libisal", "isa-l/crc.h", "-lisal"],
        },
        required_targets = [":isal"],
    )
