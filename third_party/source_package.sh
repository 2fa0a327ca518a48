#!/bin/sh
# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0
#
# source_package.sh PACKAGE SHA256[,SHA256...] FOLDER: puts the file with one of these
# checksums out of the distribution's source package PACKAGE at FOLDER/archive, and
# its checksum at FOLDER/sha256.
#
# It is apt's ordinary way to a source package, with lists of its own: the
# machine's entries, read as sources, kept in FOLDER, so neither root nor a change
# to the machine is needed.
set -eu
package=$1
sha256=$2
mkdir -p "$3/parts" "$3/lists/partial" "$3/archives/partial" "$3/files"
folder=$(cd "$3" && pwd)

# The list before the parts, as apt has them: it refuses in another order what it
# takes in this one.
: >"$folder/sources.list"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  [ -e "$file" ] || continue
  case $file in
    /etc/apt/sources.list) own=$folder/sources.list ;;
    *) own=$folder/parts/$(basename "$file" | tr -c 'A-Za-z0-9.\n' '_') ;;
  esac
  case $file in
    *.list) sed -n 's/^ *deb /deb-src /p' "$file" >"$own" ;;
    *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$own" ;;
  esac
done

# own TOOL ARG...: runs a tool of apt on the folder's lists.
own() {
  tool=$1
  shift
  "$tool" -q -o "Dir::Etc::SourceList=$folder/sources.list" -o "Dir::Etc::SourceParts=$folder/parts" \
    -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder" -o APT::Sandbox::User= "$@"
}

own apt-get update
cd "$folder/files"
# There may be several versions, and not all with the file.
for version in $(own apt-cache showsrc --only-source "$package" | sed -n 's/^Version: *//p' | sort -u); do
  # One file that a mirror lacks fails apt; what counts is whether ours came.
  own apt-get source --download-only "$package=$version" || true
  for file in *; do
    [ -f "$file" ] || continue
    found=$(sha256sum "$file" | cut -d ' ' -f 1)
    case ,$sha256, in
      *,"$found",*)
        mv "$file" "$folder/archive"
        printf %s "$found" >"$folder/sha256"
        exit 0
        ;;
    esac
  done
done
echo "no version of the source package $package has a file with checksum $sha256" >&2
exit 1
