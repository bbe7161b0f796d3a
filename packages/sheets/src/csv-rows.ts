import { CsvError, type SheetCell, type SheetRow, say } from '@tarifario/core/service';
import Papa from 'papaparse';
import { type Separator, separatedText, showsSeparator } from './csv-text.ts';

/** Its number is the line of the file where it begins. */
export interface CsvRow extends SheetRow {
  /** Whether commas stand between the cells of the file. */
  readonly hasCommas: boolean;
}

/** Longest row that is held in memory, in characters. */
const MAX_ROW_LENGTH = 1_000_000;

/**
 * The rows of a CSV while it is read; only those of the current piece are in memory. Rows without any text are left
 * out.
 *
 * @param pieces - Its text without a byte order mark.
 * @throws CsvError for a quote that is never closed, text after a closed one, or a row without end.
 */
export async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let separator: Separator | null = null;
  let rest: Passage = { text: '', line: 1 };
  const begin = (): Separator => {
    const begun = separatedText(rest.text);
    rest = { ...rest, text: begun.text };
    return begun.separator;
  };
  for await (const piece of pieces) {
    rest = { ...rest, text: rest.text + piece };
    if (separator === null && !showsSeparator(rest.text)) continue;
    separator ??= begin();
    rest = yield* rowsIn(rest, { separator, isWhole: false });
    if (rest.text.length <= MAX_ROW_LENGTH) continue;
    // A wrong quote may be the reason why it has no end.
    yield* rowsIn(rest, { separator, isWhole: true });
    const fault = say('a row of more than {count} characters', { count: MAX_ROW_LENGTH });
    throw new CsvError({ line: rest.line, column: MAX_ROW_LENGTH }, fault);
  }
  separator ??= begin();
  yield* rowsIn(rest, { separator, isWhole: true });
}

interface Passage {
  readonly text: string;
  /** Of the file, where it begins. */
  readonly line: number;
}

/** @returns The rest of the text: the last row may continue in the next piece, unless the text is complete. */
function* rowsIn(
  { text, line }: Passage,
  { separator, isWhole }: { readonly separator: Separator; readonly isWhole: boolean },
): Generator<CsvRow, Passage> {
  const parsed: Papa.ParseStepResult<string[]>[] = [];
  Papa.parse<string[]>(text, {
    delimiter: separator,
    newline: '\n',
    step: (row) => void parsed.push(row),
  });
  if (!isWhole) parsed.pop();
  let start = 0;
  let at = line;
  for (const { data, errors, meta } of parsed) {
    const [error] = errors;
    if (error) throw errorAt({ text, line }, error);
    const texts = data.with(-1, (data.at(-1) ?? '').replace(/\r$/, ''));
    const cells = texts.flatMap((cell, column): SheetCell[] =>
      cell === '' ? [] : [{ column, value: { kind: 'text', text: cell } }],
    );
    if (cells.length > 0) yield { row: at, cells, hasCommas: separator === ',' };
    at += text.slice(start, meta.cursor).split('\n').length - 1;
    start = meta.cursor;
  }
  return { text: text.slice(start), line: at };
}

/** @param error - `index`: where the text of the cell begins, after its quote. */
function errorAt({ text, line }: Passage, { code, index = 0 }: Papa.ParseError): CsvError {
  const closed = /(?:[^"]|"")*"/y;
  closed.lastIndex = index;
  const isOpen = code === 'MissingQuotes' || !closed.test(text);
  const before = text.slice(0, isOpen ? index - 1 : closed.lastIndex).split('\n');
  const place = { line: line + before.length - 1, column: (before.at(-1) ?? '').length + 1 };
  return new CsvError(place, isOpen ? 'a quote that is never closed' : 'text after a closing quote');
}
