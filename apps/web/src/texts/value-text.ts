import { priceRows } from '../ranking/price-rows.ts';
import { isText, type Translation } from './texts.ts';

/** A stored value of an offer, in words. */
export function valueText(value: unknown, translation: Translation): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return translation.say(value ? 'yes' : 'no');
  if (typeof value === 'number') return translation.number(value, 0, 9);
  if (Array.isArray(value)) return value.map((one) => valueText(one, translation)).join(' · ') || '–';
  if (typeof value !== 'object') return String(value);
  return recordText(value as Fields, translation);
}

type Fields = Readonly<Record<string, unknown>>;

/** The prices of a month, a tier, or something else, as it is. */
function recordText(fields: Fields, translation: Translation): string {
  const { say, month } = translation;
  const text = (name: string) => valueText(fields[name], translation);
  if (typeof fields.reference_month === 'string') {
    const rows = priceRows([fields], translation);
    const prices = rows.map(({ name, unit, prices: [price] }) => `${name} ${valueText(price, translation)} ${unit}`);
    return `${month(fields.reference_month)} (${prices.join(', ')})`;
  }
  if (!('commission_type' in fields)) {
    // Of an answer, where a proposal is not made again as it was.
    return Object.keys(fields)
      .map((name) => `${name} ${text(name)}`)
      .join(', ');
  }
  const [of, unit] = 'power_from' in fields ? ['power', 'kW'] : ['consumption', 'MWh'];
  const to = fields[`${of}_to`] === null ? say('noLimit') : `${text(`${of}_to`)} ${unit}`;
  const type = text('commission_type');
  return `${text(`${of}_from`)} ${unit} – ${to}: ${text('commission')} ${isText(type) ? say(type) : type}`;
}
