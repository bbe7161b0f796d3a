import { copyDatabase, readConfig } from '@tarifario/runtime';
import type { Arguments, Run } from './command.ts';
import { progressFor } from './progress.ts';

export const copy: Run = async (args) => {
  const [from, to] = [addressIn(args, 'from'), addressIn(args, 'to')];
  const progress = progressFor(args);
  try {
    const { isCopied, ...report } = await copyDatabase(from, to, {
      isDryRun: args.flag('dry-run'),
      onProgress: (done, all, table) =>
        progress.tell(done / all, `${done} of ${all} rows written or read again, ${table}`),
    });
    return { json: { copied: isCopied, ...report } };
  } finally {
    progress.end();
  }
};

/** @throws UsageError where it is not given, ConfigError where it is no address. */
function addressIn(args: Arguments, name: string): string {
  return readConfig({ DATABASE_URL: args.required(name) }).databaseUrl;
}
