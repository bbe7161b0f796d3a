import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { COMMON, LANGUAGES, type Language } from './common.ts';
import { CUSTOMER } from './customer.ts';
import { OFFICE } from './office.ts';
import { RANKING } from './ranking.ts';
import { SETTINGS } from './settings.ts';

const TEXTS = { ...COMMON, ...CUSTOMER, ...RANKING, ...OFFICE, ...SETTINGS };

/** What a permission allows, in words where the page has some for it. */
export const scopeText = ({ say }: Translation, scope: string): string => say(isText(scope) ? scope : 'otherScope');
/** That the key lacks a permission. */
export const lacking = (translation: Translation, scope: string): string =>
  translation.say('noScope', { scope, what: scopeText(translation, scope) });

export type TextName = keyof typeof TEXTS;
export const isText = (name: string): name is TextName => Object.hasOwn(TEXTS, name);
export type Say = (name: TextName, values?: Readonly<Record<string, string | number>>) => string;

export interface Translation {
  readonly language: Language;
  readonly say: Say;
  /** A number with exactly this many decimals, or between two bounds. */
  readonly number: (value: number, decimals?: number, most?: number) => string;
  readonly eur: (value: number | null) => string;
  /** A day `YYYY-MM-DD` in words. */
  readonly day: (day: string) => string;
  /** A month `YYYY-MM` or any day of it, in short. */
  readonly month: (month: string) => string;
  /** A month by its number, 1 to 12, in words. */
  readonly monthName: (month: number) => string;
  /** Seconds, or minutes where there are more than two of them. */
  readonly wait: (seconds: number) => string;
  /** An instant, to the minute, in the time zone of the reader. */
  readonly time: (instant: string) => string;
}

const LOCALES = { es: 'es-ES', en: 'en-GB' } as const;

/** `{name}`, or `{count|offer|offers}` with the word for one and that for more. */
const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g;

function createTranslation(language: Language): Translation {
  const formats = new Map<string, Intl.NumberFormat>();
  const number: Translation['number'] = (value, decimals = 0, most = decimals) => {
    const name = `${decimals} ${most}`;
    const format =
      formats.get(name) ??
      new Intl.NumberFormat(LOCALES[language], {
        minimumFractionDigits: decimals,
        maximumFractionDigits: most,
        useGrouping: 'always',
      });
    formats.set(name, format);
    return format.format(value);
  };
  return {
    language,
    number,
    eur: (value) => (value === null ? '–' : number(value, 2)),
    day: (day) => new Date(day).toLocaleDateString(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }),
    month: (month) =>
      new Date(month).toLocaleDateString(LOCALES[language], { month: 'short', year: 'numeric', timeZone: 'UTC' }),
    monthName: (month) =>
      new Date(Date.UTC(2001, month - 1)).toLocaleDateString(LOCALES[language], { month: 'long', timeZone: 'UTC' }),
    wait: (seconds) => (seconds > 120 ? `${Math.round(seconds / 60)} min` : `${seconds} s`),
    time: (instant) => new Date(instant).toLocaleString(LOCALES[language], { dateStyle: 'short', timeStyle: 'short' }),
    say: (name, values = {}) =>
      TEXTS[name][LANGUAGES.indexOf(language)]?.replaceAll(PLACE, (_, key: string, one?: string, many?: string) => {
        const value = String(values[key]);
        return one === undefined ? value : `${value} ${value === '1' ? one : many}`;
      }) ?? '',
  };
}

export const TRANSLATIONS: Readonly<Record<Language, Translation>> = {
  es: createTranslation('es'),
  en: createTranslation('en'),
};
export const TranslationContext = createContext(TRANSLATIONS.es);
export const useTranslation = (): Translation => useContext(TranslationContext);
