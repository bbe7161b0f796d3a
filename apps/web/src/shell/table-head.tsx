/** The heading of a column, and the class of a column of numbers. */
export type Heading = readonly [text: string, kind?: 'n'];

export function TableHead({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <thead>
      <tr>
        {headings.map(([text, kind]) => (
          <th key={text} scope="col" class={kind}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
  );
}
