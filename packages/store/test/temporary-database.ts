import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@tarifario/store';
import { temporaryFolder } from './temporary-folder.ts';

export interface TemporaryDatabase {
  readonly path: string;
  readonly url: string;
  remove(): void;
}

/** A place for a database file in a directory of its own. */
export function temporaryPlace(): TemporaryDatabase {
  const directory = temporaryFolder();
  const path = join(directory, 'test.db');
  return { path, url: `sqlite:${path}`, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** A database with the current tables and nothing in them. */
export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  const place = temporaryPlace();
  await migrate(place.url);
  return place;
}
