#!/bin/sh
# A subject that shortens ids by cutting them.
while read -r line; do
  case $line in
    *'"start"'*) echo '{"name":"cutter","operations":["short_id"]}' ;;
    *'"run"'*)
      seq=${line#*'"seq":'}
      id=${line#*'"uuid":"'}
      printf '{"seq":%s,"output":{"short_id":"%.3s"}}\n' "${seq%%[!0-9]*}" "${id%%\"*}"
      ;;
    *) exit 0 ;;
  esac
done
