import type { Examples } from '../example.ts';
import { indexedMonth } from './records.ts';

export const INDEXED_PRICE_EXAMPLES: Examples = {
  listIndexedPrices: [
    {
      summary: 'Two months',
      params: { id: 3 },
      status: 200,
      answer: {
        total: 2,
        limit: 50,
        offset: 0,
        results: [
          indexedMonth('2025-10-01', {
            e1: 0.14,
            e2: 0.11,
            e3: 0.08,
          }),
          indexedMonth('2025-11-01', {
            e1: 0.2,
            e2: 0.13,
            e3: 0.1,
          }),
        ],
      },
    },
  ],
  getIndexedPrice: [
    {
      summary: 'One month',
      params: { id: 3, month: '2025-10' },
      status: 200,
      answer: indexedMonth('2025-10-01', { e1: 0.14, e2: 0.11, e3: 0.08 }),
    },
  ],
  upsertIndexedPrice: [
    {
      summary: 'A new month',
      params: { id: 3 },
      body: { reference_month: '2025-12', e1: 0.2, e2: 0.14, e3: 0.11 },
      status: 201,
      answer: indexedMonth('2025-12-01', {
        e1: 0.2,
        e2: 0.14,
        e3: 0.11,
      }),
    },
    {
      summary: 'A month that is replaced',
      params: { id: 3 },
      body: { reference_month: '2025-11-30', e1: 0.17, e2: 0.12, e3: 0.08 },
      status: 200,
      answer: indexedMonth('2025-11-01', {
        e1: 0.17,
        e2: 0.12,
        e3: 0.08,
      }),
    },
  ],
  deleteIndexedPrice: [{ summary: 'One month', params: { id: 3, month: '2025-10' }, status: 204 }],
};
