import { listRegulatedPrices, optimizePowerForCaller } from '@tarifario/core/service';
import { defineOperation, type Operation } from '../operation.ts';
import { powerAdvice, powerBody, regulatedPrices, regulatedQuery, toPowerInput } from '../wire/power.ts';

const MAXIMA = { p1: 31.2, p2: 33, p6: 18.4 };

const optimize = defineOperation({
  id: 'optimizePower',
  method: 'POST',
  path: '/v1/power/optimize',
  summary: 'Find the right contracted power',
  description:
    'Says at which contracted power price and excess cost least, by the regulated prices of `fecha` or those of an ' +
    'offer, beside the power of today and the least one without excess. It takes maxima by month and period, as bills ' +
    'print them, or a form with the curve of a meter (`file`, a CSV) and the question (`question`, JSON without ' +
    '`periodos`). Meters of types 1 to 3, above 50 kW, pay excess by the quarter-hour and need a curve of them. ' +
    'Prices that are not known on that day are refused: none is assumed. Nothing is kept.',
  scopes: ['offers:read'],
  longRead: 'curve',
  body: powerBody,
  output: powerAdvice,
  refusals: ['not_found', 'business_rule', 'too_large'],
  mcp: 'optimize_power',
  examples: [
    {
      summary: 'A shop with 40 kW and the maxima of a month',
      body: {
        tariff_type: '3.0TD',
        potencia: { p1: 40, p2: 40, p3: 40, p4: 40, p5: 40, p6: 40 },
        fecha: '2026-06-01',
        periodos: [{ mes: 1, dias: 31, maximos: MAXIMA }],
      },
    },
  ],
  answer: async ({ deps, caller }, { firmId, body }) =>
    optimizePowerForCaller(deps, caller, { firmId, ...toPowerInput(body) }),
});

const listPrices = defineOperation({
  id: 'listRegulatedPrices',
  method: 'GET',
  path: '/v1/regulated-prices',
  summary: 'List the regulated prices of power on a day',
  description: 'Tolls, charges and excess of contracted power, each with its law. A day without any is refused.',
  anyKey: true,
  query: regulatedQuery,
  output: regulatedPrices,
  refusals: ['business_rule'],
  examples: [{ summary: 'Those of 2.0TD in 2026', query: { fecha: '2026-06-01', tariff_type: '2.0TD' } }],
  answer: async ({ deps, caller }, { firmId, query: { fecha, tariff_type: tariffType = null } }) => ({
    fecha,
    rows: await listRegulatedPrices(deps, caller, { firmId, day: fecha, tariffType }),
  }),
});

export const POWER: readonly Operation[] = [optimize, listPrices];
