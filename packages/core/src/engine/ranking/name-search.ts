import { namesIn, type Table } from '../cost/table.ts';
import { searchForm } from '../text.ts';

/** Words that the name of an offer or of its company contains. */
export interface NameSearch {
  /** As `searchForm` makes them. */
  readonly words: readonly string[];
  /** In the same form. */
  readonly companyNameOf: (companyId: number) => string;
}

/**
 * A search for the words of a text.
 *
 * @see docs/assumptions.md, A-130
 */
export function nameSearch(text: string, companies: ReadonlyMap<number, { readonly name: string }>): NameSearch {
  // Each name is made once.
  const made = new Map<number, string>();
  const companyNameOf = (id: number) => {
    const name = made.get(id) ?? searchForm(companies.get(id)?.name ?? '');
    made.set(id, name);
    return name;
  };
  return { words: searchForm(text).split(' '), companyNameOf };
}

/** Whether the offer of a row is found. */
export function foundIn(table: Table, { words, companyNameOf }: NameSearch): (row: number) => boolean {
  const names = namesIn(table);
  // The words that are not in the name of the company have to be in that of the offer.
  const others = table.companyIds.map((id) => words.filter((word) => !companyNameOf(id).includes(word)));
  return (row) => others[table.companySlots[row] ?? 0]?.every((word) => names[row]?.includes(word)) ?? false;
}
