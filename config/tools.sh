# What ./build and ./pawl share: finding Maven and a JDK, and running the lab. Sourced, with $LOG set; expects to be in the root.
# shellcheck shell=bash
readonly JDK_MIN=21

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# ---------------------------------------------------------------------------------------------------------------------
# Prerequisites: Maven, and a JDK that is new enough. As root on Debian and its relatives what is missing is installed.
# ---------------------------------------------------------------------------------------------------------------------

can_install() { [[ $(id -u) -eq 0 ]] && command -v apt-get >/dev/null; }

apt_updated=no
apt_update() {
    [[ $apt_updated == yes ]] || apt-get update -qq >/dev/null || true
    apt_updated=yes
}

apt_install() {
    apt_update
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}

require_maven() {
    command -v mvn >/dev/null && return
    if can_install; then
        echo "Maven is missing, installing it with apt-get"
        apt_install maven || true
    fi
    command -v mvn >/dev/null || die "Maven (mvn) is not on the PATH. Install Apache Maven 3.6.3 or newer," \
        "for example with \"sudo apt-get install maven\" or \"brew install maven\"."
}

# The directories in which the build's toolchain plugin looks, too.
jdk_homes() {
    local name
    for name in $(compgen -e); do
        [[ $name == JAVA*_HOME ]] && printf '%s\n' "${!name}"
    done
    if command -v javac >/dev/null; then
        dirname "$(dirname "$(readlink -f "$(command -v javac)")")"
    fi
    printf '%s\n' /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/jdk/* /usr/local/java/* /opt/java/* \
        /opt/hostedtoolcache/*/*/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-}"/.jdks/* "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.asdf/installs/java/*
}

# Prints the home of the first JDK that is new enough; a JDK names its version in the file "release".
find_jdk() {
    local home major
    while IFS= read -r home; do
        [[ -x $home/bin/javac && -r $home/release ]] || continue
        major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
        if [[ -n $major && $major -ge $JDK_MIN ]]; then
            printf '%s\n' "$home"
            return 0
        fi
    done < <(jdk_homes)
    return 1
}

require_jdk() {
    local jdk package
    if ! jdk=$(find_jdk) && can_install; then
        echo "No JDK $JDK_MIN or newer found, installing one with apt-get"
        apt_update
        for package in openjdk-25-jdk-headless openjdk-21-jdk-headless temurin-25-jdk temurin-21-jdk; do
            if apt-cache show "$package" >/dev/null 2>&1 && apt_install "$package"; then break; fi
        done
    fi
    jdk=$(find_jdk) || die "No JDK $JDK_MIN or newer found. Install one, for example from https://adoptium.net, and set" \
        "JAVA_HOME to it unless it is in a usual place such as /usr/lib/jvm. A JRE is not enough."
    # Maven itself may run on an older Java; only where there is none at all it gets this one.
    if [[ -z ${JAVA_HOME:-} ]] && ! command -v java >/dev/null; then
        export JAVA_HOME=$jdk
    fi
}

# Leaves Maven's advice, its stack frames and its colour codes out.
plain_log() {
    sed $'s/\e\\[[0-9;]*m//g' "$LOG" |
        grep -v -E '^\[ERROR\][[:space:]]*$|^\[ERROR\][[:space:]]+at |^\[ERROR\] (-> )?\[Help|COMPILATION ERROR' |
        grep -v -E '[Rr]e-run Maven|For more information about|After correcting|mvn <args>'
}

# Prints the version control's name of what is being run, marked where it is not committed as it is.
revision() {
    local name
    name=$(git rev-parse --short HEAD 2>/dev/null) || { echo unknown; return; }
    git diff --quiet HEAD 2>/dev/null || name+=-modified
    echo "$name"
}

# Reads Maven's log and shows which module is being built: on a terminal in one line, elsewhere not at all.
building() {
    local line module='^\[INFO\] Building (.+) [^ ]+ +\[([0-9]+)/([0-9]+)\]$'
    while IFS= read -r line; do
        if [[ -t 2 && $line =~ $module ]]; then
            printf '\r\e[Kbuilding, this once: %s of %s, %s' "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}" "${BASH_REMATCH[1]}" >&2
        fi
    done
    if [[ -t 2 ]]; then printf '\r\e[K' >&2; fi
}

# Builds the jars of the lab, if there are none or a source is newer.
build_lab() {
    local sources
    sources=$(find pom.xml ./*/pom.xml ./*/src/main -newer lab/target/lib -print -quit 2>/dev/null || true)
    [[ ! -d lab/target/lib || -n $sources ]] || return 0
    require_maven
    mkdir -p target
    [[ -t 2 ]] || echo "building, this once ..." >&2
    mvn -B -ntp -Dmaven.test.skip=true -Djacoco.skip=true -Dspotless.check.skip=true package 2>&1 | tee "$LOG" | building || {
        plain_log | tail -n 25 >&2
        die "the build failed, see $LOG"
    }
    touch lab/target/lib
}

# Runs a class of the lab in place of this shell: run_lab HOME-OF-PAWL OPTIONS-OF-JAVA... -- CLASS ARGUMENTS...
run_lab() {
    local home=$1 options=()
    shift
    while [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    shift
    # A progress bar is for people who watch.
    if [[ -t 2 ]]; then export PAWL_TERMINAL=yes; fi
    exec "$(find_jdk)/bin/java" --enable-native-access=ALL-UNNAMED ${options[@]+"${options[@]}"} \
        -cp "$home/lab/target/classes:$home/lab/target/lib/*" "dev.pawl.lab.$1" "${@:2}"
}
