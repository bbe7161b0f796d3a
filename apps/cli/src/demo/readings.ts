import { formatPresent, formatResults, formatWarnings, type Paint, type WireRanking } from '../ranking-view.ts';
import type { DemoReadings } from './demo-catalog.ts';

/** A request to the demo's own server. */
export type Ask = <T>(path: string, body: string | object) => Promise<T>;

const OFFERS = 3;

interface WireQuestion {
  readonly efficient: object;
  readonly contrato_actual: object | null;
}

/** From a QR code and from the curve of a meter to rankings: the three best offers of each. */
export async function tellReadings(ask: Ask, { invoiceUrl, curve }: DemoReadings, paint: Paint): Promise<string[]> {
  const { efficient, contrato_actual } = await ask<WireQuestion>('/v1/invoices/qr', { url: invoiceUrl });
  const asked = { client_type: 'dni', limit: OFFERS };
  const byInvoice = await ask<WireRanking>('/v1/offers/efficient', { ...efficient, contrato_actual, ...asked });
  const read = await ask<{ readonly dias: number; readonly perfil: readonly object[] }>(
    '/v1/consumption/periods?tariff_type=2.0TD&territory=peninsula',
    curve,
  );
  const byMonths = await ask<WireRanking>('/v1/offers/efficient', {
    ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', ...asked },
    ...{ potencia: { p1: 5.75, p2: 5.75 }, perfil: read.perfil },
  });
  return [
    paint.strong('From the QR code of an invoice to what each offer saves (a generated invoice)'),
    '',
    ...formatWarnings(byInvoice, paint),
    ...formatPresent(byInvoice),
    ...formatResults(byInvoice, paint),
    '',
    paint.strong(`From the curve of a meter: ${read.perfil.length} months of a house with panels (a generated file)`),
    '',
    ...formatWarnings(byMonths, paint),
    ...formatResults(byMonths, paint),
  ];
}
