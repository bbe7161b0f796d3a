import { MEASURED_TARIFFS, readCurveForCaller } from '@tarifario/core/service';
import { z } from 'zod';
import { CLIENT_QUERY, territoryField } from '../fields.ts';
import { defineOperation, NO_PATH } from '../operation.ts';
import { csvForm } from '../sent-form.ts';
import { toWireCurve } from '../wire/curve.ts';
import { curveShape } from '../wire/reading-shapes.ts';

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
    'kWh by period of the access tariff, and `perfil` by month as a ranking takes it. Sums are those of the file; more ' +
    'than 5 % of the hours missing, an hour twice, and more than one supply point are refused. Six periods are known ' +
    'on the mainland alone. Nothing is kept, and whose supply point it is (`CUPS`) is not answered.',
  scopes: ['offers:read'],
  input: {
    path: NO_PATH,
    query: z.strictObject({ ...CLIENT_QUERY, tariff_type: z.enum(MEASURED_TARIFFS), territory: territoryField }),
    body: z.union([z.strictObject({ csv: z.string().max(MAX_TEXT) }), csvForm]),
  },
  output: curveShape,
  refusals: ['business_rule', 'too_large'],
  mcp: 'read_curve',
  perform: async ({ deps, caller }, { query, body }) => {
    const curve = await readCurveForCaller(deps, caller, {
      firmId: query.client_id ?? null,
      file: 'file' in body ? body.file.bytes : body.csv,
      terms: { tariff: query.tariff_type, territory: query.territory },
    });
    return { status: 200, body: toWireCurve(curve) };
  },
});
