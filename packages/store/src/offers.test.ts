import { expect, test } from 'vitest';
import { recordingSession } from '../test/recording-session.ts';
import { offerRows, recordRows } from './offers.ts';

test.each([
  ['offers', offerRows],
  ['offers with their companies', recordRows],
])('A-62: %s are read without a column of commissions where they are not needed', (_, rows) => {
  const columnsRead = (seesCommissions: boolean) => {
    const { sql } = rows(recordingSession().session, { seesCommissions }).compile();
    return [...sql.matchAll(/"offers"\."(\w+)"/g)].map(([, name]) => name).filter((name) => name !== 'company_id');
  };
  const commissions = ['commission_value', 'commission_type', 'consumption_tiers', 'power_tiers'];
  const all = columnsRead(true);
  expect(all).toEqual(expect.arrayContaining(commissions));
  expect(columnsRead(false)).toEqual(all.filter((name) => name === undefined || !commissions.includes(name)));
});
