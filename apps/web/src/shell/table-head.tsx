import type { ComponentChildren } from 'preact';

/** The heading of a column, and the class of a column of numbers. */
export type Heading = readonly [content: ComponentChildren, kind?: 'n' | 'n name'];

export function TableHead({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <thead>
      <tr>
        {headings.map(([content, kind], index) => (
          <th key={index} scope="col" class={kind}>
            {content}
          </th>
        ))}
      </tr>
    </thead>
  );
}
