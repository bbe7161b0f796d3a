import { migrate } from '@tarifario/runtime';
import type { Run } from './command.ts';
import { readSettings } from './database.ts';

export const migrateCommand: Run = async () => {
  const { applied } = await migrate(readSettings().config.databaseUrl);
  return { json: { applied } };
};
