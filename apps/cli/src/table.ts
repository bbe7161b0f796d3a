/** A column of a table for people. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'left' | 'right';
  /** Longer cells are cut, with an ellipsis. */
  readonly maxWidth?: number;
}

/** A table of text: a line of titles, one of dashes, one for each row; columns one space apart. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const cells = columns.map((column) => [column.title, ...rows.map((row) => cut(column.cell(row), column.maxWidth))]);
  const widths = cells.map((column) => Math.max(...column.map(widthOf)));
  const line = (index: number) =>
    columns
      .map(({ align = 'left' }, at) => pad(cells[at]?.[index] ?? '', widths[at] ?? 0, align))
      .join(' ')
      .trimEnd();
  const lines = Array.from({ length: rows.length + 1 }, (_, index) => line(index));
  return lines.toSpliced(1, 0, widths.map((width) => '─'.repeat(width)).join(' '));
}

/** Records of one kind as a table with a column for each field; one record as a line for each field. */
export function formatRecords(json: unknown): string[] {
  if (!Array.isArray(json)) {
    const fields = flatten(json);
    return formatTable([column('field', 0), column('value', 1)], fields);
  }
  if (json.length === 0) return ['(none)'];
  const rows = json.map((record) => new Map(flatten(record)));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const columns = names.map(
    (name): Column<Map<string, string>> => ({ title: name, cell: (row) => row.get(name) ?? '' }),
  );
  return formatTable(columns, rows);
}

function column(title: string, at: 0 | 1): Column<[string, string]> {
  return { title, cell: (row) => row[at] };
}

/** The fields of a record as texts, those inside another record with both names. */
function flatten(record: unknown, prefix = ''): [string, string][] {
  if (record === null || typeof record !== 'object')
    return [[prefix || 'value', record === null ? '-' : String(record)]];
  if (Array.isArray(record)) return [[prefix, record.map(textOf).join(', ') || '-']];
  return Object.entries(record).flatMap(([name, value]) => flatten(value, prefix === '' ? name : `${prefix}.${name}`));
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function cut(text: string, maxWidth = Number.POSITIVE_INFINITY): string {
  return widthOf(text) <= maxWidth ? text : `${[...text].slice(0, maxWidth - 1).join('')}…`;
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(width - widthOf(text));
  return align === 'left' ? text + space : space + text;
}

/** Characters, not UTF-16 units: names are stored composed, so that is what they take on the screen. */
function widthOf(text: string): number {
  return [...text].length;
}
