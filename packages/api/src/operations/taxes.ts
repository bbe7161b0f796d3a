import { listTaxes } from '@tarifario/core/service';
import { dayField, supplyTypeField, territoryField } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { taxTable } from '../wire/taxes.ts';

export const TAXES: readonly Operation[] = [
  defineOperation({
    id: 'listTaxes',
    method: 'GET',
    path: '/v1/taxes',
    summary: 'List the rates of taxes',
    description:
      'The rates with which the bills of a day are computed, with laws and dates: taxes, the financing of the social ' +
      'bonus and the rental of meters. A rate that a law leaves open has `valores`: what it may be.',
    anyKey: true,
    query: {
      fecha: dayField.describe('The day; left out: today, in UTC.').optional(),
      territory: territoryField.optional(),
      supply_type: supplyTypeField.optional(),
    },
    output: taxTable,
    mcp: 'list_taxes',
    examples: [
      {
        summary: 'Electricity on the mainland, in a month that is undecided',
        query: { fecha: '2026-11-15', territory: 'peninsula', supply_type: 'LUZ' },
      },
    ],
    answer: ({ deps, caller }, { firmId, query }) =>
      listTaxes(deps, caller, {
        firmId,
        day: query.fecha ?? null,
        territory: query.territory ?? null,
        supplyType: query.supply_type ?? null,
      }),
  }),
];
