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
        urls = ["https://github.com/intel/isa-l/archive/refs/tags/v2.30.0.tar.gz"],
        sha256 = "bcf592c04fdfa19e723d2adf53d3e0f4efd5b956bb618fed54a1108d76a6eb56",
        strip_prefix = "isa-l-2.30.0",
        source_package = "libisal",
        source_package_sha256 = "f363f1be3d657d5676cef5253ee2233e60116e2fa9c9de86881185bf81e0e4b8",
        source_package_archive = "archive.tar.xz",
        source_package_strip_prefix = "libisal-2.30.0",
        files = {
            Label("//third_party:isal.BUILD"): "BUILD.bazel",
            Label("//third_party:isal_crc32_iscsi.c"): "crc/crc32_iscsi.c",
        },
    )
