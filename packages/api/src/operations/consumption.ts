import { MEASURED_TARIFFS, readCurveForCaller } from '@tarifario/core/service';
import { z } from 'zod';
import { territoryField } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { csvForm } from '../sent-form.ts';
import { curveShape, toWireCurve } from '../wire/curve.ts';

/** Characters that a model can still send: some two months by the hour. */
const MAX_TEXT = 100_000;

export const readConsumption = defineOperation({
  id: 'readConsumption',
  method: 'POST',
  path: '/v1/consumption/periods',
  summary: 'Read the curve of a meter by period and month',
  description:
    'Reads the CSV that Datadis and distributors give to every customer, by the hour, the quarter-hour or the month: up ' +
    'to 10 MB and 40 000 rows, as `text/csv`, as a form with a part `file`, or as a short text in JSON. It answers ' +
    'kWh by period of the access tariff, and `perfil`, the same by month. Sums are those of the file; more ' +
    'than 5 % of the hours missing, an hour twice, and more than one supply point are refused. Six periods are known ' +
    'on the mainland alone. Nothing is kept, and whose supply point it is (`CUPS`) is not answered.',
  scopes: ['offers:read'],
  query: { tariff_type: z.enum(MEASURED_TARIFFS), territory: territoryField },
  body: z.union([z.strictObject({ csv: z.string().max(MAX_TEXT) }), csvForm]),
  output: curveShape,
  refusals: ['business_rule', 'too_large'],
  mcp: 'read_curve',
  examples: [
    {
      summary: 'Totals of two months',
      query: { tariff_type: '2.0TD', territory: 'peninsula' },
      body: {
        csv: [
          'CUPS;Fecha;Valle;Llano;Punta;Energia_vertida_kWh',
          'ES0021000000000001AB0F;2026/01;110;70;90,5;0',
          'ES0021000000000001AB0F;2026/02;95;64;80;12',
        ].join('\n'),
      },
    },
  ],
  answer: async ({ deps, caller }, { firmId, query: { tariff_type: tariff, territory }, body }) => {
    const file = 'file' in body ? body.file.bytes : body.csv;
    return toWireCurve(await readCurveForCaller(deps, caller, { firmId, file, terms: { tariff, territory } }));
  },
});
