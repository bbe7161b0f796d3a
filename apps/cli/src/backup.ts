import { existsSync, statSync } from 'node:fs';
import { backUp, startThread } from '@tarifario/runtime';
import type { GrowingFile } from './backup-progress.ts';
import { type Arguments, CommandError, type Run } from './command.ts';
import { readSettings } from './database.ts';
import { progressFor } from './progress.ts';

export const backup: Run = async (args) => {
  const file = args.required('FILE');
  // An existing backup must not be overwritten by a mistake in a script.
  if (existsSync(file)) throw new CommandError(`${file} exists already`);
  const { databaseUrl } = readSettings().config;
  const copied = await whileWatched(() => backUp(databaseUrl, file), { databaseUrl, file, args });
  return { json: { file, ...copied } };
};

/** Does the work of this thread while another one shows its progress. */
async function whileWatched<T>(
  work: () => Promise<T>,
  { databaseUrl, file, args }: { readonly databaseUrl: string; readonly file: string; readonly args: Arguments },
): Promise<T> {
  const isTerminal = process.stderr.isTTY === true;
  const isAsked = args.flag('progress');
  const bytes = statSync(databaseUrl.replace(/^sqlite:/, ''), { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0 || !(isTerminal || isAsked)) return work();
  const progress = progressFor(args);
  progress.tell(0, `0 of ${Math.round(bytes / 1e6)} MB`);
  const data: GrowingFile = { file: `${file}.partial`, bytes, isTerminal, isAsked };
  const watch = startThread(new URL('./backup-progress.ts', import.meta.url), { workerData: data });
  try {
    return await work();
  } finally {
    await watch.terminate();
    progress.end();
  }
}
