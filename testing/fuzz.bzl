"""Fuzz targets: one source, a test everywhere and a fuzzer under clang."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//:copts.bzl", "SHARDINGDB_COPTS")

def fuzz_target(name, deps, random_inputs = 20000, size = "small"):
    """Defines NAME.cc, which defines FuzzOne(), as a test and as a fuzzer.

    The test, NAME_test, runs every file of corpus/NAME, random bytes and damaged
    files. The fuzzer, NAME, is for libFuzzer: tools/fuzz builds and runs all of
    them, and finds them by their tag.

    Args:
      name: of the fuzzer, the source and the corpus.
      deps: of the source, without //testing:fuzz_target and string_view's.
      random_inputs: how many random inputs of each kind the test runs.
      size: of the test.
    """
    common = deps + [
        "//testing:fuzz_target",
        "@com_google_absl//absl/strings",
    ]
    corpus = "corpus/" + name
    cc_test(
        name = name + "_test",
        size = size,
        srcs = [name + ".cc"],
        args = [
            native.package_name() + "/" + corpus,
            str(random_inputs),
        ],
        copts = SHARDINGDB_COPTS,
        data = native.glob([corpus + "/**"]),
        deps = common + ["//testing:fuzz_test_main"],
    )

    # Not of //...: gcc has no libFuzzer.
    cc_binary(
        name = name,
        testonly = True,
        srcs = [name + ".cc"],
        copts = SHARDINGDB_COPTS,
        linkopts = ["-fsanitize=fuzzer"],
        tags = [
            "libfuzzer",
            "manual",
        ],
        deps = common + ["//testing:libfuzzer_main"],
    )
