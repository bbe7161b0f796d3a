import type { BulkReport } from '@tarifario/client';
import { Scroll } from '../shell/scroll.tsx';
import { type Speech, useSpeech } from '../texts/texts.ts';

type Entry = NonNullable<BulkReport['diff']>[number];

/** What a workbook would change, a line for each field, in the order of its sheets and rows. */
export function DiffTable({ entries }: { readonly entries: readonly Entry[] }) {
  const speech = useSpeech();
  const { say } = speech;
  return (
    <Scroll name={say('diff')}>
      <table class="diff">
        <thead>
          <tr>
            <th scope="col">{say('sheet')}</th>
            <th scope="col" class="n">
              {say('rowNumber')}
            </th>
            <th scope="col">{say('offer')}</th>
            <th scope="col">{say('field')}</th>
            <th scope="col">{say('before')}</th>
            <th scope="col">{say('after')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ sheet, row, offer_id, field, before, after }) => (
            <tr key={`${sheet} ${row} ${field}`}>
              <td>{sheet}</td>
              <td class="n">{row}</td>
              <td>{offer_id === null ? say('newOffer') : `#${offer_id}`}</td>
              <td>
                <code>{field}</code>
              </td>
              <td class="bad">{valueText(before, speech)}</td>
              <td class="good">{valueText(after, speech)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function valueText(value: unknown, speech: Speech): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return speech.say(value ? 'yes' : 'no');
  if (typeof value === 'number') return speech.number(value, 0, 9);
  if (Array.isArray(value)) return value.map((one) => valueText(one, speech)).join(' · ') || '–';
  if (typeof value !== 'object') return String(value);
  // A tier.
  return Object.entries(value)
    .map(([name, part]) => `${name} ${valueText(part, speech)}`)
    .join(', ');
}
