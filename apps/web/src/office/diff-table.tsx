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
  const spanOf = (index: number) => {
    const isOther = (one: Entry | undefined) => offerOf(one) !== offerOf(entries[index]);
    const next = entries.slice(index).findIndex(isOther);
    return !isOther(entries[index - 1]) ? 0 : next === -1 ? entries.length - index : next;
  };
  return (
    <Table
      name={say('diff')}
      kind="diff"
      rows={entries}
      rowOf={({ sheet, row, field }) => ({ key: `${sheet} ${row} ${field}` })}
      spanOf={spanOf}
      columns={[
        [say('offer'), (entry) => <Changed {...entry} />],
        [say('field'), ({ field }) => wireText(field, translation)],
        [say('before'), ({ before }) => <span class="bad">{valueText(before, translation)}</span>],
        [say('after'), ({ after }) => <span class="good">{valueText(after, translation)}</span>],
        [say('sheet'), ({ sheet }) => sheet],
        [say('rowNumber'), ({ row }) => row, 'n'],
      ]}
    />
  );
}

/** An offer, beside its first line. */
function Changed({ offer_id, offer_name, company_name }: Entry) {
  const { say } = useTranslation();
  return (
    <>
      {offer_name}
      <small>
        {company_name} · {offer_id === null ? say('newOffer') : `#${offer_id}`}
      </small>
    </>
  );
}

/** The lines of an offer stand together. A new one has no number yet. */
const offerOf = (entry: Entry | undefined) => entry && (entry.offer_id ?? `${entry.sheet} ${entry.row}`);
