import { type Day, dayIn, dayOf, monthFor, monthIn } from '../engine/calendar.ts';
import type { CellValue } from '../engine/cells.ts';
import { type Message, say } from '../engine/messages/message.ts';
import { type DecimalMarks, type NumberText, numberIn, type OpenNumber, openFault } from '../engine/number-text.ts';
import { COMMUNITIES, type Community } from '../engine/offers/offer.ts';
import { foldName, searchForm } from '../engine/text.ts';
import type { ColumnKind, SheetColumn } from './sheets.ts';

/** The value of a cell, by the kind of its column: a month as its first day, an id as a whole number >= 1. */
export type CellContent = string | number | boolean | readonly Community[];

/**
 * `content: null`: the cell is empty. `open`: a number that the rest of its file decides. `fault`: what is wrong with the
 * cell.
 */
export type CellReading =
  | { readonly content: CellContent | null }
  | { readonly open: OpenNumber }
  | { readonly fault: Message };

/** What a cell is read with. */
export interface CellContext {
  /** Whether the days of the file are counted from 1904. */
  readonly dates1904: boolean;
  /** The place of the column in the file, and what its numbers have shown so far. */
  readonly place: number;
  readonly marks: DecimalMarks;
}

const FAULTS: Readonly<Record<Exclude<ColumnKind, 'choice'>, Message>> = {
  id: 'must be the whole number of an offer',
  text: 'must be text',
  number: 'must be a number, such as 1234,56, without unit or thousands separators',
  boolean: 'must be yes or no: TRUE, FALSE, si, no, 1, 0, x',
  month: 'must be a month: 2026-01, 01/2026 or a date',
  day: 'must be a day: 2026-01-31, 31/01/2026 or a date',
  communities: say('must be communities separated by commas: {communities}', { communities: COMMUNITIES.join(', ') }),
};

/**
 * The value of a cell of any file. Numbers may be text in Spanish or English notation; choices and booleans may have any
 * case; blank text is an empty cell.
 *
 * @see docs/assumptions.md, A-43 and A-104
 */
export function readCell(
  value: CellValue,
  column: Pick<SheetColumn, 'kind' | 'choices' | 'unit'>,
  context: CellContext,
): CellReading {
  if (value.kind === 'formula') return { fault: 'must not be a formula' };
  if (value.kind === 'error') return { fault: 'must not be an error' };
  if (value.kind === 'text' && value.text.trim() === '') return { content: null };
  if (column.kind === 'choice') {
    const choice = value.kind === 'text' ? choiceFor(column.choices, value.text) : null;
    return choice === null
      ? { fault: say('must be one of: {values}', { values: column.choices.join(', ') }) }
      : { content: choice };
  }
  const { dates1904, place, marks } = context;
  const shownAs = value.kind === 'number' ? (value.format ?? null) : null;
  if (shownAs === 'date' && column.kind !== 'month' && column.kind !== 'day') return { fault: IS_DATE };
  if (isPercentage(value) && (column.kind === 'number' || value.kind === 'number')) {
    if (column.unit === null || column.kind !== 'number') return { fault: 'is a percentage, and the column has none' };
    if (column.unit !== '%') return { fault: say('is a percentage, and must be {unit}', { unit: column.unit }) };
    if (value.kind === 'number') return { content: ofPercentage(value.number) };
  }
  if (column.kind !== 'number') {
    const content = contentFor(value, column.kind, dates1904);
    return content === null ? { fault: FAULTS[column.kind] } : { content };
  }
  const number = numberFor(value, (text) => marks.read(place, withoutUnit(text, column.unit)));
  if (number === null) return { fault: FAULTS.number };
  return typeof number === 'number' ? { content: number } : { open: number };
}

const IS_DATE: Message =
  'is a date, which a spreadsheet may make of a number such as 4.6: type it again in a cell of text or numbers';

/** Whether a cell says itself that it is a percentage. */
export function isPercentage(value: CellValue): boolean {
  return value.kind === 'text' ? value.text.trimEnd().endsWith('%') : 'format' in value && value.format === 'percent';
}

/** 0.07 is shown as 7 %: as many digits as a spreadsheet keeps. */
const ofPercentage = (share: number | null) => share && Number((share * 100).toPrecision(15));

/** A text without the unit of its column behind it; EUR may be written as €. */
function withoutUnit(text: string, unit: string | null): string {
  const bare = text.trim().replace('€', 'EUR');
  return unit !== null && bare.toLowerCase().endsWith(unit.toLowerCase()) ? bare.slice(0, -unit.length) : text;
}

/** What an open number is once all of its file was read. */
export function settleNumber(
  open: OpenNumber,
  { max }: Pick<SheetColumn, 'max'>,
  { place, marks }: Pick<CellContext, 'place' | 'marks'>,
): Exclude<CellReading, { readonly open: OpenNumber }> {
  const meant = marks.meant(place, open, max);
  return meant === null ? { fault: openFault(open) } : { content: meant };
}

type Plain = Exclude<CellValue, { readonly kind: 'formula' | 'error' }>;

function contentFor(
  value: Plain,
  kind: Exclude<ColumnKind, 'choice' | 'number'>,
  dates1904: boolean,
): CellContent | null {
  switch (kind) {
    case 'text':
      return textFor(value);
    case 'boolean':
      return booleanFor(value);
    case 'communities':
      return value.kind === 'text' ? communitiesFor(value.text) : null;
    case 'id': {
      const id = numberFor(value, (text) => numberIn(text).value);
      return typeof id === 'number' && Number.isSafeInteger(id) && id >= 1 ? id : null;
    }
    case 'month':
      return (value.kind === 'text' ? monthIn(value.text) : null) ?? monthFor(dayFor(value, dates1904) ?? '');
    case 'day':
      return dayFor(value, dates1904);
  }
}

/** A name such as 100 is stored as a number by the spreadsheet. */
function textFor(value: Plain): string | null {
  if (value.kind === 'text') return value.text;
  return value.kind === 'number' && value.number !== null ? String(value.number) : null;
}

function numberFor(value: Plain, read: (text: string) => NumberText['value']): NumberText['value'] {
  if (value.kind === 'boolean') return null;
  // Adding 0 turns -0 into 0.
  return value.kind === 'text' ? read(value.text) : value.number === null ? null : value.number + 0;
}

const YES = ['true', 'verdadero', 'si', 'sí', '1', 'x'];
const NO = ['false', 'falso', 'no', '0'];

function booleanFor(value: Plain): boolean | null {
  if (value.kind === 'boolean') return value.value;
  const word = value.kind === 'number' ? String(value.number) : foldName(value.text);
  return YES.includes(word) ? true : NO.includes(word) ? false : null;
}

/** Other words for supplies and territories. */
const SAME_WORDS: Readonly<Record<string, string>> = {
  electricidad: 'luz',
  gas_natural: 'gas',
  islas_baleares: 'baleares',
  illes_balears: 'baleares',
  islas_canarias: 'canarias',
  ceuta_y_melilla: 'ceuta_melilla',
  ceuta: 'ceuta_melilla',
  melilla: 'ceuta_melilla',
  particular: 'dni',
  persona_fisica: 'dni',
  empresa: 'cif',
  persona_juridica: 'cif',
  comunidad_de_propietarios: 'cdad',
};

/** The choice that a text names, without case, accents and signs. */
function choiceFor<Choice extends string>(choices: readonly Choice[], text: string): Choice | null {
  const word = searchForm(text).replaceAll(/[^a-z0-9]+/g, '_');
  // Ceuta is a community too.
  const known = [word, SAME_WORDS[word]];
  return choices.find((choice) => known.includes(choice.toLowerCase())) ?? null;
}

function communitiesFor(text: string): readonly Community[] | null {
  const names = text.split(/[,;]/).filter((name) => name.trim() !== '');
  const known = names.flatMap((name) => choiceFor(COMMUNITIES, name) ?? []);
  return known.length === names.length ? known : null;
}

/** A program that counts from 1900 in a time zone that was not whole minutes then writes midnight as seconds before it. */
const MINUTE = 1 / (24 * 60);
/** Days between 1970-01-01 and day 0 of spreadsheets, for dates after the 1900-02-29 that did not exist. */
const DAY_ZERO_1900 = 25_569;
const DAY_ZERO_1904 = 24_107;
/**
 * Days since 1970-01-01 of 1990-01-01 and 2199-12-31, both included. A year or a month typed as a number, such as 2026
 * or 202601, is a day too, and far outside.
 */
const FIRST_DAY = 7305;
const LAST_DAY = 84_005;

function dayFor(value: Plain, dates1904: boolean): Day | null {
  if (value.kind === 'text') return dayIn(value.text);
  if (value.kind !== 'number' || value.number === null) return null;
  const day = Math.floor(value.number + MINUTE) - (dates1904 ? DAY_ZERO_1904 : DAY_ZERO_1900);
  return day < FIRST_DAY || day > LAST_DAY ? null : dayOf(day);
}
