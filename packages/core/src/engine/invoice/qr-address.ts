import { type Day, dayNumber } from '../calendar.ts';
import { DomainError, type Issue } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';

/** Parameters that are read, by their name in the format. */
const KNOWN = [
  ...['cp', 'pP1', 'pP2', 'caP1', 'caP2', 'caP3', 'iniA', 'iniF', 'finF', 'fFact', 'tf', 'tc', 'com', 'cups'],
  ...['prP1', 'prP2', 'prE1', 'prE2', 'prE3', 'imp', 'impPot', 'impEner', 'impSA', 'finBS', 'exc', 'dto'],
  ...['finContrato', 'finPen', 'pmaxP1', 'pmaxP2', 'cfP1', 'cfP2', 'cfP3', 'impOtrosConIE', 'impOtrosSinIE'],
  ...['dtoBS', 'ajuste', 'rev', 'verde', 'cambio', 'promo', 'finA', 'peaje'],
  ...['pP3', 'pP4', 'pP5', 'pP6', 'caP4', 'caP5', 'caP6'],
] as const;
const NAMES = new Map(KNOWN.map((name) => [name.toLowerCase(), name]));

/** The refusal of an address. Its content may identify the customer, so it is never repeated. */
export function malformedAddress(path: string, message: Message): DomainError {
  return new DomainError('invalid_request', { issues: [{ path, message }] });
}

export type QrParameters = ReturnType<typeof addressParameters>;

const ADDRESS = /^https:\/\/comparador\.cnmc\.gob\.es(?::443)?\/comparador\/QRE2?(?:\?([^#]*))?(?:#.*)?$/is;
/** Byte order marks, also those of UTF-8 that were read as another encoding. */
const LEADING_MARKS = /^(?:\uFEFF|ï»¿|\s)+/;
const SAYS = 'must be the address of a QR code: https://comparador.cnmc.gob.es/comparador/QRE with its parameters';
const DECIMAL = /^-?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})$/;
/** Stands for no day. */
export const NO_DAY = '0000-00-00';
/** Units that may stand behind a number, as the form of 2021 prints them. */
const UNITS = [
  [/^p(max)?P/, /\s?kW$/i],
  [/^c[af]P/, /\s?kWh$/i],
  [/^(imp|pr[EP]|exc|dto|finBS|ajuste)/, /\s?eur$/i],
] as const;

/**
 * The parameters of an address, read one by one; what is wrong with them is collected for `finish`.
 *
 * @throws DomainError `invalid_request` for an address of something else.
 */
export function addressParameters(address: string) {
  const match = ADDRESS.exec(address.replace(LEADING_MARKS, '').trim());
  if (!match) throw malformedAddress('url', SAYS);
  const { texts, issues } = readPairs(match[1] ?? '');
  const wrong = (name: string, message: Message): null => {
    issues.push({ path: `url.${name}`, message });
    return null;
  };
  const text = (name: string): string => texts.get(name) ?? '';
  /** NaN: no number, or in another unit. */
  const quantityOf = (name: string): number => {
    const [, unit] = UNITS.find(([names]) => names.test(name)) ?? [];
    const digits = unit ? text(name).replace(unit, '') : text(name);
    return DECIMAL.test(digits) ? Number(digits) + 0 : Number.NaN;
  };
  /** A number within bounds, both included; `null`: the parameter is missing. */
  const number = (name: string, { min, max }: { readonly min: number; readonly max: number }): number | null => {
    if (text(name) === '') return null;
    const value = quantityOf(name);
    return value >= min && value <= max
      ? value
      : wrong(name, say('must be a number from {min} to {max}', { min, max }));
  };
  return {
    text,
    number,
    /** A number of which the question does not depend; `null`: it is missing, or no number. */
    optional: (name: string): number | null => {
      const value = quantityOf(name);
      return Number.isNaN(value) ? null : value;
    },
    /** A required number from 0 on. */
    needed: (name: string, max: number): number => {
      if (text(name) === '') wrong(name, 'is missing');
      return number(name, { min: 0, max }) ?? 0;
    },
    /** A real day; `null`: the parameter is missing or empty. */
    day: (name: string): Day | null => {
      const sent = text(name);
      if (sent === '' || sent === NO_DAY) return null;
      return dayNumber(sent) === null ? wrong(name, 'must be a day as YYYY-MM-DD') : sent;
    },
    /** @throws DomainError `invalid_request` with all errors. */
    finish: () => {
      if (issues.length > 0) throw new DomainError('invalid_request', { issues });
    },
  };
}

/** The texts of the known parameters, and the names of those that occur twice. */
function readPairs(query: string): { readonly texts: ReadonlyMap<string, string>; readonly issues: Issue[] } {
  const texts = new Map<string, string>();
  const issues: Issue[] = [];
  const seen = new Set<string>();
  for (const pair of query.split(/&(?:amp;)?/i)) {
    if (pair === '') continue;
    const [sentName = '', ...value] = pair.split('=');
    const key = (decoded(sentName) ?? sentName).toLowerCase();
    const name = NAMES.get(key);
    if (seen.has(key)) {
      // An unknown name could be anything, so it is not repeated.
      issues.push(
        name === undefined
          ? { path: 'url', message: 'has a parameter twice that is not of this format' }
          : { path: `url.${name}`, message: 'stands twice' },
      );
    }
    seen.add(key);
    if (name === undefined) continue;
    const text = decoded(value.join('='));
    if (text === null) issues.push({ path: `url.${name}`, message: 'is not well-formed' });
    else texts.set(name, text.trim());
  }
  return { texts, issues };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
