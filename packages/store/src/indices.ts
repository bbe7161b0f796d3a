import { type IndexDay, pricedHours, type Reader, spanOf, type Writes } from '@tarifario/core/service';
import { inChunks } from './chunks.ts';
import type { Session } from './dialects.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export function indexReads({ db }: Session): Reader['indices'] {
  const days = db.selectFrom('index_days').orderBy('index_days.indice').orderBy('index_days.day');
  return {
    list: async () => {
      // An import stores no day without a price.
      const indices = db
        .selectFrom('index_days')
        .select(({ fn }) => [
          'indice',
          fn.sum<number>('hours').as('hours'),
          fn.min('day').as('first'),
          fn.max('day').as('last'),
        ])
        .groupBy('indice')
        .as('indices');
      const rows = await days
        .innerJoin(indices, 'indices.indice', 'index_days.indice')
        .select(['index_days.indice', 'index_days.day', 'index_days.prices', 'indices.hours'])
        .where((eb) => eb.or([eb('index_days.day', '=', eb.ref('first')), eb('index_days.day', '=', eb.ref('last'))]))
        .execute();
      return [...Map.groupBy(rows, (row) => row.indice)].flatMap(([index, bounds]) => {
        const span = spanOf(bounds.map(({ day, prices }) => ({ day, prices: JSON.parse(prices) })));
        return span ? [{ index, ...span, hours: Number(bounds[0]?.hours) }] : [];
      });
    },
    days: async (index, from, to) => {
      const rows = await days
        .selectAll()
        .where('indice', '=', index)
        .where('day', '>=', from)
        .where('day', '<=', to)
        .execute();
      return rows.map(({ day, prices }): IndexDay => ({ index, day, prices: JSON.parse(prices) }));
    },
  };
}

export function indexWrites(unit: UnitOfWork): Writes['indices'] {
  return {
    put: async (days) => {
      await inChunks(unit.dialect, days, async (chunk) => {
        const rows = chunk.map((one) => ({
          indice: one.index,
          day: one.day,
          hours: pricedHours(one),
          prices: JSON.stringify(one.prices),
        }));
        await unit.insertRows('index_days', rows, { replacing: ['indice', 'day'] });
        return [];
      });
    },
  };
}
