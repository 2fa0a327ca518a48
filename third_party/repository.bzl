"""The rule by which every dependency enters: the system's library or an archive.

`--repo_env=SHARDINGDB_DEPS=MODE` chooses: `system` takes installed libraries
only, `source` builds pinned archives only, `auto` (the default) takes what is
installed and else the archive. Exceptions for single dependencies follow after
commas, by repository name: `auto,com_google_absl=source`. An optional dependency
has no archive: with `source`, and where it is not installed, it is left out.
"""

# Copyright 2026 The ShardingDB Authors.
# SPDX-License-Identifier: Apache-2.0

_MODES = ["auto", "system", "source"]

def _mode(ctx):
    mode = "auto"
    for word in ctx.os.environ.get("SHARDINGDB_DEPS", "").split(","):
        name, equals, value = word.strip().rpartition("=")
        if not value or (equals and name != ctx.attr.apparent_name):
            continue
        if value not in _MODES:
            fail("SHARDINGDB_DEPS: \"{}\" is none of {}.".format(value, ", ".join(_MODES)))
        mode = value
    return mode

def _pkg_config(ctx, modules):
    """Returns {module: (compiler flags, linker flags)} of those that are installed."""
    tool = ctx.which("pkg-config")
    if not tool or not modules:
        return {}
    script = """tool=$1; shift
for module; do
  cflags=$("$tool" --cflags "$module" 2>/dev/null) || continue
  libs=$("$tool" --libs "$module" 2>/dev/null) || continue
  echo "$module|$cflags|$libs"
done"""
    result = ctx.execute(["sh", "-c", script, "sh", tool] + modules)
    if result.return_code != 0:
        return {}
    found = {}
    for line in result.stdout.splitlines():
        module, cflags, libs = line.split("|", 2)
        found[module] = (cflags.split(" "), libs.split(" "))
    return found

def _compiles(ctx, header, linkopts):
    """Whether the compiler finds `header` and the linker `linkopts`."""
    compiler = ctx.os.environ.get("CXX") or ctx.os.environ.get("CC") or "c++"
    script = """echo "#include <$2>
int main() {}" | $1 -std=c++17 -x c++ - -o probe -x none $3; result=$?
rm -f probe; exit $result"""
    arguments = ["sh", "-c", script, "sh", compiler, header, " ".join(linkopts)]
    return ctx.execute(arguments).return_code == 0

def _strings(words):
    return "[" + ", ".join(["\"" + word + "\"" for word in words]) + "]"

def _includes(ctx, cflags):
    """Brings -I folders into the repository; returns their names there."""
    names = []
    for flag in cflags:
        if flag.startswith("-I") and flag[2:] != "/usr/include":
            name = "include" + flag[2:].replace("/", "_")
            if name not in names:
                if not ctx.path(name).exists:
                    ctx.symlink(flag[2:], name)
                names.append(name)
    return names

def _defines(cflags):
    # -DNOMINMAX speaks to Windows headers only.
    return [f[2:] for f in cflags if f.startswith("-D") and f != "-DNOMINMAX"]

def _linkopts(libs):
    """Linker flags without repetitions (the last of equals stays)."""
    kept = []
    for flag in reversed(libs):
        if flag.startswith("-l") and flag in kept:
            continue
        if flag and not flag.startswith("-L/usr/lib"):
            kept.append(flag)
    return list(reversed(kept))

def _library(ctx, name, cflags, libs, deps):
    includes = _includes(ctx, cflags)
    return """
cc_library(
    name = "{name}",
    hdrs = glob({hdrs}),
    defines = {defines},
    includes = {includes},
    linkopts = {linkopts},
    deps = {deps},
)
""".format(
        name = name,
        hdrs = _strings([include + "/**" for include in includes]),
        defines = _strings(_defines(cflags) + ctx.attr.system_defines),
        includes = _strings(includes),
        linkopts = _strings(_linkopts(libs)),
        deps = _strings(deps),
    )

def _visibility(ctx):
    if not ctx.attr.visible_to:
        return "//visibility:public"
    group = str(ctx.attr.visible_to)

    # Old versions of Bazel leave the main repository's name out.
    return group if group.startswith("@") else "@" + group

def _build_file_head(ctx):
    return """load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["{}"])
""".format(_visibility(ctx))

def _use_system(ctx):
    """Writes BUILD files for the installed library; returns whether it is there."""
    targets = ctx.attr.system_targets  # {"package:name": [module, header, linkopts...]}
    if not targets:
        return False
    modules = {words[0]: None for words in targets.values() if words[0]}
    found = _pkg_config(ctx, modules.keys())
    packages = {}
    for label, words in targets.items():
        package, _, name = label.partition(":")
        if words[0] in found:
            cflags, libs = found[words[0]]
        elif len(words) > 2 and _compiles(ctx, words[1], words[2:]):
            cflags, libs = [], words[2:]
        elif label in ctx.attr.required_targets:
            return False
        else:
            continue
        rule = _library(ctx, name, cflags, libs, ctx.attr.system_deps.get(label, []))
        packages[package] = packages.get(package, _build_file_head(ctx)) + rule
    for package, content in packages.items():
        ctx.file((package + "/" if package else "") + "BUILD.bazel", content, executable = False)
    if "" not in packages:
        ctx.file("BUILD.bazel", "", executable = False)
    return True

def _use_nothing(ctx):
    """Writes a BUILD file with targets that are empty."""
    content = _build_file_head(ctx)
    for label in ctx.attr.system_targets:
        content += "\ncc_library(name = \"{}\")\n".format(label.partition(":")[2])
    ctx.file("BUILD.bazel", content, executable = False)

def _from_distribution(ctx):
    """Fetches the archive out of the distribution's source package; returns why not, or ""."""
    if not ctx.attr.source_package or not ctx.which("apt-get"):
        return "there is no source package to take it from"
    prefixes = {
        ctx.attr.source_package_sha256 or ctx.attr.sha256: ctx.attr.source_package_strip_prefix or ctx.attr.strip_prefix,
    }
    prefixes.update(ctx.attr.source_package_others)
    archive = ctx.attr.source_package_archive or _archive_name(ctx.attr.urls[0])
    ctx.report_progress("Fetching the source package " + ctx.attr.source_package)
    script = ctx.path(ctx.attr._source_package_script)
    result = ctx.execute(
        ["sh", script, ctx.attr.source_package, ",".join(prefixes.keys()), "source_package"],
        timeout = 600,
    )
    if result.return_code != 0:
        return "apt-get source {}: {}".format(
            ctx.attr.source_package,
            result.stderr.strip().rpartition("\n")[2],
        )

    sha256 = ctx.read("source_package/sha256")

    # Through the downloader, so that it is verified and Bazel's cache keeps it.
    ctx.download(
        url = "file://" + str(ctx.path("source_package/archive")),
        output = archive,
        sha256 = sha256,
    )
    ctx.delete("source_package")
    _extract(ctx, archive, prefixes[sha256])
    return ""

def _archive_name(url):
    return "archive.tar." + url.rpartition(".")[2]

def _extract(ctx, archive, strip_prefix):
    ctx.extract(archive, stripPrefix = strip_prefix)
    ctx.delete(archive)

def _wanted(ctx, patch):
    """Whether to apply a patch: all but those that the environment leaves out."""
    choice = ctx.os.environ.get(ctx.attr.patches_variable or "", "")
    return not choice or patch.name.partition("-")[0] in choice.split(",")

def _use_source(ctx):
    """Unpacks and patches the pinned archive; returns why it cannot be had, or ""."""
    archive = _archive_name(ctx.attr.urls[0])
    download = ctx.download(
        url = ctx.attr.urls,
        output = archive,
        sha256 = ctx.attr.sha256,
        allow_fail = True,
    )
    if download.success:
        _extract(ctx, archive, ctx.attr.strip_prefix)
    else:
        why = _from_distribution(ctx)
        if why:
            return "its archive {} cannot be fetched ({})".format(ctx.attr.urls[0], why)

        # Bazel has warned of the download, in words that sound like the end.
        # buildifier: disable=print
        print("{}: taken from the distribution's source package {} instead of {}".format(
            ctx.attr.title,
            ctx.attr.source_package,
            ctx.attr.urls[0],
        ))
    for patch in ctx.attr.patches:
        if _wanted(ctx, patch):
            ctx.patch(patch, strip = 1)
    for label, name in ctx.attr.files.items():
        ctx.template(name, label, {"{VISIBILITY}": _visibility(ctx)}, executable = False)
    return ""

def _dependency_repository_impl(ctx):
    mode = _mode(ctx)
    tried_system = ctx.attr.system_targets and mode != "source"
    if tried_system and _use_system(ctx):
        return
    if ctx.attr.optional:
        _use_nothing(ctx)
        return
    ways = ["it is not installed"] if tried_system else []
    if mode != "system" or not ctx.attr.system_targets:
        why = _use_source(ctx)
        if not why:
            return
        ways.append(why)
    fail("{} is needed, but {}: {}.".format(
        ctx.attr.title,
        " and ".join(ways),
        ctx.attr.remedy or "install the package " + ctx.attr.package + " (./bazelw does)",
    ))

dependency_repository = repository_rule(
    implementation = _dependency_repository_impl,
    doc = "A dependency: the system's library where it is there, else its archive.",
    configure = True,
    environ = [
        "CC",
        "CXX",
        "PKG_CONFIG_LIBDIR",
        "PKG_CONFIG_PATH",
        "SHARDINGDB_DEPS",
        "SHARDINGDB_LEVELDB_PATCHES",
    ],
    attrs = {
        "apparent_name": attr.string(mandatory = True, doc = "Its name in SHARDINGDB_DEPS."),
        "title": attr.string(mandatory = True, doc = "What people call it."),
        "package": attr.string(doc = "Debian's package that has it."),
        "remedy": attr.string(doc = "What to do where it cannot be had; default: install `package`."),
        "visible_to": attr.label(doc = "The package_group that may see it; default: everyone."),
        "system_targets": attr.string_list_dict(
            doc = "\"package:name\" -> pkg-config module, header, linker flags for where it has no module.",
        ),
        "system_deps": attr.string_list_dict(doc = "\"package:name\" -> targets it also needs."),
        "system_defines": attr.string_list(doc = "What users of the installed library see defined."),
        "optional": attr.bool(
            doc = "It has no archive; where it is not installed its targets, all in the root package, are empty.",
        ),
        "required_targets": attr.string_list(doc = "Those without which the library is not there."),
        "urls": attr.string_list(doc = "Where upstream has the archive."),
        "sha256": attr.string(),
        "strip_prefix": attr.string(),
        "source_package": attr.string(doc = "Debian's source package that has it too."),
        "source_package_sha256": attr.string(doc = "Of Debian's archive, where that was packed again."),
        "source_package_archive": attr.string(doc = "A name that tells that archive's kind."),
        "source_package_strip_prefix": attr.string(),
        "source_package_others": attr.string_dict(
            doc = "Checksum -> prefix of archives of other versions that will do, in other releases of Debian.",
        ),
        "patches": attr.label_list(),
        "patches_variable": attr.string(
            doc = "Environment variable that, where set, lists the numbers of the patches to apply, or \"none\".",
        ),
        "files": attr.label_keyed_string_dict(doc = "Files of ours -> where they go in the unpacked archive."),
        "_source_package_script": attr.label(default = "//third_party:source_package.sh"),
    },
)
