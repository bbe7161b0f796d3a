import { type Message, say } from './messages/message.ts';

/** What stands before the decimals of a number. */
export type DecimalMark = ',' | '.';

/** A text that may be two numbers: its only mark stands before exactly three digits, as in `1.200`. */
export interface OpenNumber {
  readonly mark: DecimalMark;
  /** The number where the mark separates thousands. */
  readonly thousands: number;
  /** The number where it is the decimal mark. */
  readonly decimals: number;
}

/** What a text says by itself. */
export interface NumberText {
  /** The number; `null`: it is none. */
  readonly value: number | OpenNumber | null;
  /** The decimal mark that it shows; `null`: it shows none. */
  readonly mark: DecimalMark | null;
}

const UNIT = /(?<=[\d.,])\s*(kWh|kW|€|EUR|d[ií]as?|days?)$/i;
const OPEN = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;
const PLAIN = /^[+-]?(?:\d+(?:([.,])\d*)?|([.,])\d+)(?:e[+-]?\d+)?$/i;
/** Thousands in groups that no other reading has: by spaces, by a mark that is repeated, or that is before the other one. */
const GROUPED = [
  [/^[+-]?\d{1,3}(?:\s\d{3})+([.,]\d*)?$/, /\s/g, null],
  [/^[+-]?\d{1,3}(?:(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/, /\./g, ','],
  [/^[+-]?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$/, /,/g, '.'],
] as const;

//
/** A number in Spanish or English notation, which may have its unit behind it. */
export function numberIn(text: string): NumberText {
  const bare = text.trim().replace(UNIT, '').replace(/^[−–]/, '-');
  const open = OPEN.exec(bare)?.[1];
  if (open !== undefined) {
    const [mark, decimals] = [open === ',' ? ',' : '.', Number(bare.replace(',', '.'))] as const;
    return { value: { mark, thousands: Math.round(decimals * 1000), decimals }, mark: null };
  }
  const plain = PLAIN.exec(bare);
  if (plain) return { value: finite(bare), mark: markOf(plain[1] ?? plain[2]) };
  for (const [form, separator, mark] of GROUPED) {
    const grouped = form.exec(bare);
    if (grouped) return { value: finite(bare.replaceAll(separator, '')), mark: mark ?? markOf(grouped[1]?.[0]) };
  }
  return { value: null, mark: null };
}

const markOf = (sign: string | undefined): DecimalMark | null => (sign === ',' || sign === '.' ? sign : null);

/** Adding 0 turns -0 into 0. */
function finite(text: string): number | null {
  const number = Number(text.replace(',', '.')) + 0;
  return Number.isFinite(number) ? number : null;
}

/** What the texts of a file say of its decimal mark, one after the other. */
export interface DecimalMarks {
  /** What a text of a column says by itself. */
  read(column: number, text: string): NumberText['value'];
  /** The decimal mark of a column, of the file where the column shows none; `null`: they show both or none. */
  of(column: number): DecimalMark | null;
  /** Cells are separated by commas: where nothing shows that it is not, the point is the decimal mark. */
  separatedByCommas(): void;
  /**
   * The number that an open one of a column means, by what all texts have shown; `null`: it stays open. In a file that shows
   * nothing a comma is the decimal mark, as it is in Spanish, unless commas separate cells or such a point stands beside it; a
   * point may be either.
   *
   * @param most - What the column has at most: more is not meant; `null`: any number.
   */
  meant(column: number, open: OpenNumber, most: number | null): number | null;
}

/** Marks of a file of which nothing was read yet. */
export function createMarks(): DecimalMarks {
  let usual: DecimalMark | null = null;
  let hasOpenPoint = false;
  const [padded, whole] = [new Set<number>(), new Set<number>()];
  const columns = new Map<number, Set<DecimalMark>>();
  const only = (marks: ReadonlySet<DecimalMark>) => (marks.size === 1 ? ([...marks][0] ?? null) : null);
  const of = (column: number) => {
    const shown = columns.get(column);
    if (shown) return only(shown);
    return columns.size === 0 ? usual : only(new Set([...columns.values()].flatMap((marks) => [...marks])));
  };
  return {
    of,
    separatedByCommas() {
      usual = '.';
    },
    meant(column, { mark, thousands, decimals }, most) {
      const decimal = of(column);
      // No program writes 1.200 with decimals, and 900 without.
      const isShown = columns.size > 0 || (mark === usual && !(padded.has(column) && whole.has(column)));
      if (decimal !== null && isShown) return decimal === mark ? decimals : thousands;
      if (mark === ',' && columns.size === 0 && usual === null && !hasOpenPoint) return decimals;
      return most !== null && Math.abs(thousands) > most ? decimals : null;
    },
    read(column, text) {
      const { value, mark } = numberIn(text);
      if (typeof value === 'object') {
        hasOpenPoint ||= value?.mark === '.';
        if (value !== null && value.thousands % 10 === 0) padded.add(column);
      } else if (mark === null && value !== 0) whole.add(column);
      if (mark !== null) columns.set(column, (columns.get(column) ?? new Set()).add(mark));
      return value;
    },
  };
}

/** What is said of a number that stays open, with both readings. */
export function openFault({ mark, thousands, decimals }: OpenNumber): Message {
  const text = decimals.toFixed(3);
  const [whole = '', fraction = ''] = text.split('.');
  return say('{text} is {thousands} or {whole}.{fraction}: write it without a separator of thousands', {
    text: text.replace('.', mark),
    thousands,
    whole,
    fraction: fraction.replace(/0{1,2}$/, ''),
  });
}
