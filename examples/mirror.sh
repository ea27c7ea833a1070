#!/bin/sh
# Mirrors a registry into a file with curl and jq; each run fetches what has changed: mirror.sh <registry> <file>
set -eu
registry=${1:?Usage: mirror.sh <registry> <file>}
file=${2:?Usage: mirror.sh <registry> <file>}
command -v jq >/dev/null || { echo 'This example needs jq: https://jqlang.org' >&2; exit 1; }

page=$(mktemp)
trap 'rm -f "$page"' EXIT
# The agents by id, and the cursor after which the next run goes on.
start='{"after":null,"agents":{}}'
[ -s "$file" ] || echo "$start" >"$file"

while :; do
  after=$(jq -r '.after // empty' "$file")
  status=$(curl --silent --show-error --output "$page" --write-out '%{http_code}' --get "$registry/api/changes" \
    --data include=agents ${after:+--data-urlencode "after=$after"})
  case $status in
    200) ;;
    # The registry no longer knows the cursor.
    410) echo "$start" >"$file" && continue ;;
    *) cat "$page" >&2 && exit 1 ;;
  esac
  jq --slurpfile page "$page" '.after = $page[0].next
    | reduce $page[0].changes[] as $change (.;
        if $change.agent then .agents[$change.id] = $change.agent else del(.agents[$change.id]) end)' \
    "$file" >"$file.new"
  mv "$file.new" "$file"
  jq --exit-status .hasMore "$page" >/dev/null || break
done
echo "$(jq '.agents | length' "$file") agents"
