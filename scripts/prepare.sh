# Sourced by ./start, ./check and .ci/run: a virtual environment with exactly what a lock file says.
# Needs bash. Installs Debian or Ubuntu packages where they are missing (asks sudo for it).

say() { printf '\n== %s\n' "$*" >&2; }

die() {
  printf '\n%s\n' "$*" >&2
  exit 1
}

# as_root COMMAND...: run it as root, or say what to run.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "This needs root once. Run as root: $*"
  fi
}

# package_lists: learn what there is to install, once.
package_lists() {
  [ -z "${package_lists_read:-}" ] || return 0
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2
  package_lists_read=yes
}

# debian_packages PACKAGE...: install those that are not there.
debian_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "Install these with your system's package manager: ${missing[*]}"
  say "installing ${missing[*]}"
  package_lists
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# find_python: print a Python 3.11 or newer that can make virtual environments.
find_python() {
  local name
  for name in "${PYTHON:-python3}" python3 python3.14 python3.13 python3.12 python3.11; do
    command -v "$name" >/dev/null || continue
    "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    if ! "$name" -c 'import ensurepip, venv' 2>/dev/null; then
      # Debian keeps this part of Python in a package of its own, one for each version.
      debian_packages "$("$name" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
      "$name" -c 'import ensurepip, venv' 2>/dev/null || continue
    fi
    printf '%s\n' "$name"
    return 0
  done
  return 1
}

# made_of FOLDER STAMP: whether FOLDER is an environment made of just that.
made_of() { [ -x "$1/bin/python" ] && [ "$(cat "$1/.made-of" 2>/dev/null)" = "$2" ]; }

# begin_with PYTHON FOLDER LOCK...: make FOLDER anew, with exactly what the lock files say.
begin_with() {
  local python=$1 folder=$2 lock
  shift 2
  say "making $folder with $("$python" -V)"
  rm -rf "$folder"
  "$python" -m venv "$folder"
  for lock in "$@"; do
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
      --require-hashes --no-deps -r "$lock"
  done
}

# environment FOLDER LOCK...: make FOLDER hold what the lock files say, and Sightline itself.
environment() {
  local folder=$1 python stamp
  shift
  if ! python=$(find_python); then
    command -v apt-get >/dev/null && debian_packages python3 python3-venv
    python=$(find_python) || die "Sightline needs Python 3.11 or newer; install it and try again."
  fi
  # The lint and type settings in pyproject.toml are no reason to install anything anew.
  stamp=$({ "$python" -VV; cat "$@"; sed '/^\[tool\.ruff/,$d' pyproject.toml; } | sha256sum)
  made_of "$folder" "$stamp" && return 0
  begin_with "$python" "$folder" "$@"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation -e .
  say "compiling what follows the pieces"
  "$folder/bin/python" -c 'import vision.tracking.fitting'
  printf '%s\n' "$stamp" >"$folder/.made-of"
}

# layer FOLDER BASE LOCK...: make FOLDER hold what the lock files say and, beneath, all that the
# environment BASE holds: what both need is there once.
layer() {
  local folder=$1 base=$2 stamp site
  shift 2
  stamp=$(cat "$base/.made-of" "$@" | sha256sum)
  made_of "$folder" "$stamp" && return 0
  begin_with "$base/bin/python" "$folder" "$@"
  site='import sysconfig; print(sysconfig.get_path("purelib"))'
  "$base/bin/python" -c "$site" | sed "s/.*/import site; site.addsitedir('&')/" \
    >"$("$folder/bin/python" -c "$site")/beneath.pth"
  printf '%s\n' "$stamp" >"$folder/.made-of"
}

# run_tests FOLDER [PYTEST OPTION...]: with that environment, one process of tests for each core, each
# on one thread: of all ways to share a machine the fastest. Files are begun in their folders' order;
# by how many tests they hold, as it would be otherwise, those of few long ones came last of all.
run_tests() {
  local folder=$1
  shift
  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$folder/bin/python" -m pytest \
    --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder "$@"
}
