import { holds } from '@tarifario/testkit/core/laws';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OWN, partsOf, STATE, sheet, stored } from '../../test/simple-bulk.ts';
import { diffOf } from './diff.ts';
import { offersNamedIn } from './named-offers.ts';
import { planBulkUpdate } from './plan.ts';
import { readRows } from './read-rows.ts';
import type { BulkState } from './state.ts';

// Few names and ids, so that rows mean one stored offer, several, or none.
const offerName = fc.constantFrom('Estable', 'estable', 'Llama', 'Nueva');
const id = fc.constantFrom(null, null, 10, 11, 12);
const companyId = fc.constantFrom(1, 2, 3);
const state = fc
  .array(fc.record({ offerName, companyId, isActive: fc.boolean(), isIndexed: fc.boolean() }), { maxLength: 9 })
  .map(
    (offers): BulkState => ({ ...STATE, offers: offers.map((offer, index) => stored({ id: 10 + index, ...offer })) }),
  );
const names = fc.tuple(id, fc.constantFrom('Norte', 'Sur'), fc.constantFrom('Iber', 'Gana'), offerName);
const NAMES = ['offer_id', 'cliente', 'company_name', 'offer_name'] as const;
const offerRows = fc.array(fc.tuple(names, fc.boolean()), { maxLength: 2 });
const linkedRows = fc.array(names, { maxLength: 1 });

test('a file has the same outcome with only the offers that it names as with all, and reads at most two offers a name', () => {
  const seen = { unread: 0, twins: 0, plan: 0, errors: 0 };
  holds(
    fc.property(
      state,
      offerRows,
      linkedRows,
      linkedRows,
      fc.subarray([10, 13], { maxLength: 1 }),
      (all, rows, tiers, months, ids) => {
        const workbook = {
          ofertas: sheet(
            [...NAMES, 'is_active', 'is_indexed', 'supply_type', 'tariff_type', 'acepta_dni', 'territory_peninsula'],
            ...rows.map(([name, isActive]) => [...name, isActive, true, 'LUZ', '2.0TD', true, true]),
          ),
          tramos_consumo: sheet([...NAMES, 'consumption_from', 'commission'], ...tiers.map((name) => [...name, 0, 5])),
          precios_indexados: sheet(
            [...NAMES, 'reference_month', 'e1'],
            ...months.map((name) => [...name, '2025-11', 0.1]),
          ),
          borrar: sheet(['offer_id'], ...ids.map((each) => [each])),
        };
        const drafts = readRows(partsOf(workbook), 'own');
        const isNamed = offersNamedIn(drafts);
        const named = { ...all, offers: all.offers.filter(({ offer }) => isNamed(offer)) };
        const outcome = planBulkUpdate(named, drafts, OWN);
        expect(outcome).toEqual(planBulkUpdate(all, drafts, OWN));
        if (outcome.kind === 'plan') expect(diffOf(outcome.plan, named, OWN)).toEqual(diffOf(outcome.plan, all, OWN));
        seen[outcome.kind] += 1;
        seen.unread += all.offers.length - named.offers.length;
        const text = JSON.stringify(outcome);
        if (text.includes('several offers') || text.includes('name_repeated')) seen.twins += 1;
      },
    ),
    runsOf(700, 2000),
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(20);
});

test('of 1 000 offers with one name, a file that says the name reads two, and one that says an id reads one', () => {
  const offers = Array.from({ length: 1000 }, (_, index) => stored({ id: 10 + index }).offer);
  const read = (cells: readonly (string | number | null)[]) => {
    const tramos_consumo = sheet([...NAMES, 'consumption_from', 'commission'], [...cells, 0, 5]);
    return offers.filter(offersNamedIn(readRows(partsOf({ tramos_consumo }), 'own'))).map((offer) => offer.id);
  };
  expect(read([null, 'Norte', 'Iber', 'ESTABLE'])).toEqual([10, 11]);
  expect(read([500, null, null, null])).toEqual([500]);
  expect(read([null, 'Norte', 'Iber', 'Otra'])).toEqual([]);
});
