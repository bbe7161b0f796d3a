import type { IndexDay } from '../../src/engine/indices/index-days.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { type CaseOn, equal } from './assertions.ts';
import { at } from './world.ts';

const hours = (first: number): readonly number[] => Array.from({ length: 24 }, (_, hour) => (first + hour) / 1000);
const dayOf = (index: string, day: string, prices: readonly (number | null)[]): IndexDay => ({ index, day, prices });

/** The series of prices of the installation. */
export const indexCases: readonly CaseOn<Store>[] = [
  {
    name: 'A-163: days of an index are read as they were written, the oldest first, from bound to bound',
    run: async (store) => {
      const quarters = Array.from({ length: 96 }, (_, at) => (at === 5 ? null : -at / 7000));
      const days = [
        dayOf('A', '2026-02-03', quarters),
        dayOf('A', '2026-02-01', hours(100)),
        dayOf('B', '2026-02-01', hours(50)),
        dayOf('A', '2026-02-02', hours(0)),
      ];
      await store.write(at(1), (writer) => writer.indices.put(days));
      const [third, first, , second] = days;
      await store.read(async ({ indices }) => {
        equal(await indices.days('A', '2026-02-01', '2026-02-03'), [first, second, third], 'all');
        equal(await indices.days('A', '2026-02-02', '2026-02-02'), [second], 'one');
        equal(await indices.days('A', '2026-02-04', '2026-02-09'), [], 'later ones');
        equal(await indices.days('C', '2026-02-01', '2026-02-03'), [], 'of no index');
      });
    },
  },
  {
    name: 'A-163: a day that is put again is replaced, by a list of another length too',
    run: async (store) => {
      const [first, again] = [dayOf('A', '2026-02-01', hours(100)), dayOf('A', '2026-02-01', new Array(96).fill(0.5))];
      await store.write(at(1), (writer) => writer.indices.put([first]));
      await store.write(at(2), (writer) => writer.indices.put([again]));
      equal(await store.read(({ indices }) => indices.days('A', '2026-02-01', '2026-02-01')), [again], 'the last');
    },
  },
  {
    name: 'A-163: indices are listed by name, with their days by the clock of the mainland and their hours with a price',
    run: async (store) => {
      equal(await store.read(({ indices }) => indices.list()), [], 'none');
      const evening = hours(0).map((price, hour) => (hour < 23 ? null : price));
      const quarters = Array.from({ length: 96 }, (_, at) => (at < 6 ? at : null));
      await store.write(at(1), (writer) =>
        writer.indices.put([
          dayOf('PVPC', '2026-06-01', quarters),
          dayOf('PVPC', '2026-05-31', evening),
          dayOf('OMIE', '2026-01-05', hours(1)),
        ]),
      );
      const listed = [
        // In winter the mainland is an hour ahead.
        { index: 'OMIE', from: '2026-01-05', to: '2026-01-06', hours: 24 },
        { index: 'PVPC', from: '2026-06-01', to: '2026-06-01', hours: 2.5 },
      ];
      equal(await store.read(({ indices }) => indices.list()), listed, 'both');
    },
  },
];
