import { migrate } from '@tarifario/runtime';
import type { Command } from './command.ts';
import { readSettings } from './database.ts';

export const migrateCommand: Command = {
  words: 'migrate',
  usage: '',
  async run() {
    const { applied } = await migrate(readSettings().config.databaseUrl);
    return { json: { applied }, pretty: null };
  },
};
