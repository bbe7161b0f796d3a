#!/bin/sh
# backup-postgresql.sh FOLDER: a copy of the database of DATABASE_URL, while it is used. docs/operations.md says more.
set -eu
BACKUP="$1/$(date -u +%Y-%m-%dT%H%M%S).dump"
# For its owner alone.
umask 077
pg_dump --format=custom --no-owner --no-privileges --file="$BACKUP.partial" "$DATABASE_URL"
# Under its name only when it is whole.
pg_restore --list "$BACKUP.partial" > /dev/null
mv "$BACKUP.partial" "$BACKUP"
