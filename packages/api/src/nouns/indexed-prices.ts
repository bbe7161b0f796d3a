import { catalogMonthCases, ownMonthCases, type Scope } from '@tarifario/core/service';
import { listAnswer, PAGE_QUERY, pageOf } from '../fields.ts';
import type { Example } from '../openapi/example.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answersAs } from '../wire/answer.ts';
import { toWireMonth } from '../wire/prices.ts';
import { fromWirePrices, monthBody } from './offers/body.ts';
import { monthShape } from './offers/offer.ts';

const monthlyPrices = answersAs(monthShape, toWireMonth);

/** The fields in which the months of own offers and those of the catalog differ. */
interface Side {
  readonly word: '' | 'Catalog';
  readonly path: '/v1/offers/{id}/indexed-prices' | '/v1/catalog/offers/{id}/indexed-prices';
  /** The end of a summary: `offer` after the name of the offer, `month` after the month. */
  readonly suffix: { readonly offer: string; readonly month: string };
  readonly whose: string;
  readonly read: Scope;
  readonly write: Scope;
  readonly limits: Operation['limits'];
  readonly mcp: string;
  readonly cases: typeof ownMonthCases;
  readonly examples: Readonly<Record<'list' | 'upsert' | 'get', readonly Example[]>>;
}

const ANY_DAY = 'The month may be given as YYYY-MM or as any real day of it.';

function monthRows(side: Side): readonly Operation[] {
  const { word, path, suffix, whose, limits, cases, examples } = side;
  return [
    defineOperation({
      id: `list${word}IndexedPrices`,
      method: 'GET',
      path,
      summary: `List the monthly prices of an offer${suffix.offer}`,
      description: `The stored months of ${whose}, oldest first.`,
      scopes: [side.read],
      query: PAGE_QUERY,
      output: listAnswer(monthlyPrices),
      tagged: true,
      mcp: side.mcp,
      examples: examples.list,
      answer: ({ deps, caller }, { path: { id }, query, firmId }) =>
        cases.list(deps, caller, { id, firmId, page: pageOf(query) }),
    }),
    defineOperation({
      id: `upsert${word}IndexedPrice`,
      method: 'POST',
      path,
      summary: `Create or replace the prices of one month${suffix.month}`,
      description:
        'The month becomes what is sent: a price left out is erased. 201 when it is new, 200 when it replaces. An offer ' +
        'has at most 360 months.',
      scopes: [side.write],
      limits,
      replayable: true,
      body: monthBody,
      success: [200, 201],
      refusals: ['quota_reached', 'storage_full', 'business_rule'],
      examples: examples.upsert,
      command: cases.upsert,
      input: ({ path: { id }, firmId, body }) => ({
        id,
        firmId,
        draft: { month: body.reference_month, ...fromWirePrices(body) },
      }),
      output: { shape: monthlyPrices.shape, toWire: ({ price }) => monthlyPrices.toWire(price) },
      status: ({ outcome }) => (outcome === 'created' ? 201 : 200),
      current: ({ price }) => price && monthlyPrices.toWire(price),
    }),
    defineOperation({
      id: `get${word}IndexedPrice`,
      method: 'GET',
      path: `${path}/{month}`,
      summary: `Read the prices of one month${suffix.month}`,
      description: `A stored month of ${whose}. ${ANY_DAY}`,
      scopes: [side.read],
      output: monthlyPrices,
      tagged: true,
      examples: examples.get,
      answer: ({ deps, caller }, { path: { id, month }, firmId }) => cases.get(deps, caller, { id, month, firmId }),
    }),
    defineOperation({
      id: `delete${word}IndexedPrice`,
      method: 'DELETE',
      path: `${path}/{month}`,
      summary: `Delete the prices of one month${suffix.month}`,
      description: ANY_DAY,
      scopes: [side.write],
      limits,
      output: null,
      success: [204],
      refusals: ['storage_full'],
      examples: examples.get,
      command: cases.delete,
      input: ({ path: { id, month }, firmId }) => ({ id, month, firmId }),
      current: monthlyPrices.toWire,
    }),
  ];
}

export const INDEXED_PRICES = monthRows({
  word: '',
  path: '/v1/offers/{id}/indexed-prices',
  suffix: { offer: '', month: '' },
  whose: 'a visible offer',
  read: 'indexed_prices:read',
  write: 'offers:write',
  limits: [],
  mcp: 'list_indexed_prices',
  cases: ownMonthCases,
  examples: {
    list: [{ summary: 'Two months', params: { id: 3 } }],
    upsert: [
      { summary: 'A new month', params: { id: 3 }, body: { reference_month: '2025-12', e1: 0.2, e2: 0.14, e3: 0.11 } },
      {
        summary: 'A month that is replaced',
        params: { id: 3 },
        body: { reference_month: '2025-10-31', e1: 0.17, e2: 0.12, e3: 0.08 },
      },
    ],
    get: [{ summary: 'One month', params: { id: 3, month: '2025-10' } }],
  },
});

export const CATALOG_INDEXED_PRICES = monthRows({
  word: 'Catalog',
  path: '/v1/catalog/offers/{id}/indexed-prices',
  suffix: { offer: ' of the catalog', month: ' of an offer of the catalog' },
  whose: 'an offer of the shared catalog',
  read: 'catalog:read',
  write: 'catalog:write',
  limits: ['catalog_write'],
  mcp: 'list_catalog_indexed_prices',
  cases: catalogMonthCases,
  examples: {
    list: [{ summary: 'One month', params: { id: 6 } }],
    upsert: [
      { summary: 'A new month', params: { id: 6 }, body: { reference_month: '2025-12', e1: 0.21, e2: 0.14, e3: 0.1 } },
      {
        summary: 'A month that is replaced',
        params: { id: 6 },
        body: { reference_month: '2025-11-30', e1: 0.18, e2: 0.12, e3: 0.09 },
      },
    ],
    get: [{ summary: 'One month', params: { id: 6, month: '2025-11' } }],
  },
});
