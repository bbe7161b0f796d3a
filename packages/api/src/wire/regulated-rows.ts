import type { RegulatedPrice, SettledRate } from '@tarifario/core/service';
import { z } from 'zod';
import { readJson } from '../read-input.ts';
import { fromWirePrice, operatorPrice } from './power.ts';
import { fromWireRate, operatorRate } from './taxes.ts';

const operatorRows = z.array(z.discriminatedUnion('concepto', [operatorRate, operatorPrice]));

/**
 * The rows with which an operator settles open days, in the forms of `GET /v1/taxes` and `GET /v1/regulated-prices`: a
 * list of them, or a whole answer.
 *
 * @throws DomainError `invalid_request` for another form.
 */
export function fromWireRows(json: unknown): {
  readonly rates: readonly SettledRate[];
  readonly prices: readonly RegulatedPrice[];
} {
  const rows = readJson(operatorRows, Array.isArray(json) ? json : (Object(json).filas ?? json));
  return {
    rates: rows.flatMap((row) => ('precios' in row ? [] : [fromWireRate(row)])),
    prices: rows.flatMap((row) => ('precios' in row ? [fromWirePrice(row)] : [])),
  };
}
