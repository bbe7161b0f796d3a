import { anyOffer } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { recordingSession } from '../test/recording-session.ts';
import { readerOf } from './reader-writer.ts';

test('A-144: firms are read without logos and contacts, but for the detail of one', async () => {
  const { session, statements } = recordingSession();
  const { firms, changes, offers } = readerOf(session);
  const [scope, page] = [
    { owner: 1, firmId: null, includeInactive: true },
    { limit: 200, offset: 0 },
  ];
  await firms.list(scope, page);
  await firms.get(1, 2);
  await changes.since(1, 0);
  const company = { companyId: null, companyName: null };
  await offers.list({ ...scope, ...company, filter: anyOffer(null), seesCommissions: true }, page);
  await offers.byId(1, [2]);
  const ofFirms = statements.map(({ sql }) => sql).filter((sql) => /"firms"/.test(sql));
  expect(ofFirms.length).toBeGreaterThan(3);
  expect(ofFirms.filter((sql) => /"logo"|"contact"|\*/.test(sql.replaceAll('count(*)', '')))).toEqual([]);
  await firms.detail(1, 2);
  expect(statements.at(-1)?.sql).toMatch(/"logo", "contact" from "firms"/);
});
