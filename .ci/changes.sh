# What changed since the merge base with the main branch, sourced by `run`.

not_touched="none of its files changed since the merge base"

# Whether one of these paths changed, or where nobody can tell: a release, no main branch to compare with, EVERYTHING=1.
touches() { # path…
  local base
  [ -z "${EVERYTHING:-}" ] && [ "${GITHUB_REF_TYPE:-}" != tag ] || return 0
  base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null) || return 0
  ! git diff --quiet "$base" -- "$@"
}
