import { existsSync } from 'node:fs';
import { backUp } from '@tarifario/runtime';
import { CommandError, type Run } from './command.ts';
import { readSettings } from './database.ts';

export const backup: Run = async (args) => {
  const file = args.required('FILE');
  // An existing backup must not be overwritten by a mistake in a script.
  if (existsSync(file)) throw new CommandError(`${file} exists already`);
  const { config } = readSettings();
  return { json: { file, ...(await backUp(config.databaseUrl, file)) } };
};
