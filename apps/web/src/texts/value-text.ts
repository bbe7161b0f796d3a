import type { Translation } from './texts.ts';

/** A stored value of an offer, in words. */
export function valueText(value: unknown, translation: Translation): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return translation.say(value ? 'yes' : 'no');
  if (typeof value === 'number') return translation.number(value, 0, 9);
  if (Array.isArray(value)) return value.map((one) => valueText(one, translation)).join(' · ') || '–';
  if (typeof value !== 'object') return String(value);
  // A tier.
  return Object.entries(value)
    .map(([name, part]) => `${name} ${valueText(part, translation)}`)
    .join(', ');
}
