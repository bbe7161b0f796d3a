import { copyDatabase, readConfig } from '@tarifario/runtime';
import type { Arguments, Run } from './command.ts';
import { progressFor } from './progress.ts';
import { formatRecords } from './table.ts';

export const copy: Run = async (args) => {
  const [from, to] = [addressIn(args, 'from'), addressIn(args, 'to')];
  const progress = progressFor(args);
  try {
    const { isCopied, ...report } = await copyDatabase(from, to, {
      isDryRun: args.flag('dry-run'),
      onProgress: (done, all, table) =>
        progress.tell(done / all, `${done} of ${all} rows written or read again, ${table}`),
    });
    const json = { copied: isCopied, ...report };
    const ending = isCopied ? 'rows copied' : 'rows, nothing written';
    return { json, pretty: `${[...formatRecords(report.tables), `${report.rows} ${ending}`].join('\n')}\n` };
  } finally {
    progress.end();
  }
};

/** @throws UsageError where it is not given, ConfigError where it is no address. */
function addressIn(args: Arguments, name: string): string {
  return readConfig({ DATABASE_URL: args.required(name) }).databaseUrl;
}
