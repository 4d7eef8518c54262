# Detects changed files since the merge base with the main branch. Sourced by `run`.

not_touched="none of its files changed since the merge base"

# Succeeds if one of these paths changed. Also if everything has to be tested: in a release, without a main branch to compare
# with, and with EVERYTHING=1.
touches() { # path…
  local base
  [ -z "${EVERYTHING:-}" ] && [ "${GITHUB_REF_TYPE:-}" != tag ] || return 0
  base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null) || return 0
  ! git diff --quiet "$base" -- "$@"
}
