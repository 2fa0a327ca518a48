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
        visible_to = "//:users_of_cryptopp",
        system_targets = {
            ":cryptopp": ["libcrypto++", "cryptopp/cryptlib.h", "-lcryptopp"],
        },
        required_targets = [":cryptopp"],
    )
