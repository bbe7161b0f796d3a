#!/bin/sh
# thin-backups.sh FOLDER: of the copies named by their time (UTC), keeps all of the last day, the last one of each of the
# 14 days before, and in any case the newest. Deletes the others and what a backup that was cut short left behind.
set -eu
cd "$1"
day_ago=$(date -u -d '1 day ago' +%Y-%m-%dT%H%M%S)
oldest=$(date -u -d '15 days ago' +%Y-%m-%dT%H%M%S)
last_day=none
for file in $(ls -r); do
  case $file in
    [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9][0-9][0-9][0-9][0-9].*) ;;
    *) continue ;;
  esac
  at=${file%%.*}
  day=${at%T*}
  case $file in
    *.partial)
      if [ "$at" \< "$day_ago" ]; then rm -- "$file"; fi
      continue
      ;;
  esac
  if [ "$last_day" != none ] && [ "$at" \< "$day_ago" ]; then
    if [ "$day" = "$last_day" ] || [ "$at" \< "$oldest" ]; then rm -- "$file"; fi
  fi
  last_day=$day
done
