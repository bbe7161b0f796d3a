/** Invented, with the shape of a supply point's number. */
const CUPS = 'ES0021000000000001AB0F';

/** An invoice of a fixed price whose power prices are by year, as most print them. */
const BY_YEAR = {
  cp: '31006',
  pP1: '3.00',
  pP2: '3.00',
  tc: 'F0',
  finContrato: '2027-01-22',
  finPen: '0000-00-00',
  com: 'R2-760',
  cups: CUPS,
  tf: 'N',
  iniF: '2026-03-18',
  finF: '2026-04-17',
  fFact: '2026-04-23',
  caP1: '751',
  caP2: '787',
  caP3: '1180',
  iniA: '2025-04-17',
  imp: '60.20',
  impPot: '10.88',
  impEner: '42.45',
  impSA: '0',
  finBS: '0.57',
  prP1: '34.867355',
  prP2: '9.249465',
  prE1: '0.124140',
  prE2: '0.124140',
  prE3: '0.124140',
};
export type InvoiceParameters = Readonly<Record<string, string | null>>;

/** An address with some of its parameters changed; `null` leaves one out. */
export function invoiceAddress(changes: InvoiceParameters = {}, { page = 'QRE', separator = '&' } = {}): string {
  const pairs = Object.entries({ ...BY_YEAR, ...changes }).filter(([, value]) => value !== null);
  const query = pairs.map(([name, value]) => `${name}=${value}`).join(separator);
  return `https://comparador.cnmc.gob.es/comparador/${page}?${query}`;
}
