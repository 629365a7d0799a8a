# Sourced by run and test: what both do before they differ. Says each step before it takes it.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'yardmaster: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# install_packages FILE...: those of the lists that are not there yet.
install_packages() {
    local wanted missing
    wanted=$(sed 's/#.*//' "$@" | xargs -n1 | sort -u)
    missing=$(comm -23 <(printf '%s\n' "$wanted") \
        <(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' 2>/dev/null | sed -n 's/^ii //p' | sort -u))
    [[ -n $missing ]] || return 0
    say "installing packages: $(tr '\n' ' ' <<<"$missing")"
    ((EUID == 0)) || command -v sudo >/dev/null || die "packages are missing and neither root nor sudo is at hand: run this as root"
    as_root apt-get -qq -o DPkg::Lock::Timeout=600 update || die "apt-get update did not work: check the network and /etc/apt/sources.list"
    # Daemons of these packages must not start by themselves: the tests start their own.
    local policy=/usr/sbin/policy-rc.d ours=0 done=0
    if [[ ! -e $policy ]]; then
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null && as_root chmod 755 "$policy" && ours=1
    fi
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
        -o DPkg::Lock::Timeout=600 install $missing >/dev/null || done=$?
    ((ours)) && as_root rm -f "$policy"
    ((done == 0)) || die "apt-get could not install these packages: see its words above"
}

# build PRESET: configure when there is no build yet, then build what changed.
build() {
    local preset=$1
    if [[ ! -f build/$preset/build.ninja ]]; then
        say "configuring build/$preset"
        cmake --preset "$preset" >"build-$preset.log" 2>&1 || { tail -n 20 "build-$preset.log" >&2; die "configuring did not work: see build-$preset.log"; }
        rm -f "build-$preset.log"
    fi
    say "building build/$preset (the first time takes some minutes)"
    shift
    cmake --build --preset "$preset" "$@" >&2 || die "building did not work: see the first error above"
}
