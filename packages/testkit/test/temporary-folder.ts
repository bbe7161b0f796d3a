import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Test databases have some megabytes; this is for all that run at the same time. */
const ROOM_BYTES = 256 * 1024 * 1024;

/** A new folder, in memory where there is such a place: a store that waits for the disk at each commit does so there. */
export function temporaryFolder(): string {
  return mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'tarifario-'));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
