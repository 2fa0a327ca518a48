#!/bin/sh
# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

# Builds and runs examples/consumer, a workspace of its own, with a Bazel of its
# own that keeps everything below $TEST_TMPDIR. The sources are used where they
# are: Bazel gives tests links to them.
set -eu

consumer=$(dirname "$(readlink -f "$1")")
output=$TEST_TMPDIR/consumer_output
mkdir -p "$TEST_TMPDIR/db" "$output"
cd "$consumer"

bazel_() {
  HOME=$TEST_TMPDIR "$consumer/../../bazelw" --output_user_root="$output" "$@"
}
clean_up() {
  bazel_ shutdown || true
  chmod -R u+w "$output"
  rm -rf "$output"
}
trap clean_up EXIT

# Newer Bazels read MODULE.bazel too, but fetch the modules that it names (and
# some of their own) from a registry; the WORKSPACE needs no network.
workspace_flags=
if bazel_ help build 2>/dev/null | grep -q -- enable_workspace; then
  workspace_flags="--enable_workspace --noenable_bzlmod"
fi

# The number of jobs leaves something to other tests.
# shellcheck disable=SC2086
bazel_ build $workspace_flags --jobs=2 --symlink_prefix=/ //:consumer
program=$(bazel_ info $workspace_flags bazel-bin)/consumer
answer=$("$program" "$TEST_TMPDIR/db")
echo "$answer"
[ "$answer" = "3 shards hold 1000 entries" ]
