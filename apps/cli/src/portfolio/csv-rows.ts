import { CommandError } from '../command.ts';

export interface CsvRow {
  /** Of the file, where the row begins; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Longest row that is held, in characters. */
const MAX_ROW_LENGTH = 1_000_000;

/**
 * The rows of a CSV as they come, none but the current one in memory. Rows without any text are left out.
 *
 * @param chunks - Its text in pieces; a byte order mark may stand before it.
 * @param name - Of the file, for whoever is told that it cannot be read.
 * @throws CommandError with line and column for a quote that is never closed, text after a closed one, or a row without
 *   end.
 */
export async function* csvRows(
  chunks: AsyncIterable<string>,
  { name, separator }: { readonly name: string; readonly separator: () => string },
): AsyncGenerator<CsvRow> {
  const reader = createRowReader(name, separator);
  for await (const chunk of chunks) yield* reader.take(chunk);
  yield* reader.end();
}

type State = 'start' | 'plain' | 'quoted' | 'closed';

function createRowReader(name: string, separator: () => string) {
  let state: State = 'start';
  let cell = '';
  let cells: string[] = [];
  let length = 0;
  let row = { line: 1 };
  const at = { line: 1, column: 0 };
  let opened = { line: 1, column: 1 };
  const fail = (message: string, place = at): never => {
    throw new CommandError(`${name}: line ${place.line}, column ${place.column}: ${message}`);
  };
  const endCell = () => {
    cells.push(cell);
    cell = '';
    state = 'start';
  };
  const endRow = (): CsvRow | null => {
    endCell();
    const done = { line: row.line, cells };
    cells = [];
    length = 0;
    return done.cells.some((text) => text !== '') ? done : null;
  };
  const takeQuoted = (char: string) => {
    if (char === '"') state = 'closed';
    else cell += char;
  };
  const takePlain = (char: string) => {
    if (char === '"' && state === 'start' && cell === '') {
      state = 'quoted';
      opened = { ...at };
    } else if (char === '"' && state === 'closed') {
      cell += char;
      state = 'quoted';
    } else if (state === 'closed') {
      if (char !== '\r') fail('text after a closing quote');
    } else if (char !== '\r') {
      cell += char;
      state = 'plain';
    }
  };
  function* take(chunk: string): Generator<CsvRow> {
    for (const char of chunk) {
      at.column += 1;
      length += 1;
      if (length > MAX_ROW_LENGTH) fail(`a row of more than ${MAX_ROW_LENGTH} characters`);
      if (state === 'quoted') takeQuoted(char);
      else if (char === separator()) endCell();
      else if (char === '\n') {
        const done = endRow();
        if (done) yield done;
      } else takePlain(char);
      if (char !== '\n') continue;
      at.line += 1;
      at.column = 0;
      if (cells.length === 0 && cell === '' && state === 'start') row = { line: at.line };
    }
  }
  function* end(): Generator<CsvRow> {
    if (state === 'quoted') fail('a quote that is never closed', opened);
    const done = endRow();
    if (done) yield done;
  }
  return { take, end };
}
