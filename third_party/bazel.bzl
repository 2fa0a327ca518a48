"""Stand-ins for repositories that a WORKSPACE Bazel fetches for its own sake."""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

def _generated_repository_impl(ctx):
    for path, content in ctx.attr.contents.items():
        ctx.file(path, content, executable = False)

_generated_repository = repository_rule(
    implementation = _generated_repository_impl,
    doc = "A repository of a few small files.",
    attrs = {"contents": attr.string_dict(doc = "path -> content")},
)

# Rules that are part of a WORKSPACE Bazel; these repositories only name them.
_NATIVE_RULES = {
    "cc": [
        "cc_binary",
        "cc_import",
        "cc_library",
        "cc_proto_library",
        "cc_shared_library",
        "cc_test",
        "cc_toolchain",
        "cc_toolchain_suite",
        "fdo_prefetch_hints",
        "fdo_profile",
        "objc_import",
        "objc_library",
    ],
    "java": [
        "java_binary",
        "java_import",
        "java_library",
        "java_proto_library",
        "java_runtime",
        "java_test",
        "java_toolchain",
    ],
}

def bazel_own_repositories():
    """Defines what Bazel 4 would fetch from the network though it has it inside.

    A WORKSPACE that defined one of them before keeps its own.
    """
    for language, rules in _NATIVE_RULES.items():
        if not native.existing_rule("rules_" + language):
            _generated_repository(
                name = "rules_" + language,
                contents = {
                    "BUILD.bazel": "",
                    language + "/BUILD.bazel": "",
                    language + "/defs.bzl": "".join([
                        "{0} = getattr(native, \"{0}\", None)\n".format(rule)
                        for rule in rules
                    ]),
                },
            )
    if not native.existing_rule("remote_coverage_tools"):
        # `bazel test` asks for it even where no coverage is wanted.
        _generated_repository(
            name = "remote_coverage_tools",
            contents = {
                "BUILD.bazel": """filegroup(
    name = "coverage_report_generator",
    visibility = ["//visibility:public"],
)
""",
            },
        )
