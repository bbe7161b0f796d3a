import type { CustomerRecord } from '@tarifario/api/customer-table';
import { PathName } from '../shell/problem.tsx';
import { useTranslation } from '../texts/texts.ts';

/** How many rows are listed; up to `OPEN` of them are seen at once. */
const MOST = 1000;
const OPEN = 10;

/** The rows of a table that the service refuses, and why. */
export function Refused({ records }: { readonly records: readonly CustomerRecord[] }) {
  const { say } = useTranslation();
  return (
    <details class="problem" open={records.length <= OPEN}>
      <summary>{say('failingRows', { count: records.length })}</summary>
      <ul>
        {records.slice(0, MOST).map((record) => (
          <li key={record.line}>
            {say('line')} {record.line}
            {record.ref !== null && ` (${record.ref})`}:{' '}
            {'error' in record && (record.error.errors ? '' : record.error.message)}
            {'error' in record &&
              record.error.errors?.map((one) => (
                <span key={one.error}>
                  {'path' in one && <PathName path={one.path} />} {one.error}{' '}
                </span>
              ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
