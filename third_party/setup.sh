# shellcheck shell=bash
# Sourced by run.sh and test.sh, in the root of the repository: installs what is missing and configures builds.

# The names of the packages of the given kinds ("build", "test") that are not installed, one a line.
missing_packages() {
  local wanted
  mapfile -t wanted < <(awk -v kinds=" $* " '!/^#/ && index(kinds, " " $2 " ") { print $1 }' third_party/packages.txt | sort)
  # dpkg-query does not list a name that it has never heard of: that one is missing, too.
  comm -23 <(printf '%s\n' "${wanted[@]}") \
    <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

# install_packages KIND…: needs the network and root only if something is missing.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system: install what third_party/packages.txt lists by hand." >&2
    return 0
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Packages are missing. Ask an administrator for: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing Debian packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# configure PRESET OPTION…
configure() {
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
  cmake --preset "$@" "${launcher[@]}"
}
