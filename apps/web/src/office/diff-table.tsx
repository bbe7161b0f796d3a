import type { BulkReport } from '@tarifario/client';
import { wireText } from '../offers/offer-fields.tsx';
import { Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';
import { valueText } from '../texts/value-text.ts';

type Entry = NonNullable<BulkReport['diff']>[number];

/** What a workbook would change, a line for each field under its offer, in the order of its sheets and rows. */
export function DiffTable({ entries }: { readonly entries: readonly Entry[] }) {
  const translation = useTranslation();
  const { say } = translation;
  return (
    <Table
      name={say('diff')}
      headings={[
        [say('offer')],
        [say('field')],
        [say('before')],
        [say('after')],
        [say('sheet')],
        [say('rowNumber'), 'n'],
      ]}
      kind="diff"
    >
      {entries.map((entry, index) => {
        const { sheet, row, offer_id, offer_name, company_name, field, before, after } = entry;
        const isFirst = index === 0 || offerOf(entries[index - 1]) !== offerOf(entry);
        const rows = entries.slice(index).findIndex((one) => offerOf(one) !== offerOf(entry));
        return (
          <tr key={`${sheet} ${row} ${field}`}>
            {isFirst && (
              <th scope="rowgroup" rowSpan={rows === -1 ? entries.length - index : rows}>
                {offer_name}
                <small>
                  {company_name} · {offer_id === null ? say('newOffer') : `#${offer_id}`}
                </small>
              </th>
            )}
            <td>{wireText(field, translation)}</td>
            <td class="bad">{valueText(before, translation)}</td>
            <td class="good">{valueText(after, translation)}</td>
            <td>{sheet}</td>
            <td class="n">{row}</td>
          </tr>
        );
      })}
    </Table>
  );
}

/** The lines of an offer stand together. A new one has no number yet. */
const offerOf = (entry: Entry | undefined) => entry && (entry.offer_id ?? `${entry.sheet} ${entry.row}`);
