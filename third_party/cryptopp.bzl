"""Crypto++: AES-GCM, CMAC, scrypt, hashes."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def cryptopp(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "Crypto++",
        package = "libcrypto++-dev",
        visible_to = Label("//:users_of_cryptopp"),
        system_targets = {
            ":cryptopp": ["libcrypto++", "cryptopp/cryptlib.h", "-lcryptopp"],
        },
        required_targets = [":cryptopp"],
        urls = ["https://github.com/weidai11/cryptopp/archive/refs/tags/CRYPTOPP_8_7_0.tar.gz"],
        sha256 = "8d6a4064b8e9f34cd3e838f5a12c40067ee7b95ee37d9173ec273cb0913e7ca2",
        strip_prefix = "cryptopp-CRYPTOPP_8_7_0",
        source_package = "libcrypto++",
        source_package_sha256 = "6aa99cbacf4d30eb21f0b8fc08f6244e81b024b04a7863032a1133797aa4e8fd",
        source_package_strip_prefix = "libcrypto++-8.7.0+git220824",
        files = {Label("//third_party:cryptopp.BUILD"): "BUILD.bazel"},
    )
