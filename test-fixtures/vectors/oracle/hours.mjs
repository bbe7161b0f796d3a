import { add, exact, larger, multiply, ONE, ZERO } from './rational.mjs';

/**
 * What the hours of a customer add to the prices of an offer that follows an index.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {Readonly<Record<string, any>>} WireOffer
 */

/** @type {(part: any) => readonly (readonly [period: string, kwh: number])[]} */
const consumed = (part) => /** @type {any} */ (Object.entries(part.energia ?? {}).filter(([, kwh]) => kwh > 0));

/** The differences of a part, if it has all that it needs. @type {(offer: WireOffer, part: any) => any} */
function differencesFor({ is_indexed, indice }, part) {
  const said = is_indexed === true && part.indices?.[indice];
  return said && consumed(part).every(([period]) => said[`d${period[1]}`] !== undefined) ? said : null;
}

/** Prices of a part with what its hours add. @type {(prices: any, offer: WireOffer, part: any) => any} */
export function withHours(prices, offer, part) {
  const said = differencesFor(offer, part);
  if (!said) return prices;
  const factor = (offer.indice_factor ?? null) === null ? ONE : exact(offer.indice_factor);
  const changed = consumed(part).flatMap(([period]) =>
    prices[period] === null ? [] : [[period, add(prices[period], multiply(factor, exact(said[`d${period[1]}`])))]],
  );
  return { ...prices, ...Object.fromEntries(changed) };
}

/** What a kWh of surplus is worth, `null`: as the offer says. @type {(offer: WireOffer, part: any) => Rational | null} */
export function surplusPriceOf({ placas_solares, indice_excedentes }, part) {
  const price = placas_solares === true ? part.indices?.[indice_excedentes]?.excedentes : undefined;
  return price === undefined ? null : larger(ZERO, exact(price));
}

/** How many parts with consumption, and with surplus, are priced by hours. @type {(offer: WireOffer, perfil: readonly any[]) => { energia: number, excedentes: number }} */
export function byHoursOf(offer, perfil) {
  return {
    energia: perfil.filter((part) => consumed(part).length > 0 && differencesFor(offer, part)).length,
    excedentes: perfil.filter((part) => (part.excedentes ?? 0) > 0 && surplusPriceOf(offer, part) !== null).length,
  };
}

/** Whether an offer has means where hours say something else. @type {(offer: WireOffer, parts: readonly any[]) => boolean} */
export function lacksHours(offer, parts) {
  const exporting = parts.filter((part) => (part.excedentes ?? 0) > 0).length;
  const hasCurve = parts.some(({ indices }) => indices !== undefined);
  if (!hasCurve && exporting === 0) return false;
  const { energia, excedentes } = byHoursOf(offer, parts);
  const consuming = hasCurve ? parts.filter((part) => consumed(part).length > 0).length : 1;
  return (
    (offer.is_indexed === true && energia < consuming) ||
    ((offer.indice_excedentes ?? null) !== null && excedentes < exporting)
  );
}

/** Whether hours of another month than the applied one price an offer. @type {(offer: WireOffer, rows: readonly WireOffer[], parts: readonly any[]) => boolean} */
export function isOfOtherYear(offer, rows, parts) {
  const months = rows.map(({ reference_month }) => reference_month.slice(0, 7));
  return parts.some((part) => {
    const month = `${part.anio}-${String(part.mes).padStart(2, '0')}`;
    const isPriced = consumed(part).length > 0 && differencesFor(offer, part);
    return part.anio !== undefined && isPriced && !months.includes(month);
  });
}
