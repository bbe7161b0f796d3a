import type { Tarifario } from '@tarifario/client';
import { formatPresent, formatResults, formatWarnings, type Paint } from '../ranking-view.ts';
import type { DemoReadings } from './demo-catalog.ts';

const OFFERS = 3;

/** From a QR code and from the curve of a meter to rankings, with the three best offers of each. */
export async function tellReadings(
  tarifario: Tarifario,
  { invoiceUrl, curve }: DemoReadings,
  paint: Paint,
): Promise<string[]> {
  const { efficient, contrato_actual } = await tarifario.readInvoice({ body: { url: invoiceUrl } });
  const extra = { client_type: 'dni', limit: OFFERS } as const;
  const byInvoice = await tarifario.rankOffers({
    body: { ...efficient, ...extra, ...(contrato_actual && { contrato_actual }) },
  });
  const place = { tariff_type: '2.0TD', territory: 'peninsula' } as const;
  const read = await tarifario.readConsumption({ ...place, body: new Blob([curve]) });
  const byMonths = await tarifario.rankOffers({
    body: { supply_type: 'LUZ', ...place, ...extra, potencia: { p1: 5.75, p2: 5.75 }, perfil: read.perfil },
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
