import Database from 'better-sqlite3';
import { line } from '../line.ts';
import { sideBySide } from '../measure.ts';
import { openService } from '../service-work.ts';

/**
 * What every ranking asks the database first: the revisions of the account and of the catalog, through the port of the
 * store, as one statement. Against one row read by a prepared statement on a connection of its own.
 */
export const freshnessLine = line({
  name: 'Freshness check',
  run: async () => {
    const { service, accountId, file, close } = await openService(200);
    const handle = new Database(file, { readonly: true });
    const statement = handle.prepare('select revision from revisions where owner_id = ?');
    const { store } = service;
    try {
      const { ours, raw } = await sideBySide({
        ours: () => store.latest.changes.revisions(accountId),
        raw: () => statement.get(accountId),
      });
      const goal = { atMost: 3 };
      return [
        { what: 'SQLite', oursMicros: ours, peer: 'one prepared row', peerMicros: raw, ratio: 'ours/theirs', goal },
      ];
    } finally {
      handle.close();
      await close();
    }
  },
});
