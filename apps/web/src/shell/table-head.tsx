import type { ComponentChildren } from 'preact';

/** The heading of a column, the class of a column of numbers, and the order of the rows where it is by this column. */
export type Heading = readonly [
  content: ComponentChildren,
  kind?: 'n' | 'n name' | undefined,
  order?: 'ascending' | 'descending' | undefined,
];

export function TableHead({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <thead>
      <tr>
        {headings.map(([content, kind, order], index) => (
          <th key={index} scope="col" class={kind} aria-sort={order}>
            {content}
          </th>
        ))}
      </tr>
    </thead>
  );
}
