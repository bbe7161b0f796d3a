import type { ComponentChildren } from 'preact';
import { useTranslation } from '../texts/texts.ts';
import { Press } from './form.tsx';

/** A column: its heading, the cell of a row, the class of its cells, and the order of the rows where it is by this column. */
export type Column<Row> = readonly [
  heading: ComponentChildren,
  cell: (row: Row, index: number) => ComponentChildren,
  kind?: 'n' | 'n strong' | 'n name' | undefined,
  order?: 'ascending' | 'descending' | undefined,
];

/** A table, which scrolls by itself where it is wider than the screen, also by keyboard. */
export function Table<Row>({
  name,
  caption,
  kind,
  columns,
  rows,
  rowOf = (_, index) => ({ key: index }),
  isNamed = true,
  spanOf = () => 1,
}: {
  readonly name: string;
  readonly caption?: string;
  readonly kind?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** What tells a row from others, in the document too. */
  readonly rowOf?: (row: Row, index: number) => { readonly key: string | number };
  /** The first column names its row. */
  readonly isNamed?: boolean;
  /** How many rows the name of a row is that of; 0: it stands in an earlier one. */
  readonly spanOf?: (index: number) => number;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard (WCAG 2.1.1)
    <section class="scroll" tabIndex={0} aria-label={name}>
      <table class={kind}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(([heading, , kind, order], at) => (
              <th key={at} scope="col" class={kind} aria-sort={order}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const { key, ...own } = rowOf(row, index);
            return (
              <tr key={key} {...own}>
                {columns.map(([, cell, kind], at) => {
                  if (at > 0 || !isNamed) {
                    return (
                      <td key={at} class={kind}>
                        {cell(row, index)}
                      </td>
                    );
                  }
                  const rowSpan = spanOf(index);
                  if (rowSpan === 0) return null;
                  return (
                    <th key={at} scope={rowSpan > 1 ? 'rowgroup' : 'row'} rowSpan={rowSpan} class={kind}>
                      {cell(row, index)}
                    </th>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** The button that takes a row away. */
export function Removal({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  const { say } = useTranslation();
  return (
    <button type="button" class="plain" aria-label={`${say('remove')} ${name}`} onClick={onRemove}>
      ×
    </button>
  );
}

/** Shows more of a list, a page each time; nothing once all of it is shown. */
export function ShowMore({
  shown,
  total,
  page,
  onMore,
}: {
  readonly shown: number;
  readonly total: number;
  readonly page: number;
  readonly onMore: () => void;
}) {
  if (shown >= total) return null;
  return <Press text="showMore" values={{ count: Math.min(page, total - shown) }} onPress={onMore} />;
}
