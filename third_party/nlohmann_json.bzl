"""JSON for Modern C++."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

def nlohmann_json(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "nlohmann/json",
        package = "nlohmann-json3-dev",
        visible_to = Label("//:users_of_json"),
        # Headers only: there is nothing to link.
        system_targets = {
            ":json": ["nlohmann_json", "nlohmann/json.hpp"],
        },
        required_targets = [":json"],
        urls = ["https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz"],
        sha256 = "d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273",
        strip_prefix = "json-3.11.2",
        source_package = "nlohmann-json3",
        source_package_others = {
            "0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406": "json-3.11.3",
        },
        files = {Label("//third_party:nlohmann_json.BUILD"): "BUILD.bazel"},
    )
