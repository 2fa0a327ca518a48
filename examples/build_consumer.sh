#!/bin/sh
# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0
#
# build_consumer.sh FOLDER FLAG...: builds examples/consumer with a Bazel of its own
# and these flags, as a user of ShardingDB would, and runs it on FOLDER, which it
# names by a relative path.
#
# Where the registry of Bazel modules cannot be reached, the modules that Bazel
# asks it for on its own account become empty ones: C++ needs nothing of them.
set -eu
examples=$(dirname "$(realpath "$0")")
folder=$1
shift

# Below the outer Bazel's output, so that the next run builds only what is new.
case $TEST_TMPDIR in
  */execroot/*) base=${TEST_TMPDIR%%/execroot/*} ;;
  *) base=$TEST_TMPDIR ;;
esac
# What the outer Bazel has fetched need not be fetched again.
fetched=$(dirname "$base")/cache/repos/v1

registry=$TEST_TMPDIR/registry
log=$TEST_TMPDIR/log

nested_bazel() {
  "$examples/../bazelw" --output_user_root="$base/nested_build" --max_idle_secs=15 \
    --host_jvm_args=-Xmx1g "$@" </dev/null
}

build_and_run() {
  [ ! -d "$fetched" ] || set -- "$@" "--repository_cache=$fetched"
  [ ! -d "$registry" ] || set -- "$@" "--registry=file://$registry"
  set -- --symlink_prefix=/ -c fastbuild --jobs=2 --color=no --curses=no "$@"
  nested_bazel build "$@" //... 2>"$log" &&
    nested_bazel run "$@" //:consumer -- "$(realpath --relative-to=. "$folder")" 2>"$log"
}

# add_module NAME VERSION: an empty one.
add_module() {
  entry=$registry/modules/$1/$2
  source=$registry/src/$1
  mkdir -p "$entry" "$source"
  echo "{\"module_base_path\": \"$registry/src\"}" >"$registry/bazel_registry.json"
  echo "module(name = \"$1\", version = \"$2\")" | tee "$entry/MODULE.bazel" >"$source/MODULE.bazel"
  : >"$source/BUILD.bazel"
  echo "{\"type\": \"local_path\", \"path\": \"$1\"}" >"$entry/source.json"
}

cd "$examples/consumer"
mkdir -p "$folder"
trap 'nested_bazel shutdown >/dev/null 2>&1' EXIT
tries=0
until build_and_run "$@"; do
  module=$(sed -n \
    -e 's#.*/modules/\([^/]*\)/\([^/]*\)/MODULE\.bazel: Unknown host.*#\1 \2#p' \
    -e 's#.*module \([^@ ]*\)@\([^ ]*\) not found in registries.*#\1 \2#p' "$log" | head -n 1)
  tries=$((tries + 1))
  if [ -z "$module" ] || [ $tries -gt 40 ]; then
    cat "$log" >&2
    exit 1
  fi
  # shellcheck disable=SC2086
  add_module $module
done
