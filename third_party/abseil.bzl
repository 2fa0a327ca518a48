"""Abseil: containers, strings, synchronization, status."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("//third_party:repository.bzl", "dependency_repository")

# Upstream's package -> {its target: pkg-config's module}.
_MODULES = {
    "algorithm": {"algorithm": "algorithm", "container": "algorithm_container"},
    "base": {
        "base": "base",
        "config": "config",
        "core_headers": "core_headers",
        "dynamic_annotations": "dynamic_annotations",
        "endian": "endian",
        "log_severity": "log_severity",
        "no_destructor": "no_destructor",
        "nullability": "nullability",
        "prefetch": "prefetch",
    },
    "cleanup": {"cleanup": "cleanup"},
    "container": {
        "btree": "btree",
        "fixed_array": "fixed_array",
        "flat_hash_map": "flat_hash_map",
        "flat_hash_set": "flat_hash_set",
        "inlined_vector": "inlined_vector",
        "node_hash_map": "node_hash_map",
        "node_hash_set": "node_hash_set",
    },
    "debugging": {
        "debugging": "debugging",
        "failure_signal_handler": "failure_signal_handler",
        "leak_check": "leak_check",
        "stacktrace": "stacktrace",
        "symbolize": "symbolize",
    },
    "flags": {
        "commandlineflag": "flags_commandlineflag",
        "config": "flags_config",
        "flag": "flags",
        "marshalling": "flags_marshalling",
        "parse": "flags_parse",
        "reflection": "flags_reflection",
        "usage": "flags_usage",
    },
    "functional": {
        "any_invocable": "any_invocable",
        "bind_front": "bind_front",
        "function_ref": "function_ref",
        "overload": "overload",
    },
    "hash": {"hash": "hash"},
    "memory": {"memory": "memory"},
    "meta": {"type_traits": "type_traits"},
    "numeric": {"bits": "bits", "int128": "int128"},
    "random": {
        "bit_gen_ref": "random_bit_gen_ref",
        "distributions": "random_distributions",
        "random": "random_random",
        "seed_gen_exception": "random_seed_gen_exception",
        "seed_sequences": "random_seed_sequences",
    },
    "status": {"status": "status", "statusor": "statusor"},
    "strings": {
        "cord": "cord",
        "str_format": "str_format",
        "string_view": "string_view",
        "strings": "strings",
    },
    "synchronization": {"synchronization": "synchronization"},
    "time": {"time": "time"},
    "types": {
        "any": "any",
        "bad_optional_access": "bad_optional_access",
        "bad_variant_access": "bad_variant_access",
        "compare": "compare",
        "optional": "optional",
        "span": "span",
        "variant": "variant",
    },
    "utility": {"utility": "utility"},
}

def abseil(name):
    dependency_repository(
        name = name,
        apparent_name = name,
        title = "Abseil",
        package = "libabsl-dev",
        # Modules that the installed version has not are left out.
        system_targets = {
            "absl/{}:{}".format(package, target): ["absl_" + module]
            for package, targets in _MODULES.items()
            for target, module in targets.items()
        },
        required_targets = [
            "absl/status:statusor",
            "absl/strings:strings",
            "absl/synchronization:synchronization",
        ],
        urls = ["https://github.com/abseil/abseil-cpp/archive/refs/tags/20220623.1.tar.gz"],
        sha256 = "91ac87d30cc6d79f9ab974c51874a704de9c2647c40f6932597329a282217ba8",
        strip_prefix = "abseil-cpp-20220623.1",
        source_package = "abseil",
        source_package_sha256 = "abfe2897f3a30edaa74bc34365afe3c2a3cd012091a97dc7e008f7016adcd5fe",
        source_package_strip_prefix = "abseil-20220623.1",
        patches = [Label("//third_party:abseil.patch")],
    )
