import type { PortfolioAnswer, PortfolioCustomer, PortfolioRefusal } from '@tarifario/client';
import { useRef, useState } from 'preact/hooks';
import type { Session } from '../shell/session.ts';
import type { Customer, TableFault } from './customer-files.ts';
import { MOST_BYTES, tooLarge } from './use-workbook.ts';

export type CustomerRecord = { readonly line: number } & (PortfolioAnswer | PortfolioRefusal);

/** A piece costs one point: so many customers, or so many different months, which cost a point each. */
const PIECE = { customers: 100, months: 20 };

interface Work {
  readonly fileName: string;
  readonly customers: readonly Customer[];
  /** Of the first customers, in the order of the file. */
  readonly records: readonly CustomerRecord[];
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly tableFault: TableFault | undefined;
}

const NOTHING: Work = {
  fileName: '',
  customers: [],
  records: [],
  isBusy: false,
  error: null,
  tableFault: undefined,
};

/** A table of customers, ranked piece by piece. What fails or is stopped goes on where it was. */
export function useCustomers(session: Session | null) {
  const [work, setWork] = useState<Work>(NOTHING);
  const running = useRef(new AbortController());
  const change = (changes: Partial<Work>) => setWork((now) => ({ ...now, ...changes }));

  const rank = async (customers: readonly Customer[], before: readonly CustomerRecord[]) => {
    if (!session) return;
    running.current = new AbortController();
    const { signal } = running.current;
    let records = before;
    change({ isBusy: true, error: null });
    try {
      while (records.length < customers.length) {
        const piece = pieceFrom(customers, records.length);
        // A row that is wrong is sent too: the service says what is wrong with it.
        const body = { customers: piece.map((one) => one.body as PortfolioCustomer), top: 1 };
        const { results } = await session.api.rankPortfolio({ body }, { signal });
        records = [...records, ...results.map((one, at) => ({ line: piece[at]?.line ?? 0, ...one }))];
        if (!signal.aborted) change({ records });
      }
    } catch (error) {
      if (!signal.aborted) change({ error });
    } finally {
      if (running.current.signal === signal) change({ isBusy: false });
    }
  };

  const choose = async (file: File) => {
    running.current.abort();
    change({ ...NOTHING, fileName: file.name, isBusy: true });
    try {
      if (file.size > MOST_BYTES) throw tooLarge();
      const [bytes, { readCustomers }] = await Promise.all([file.arrayBuffer(), import('./customer-files.ts')]);
      const read = await readCustomers(bytes);
      if ('tableFault' in read) return change({ tableFault: read.tableFault, isBusy: false });
      change({ customers: read.customers });
      await rank(read.customers, []);
    } catch (error) {
      change({ error });
    }
    change({ isBusy: false });
  };

  const stop = () => {
    running.current.abort();
    change({ isBusy: false });
  };
  return { work, choose, stop, goOn: () => void rank(work.customers, work.records) };
}

function pieceFrom(customers: readonly Customer[], from: number): readonly Customer[] {
  const months = new Set<unknown>();
  const end = customers.findIndex(({ body }, at) => {
    if (at < from) return false;
    months.add(body.mes);
    return at >= from + PIECE.customers || months.size > PIECE.months;
  });
  return customers.slice(from, end === -1 ? undefined : end);
}

/** What the best offer saves; `null`: nobody knows. */
export function savingOf(record: CustomerRecord): number | null {
  return 'error' in record ? null : (record.best[0]?.ahorro?.eur ?? null);
}

/** The greatest saving first, then those without any, then those that were refused; else as in the file. */
export function inOrder(records: readonly CustomerRecord[]): readonly CustomerRecord[] {
  const worth = (record: CustomerRecord) =>
    'error' in record ? Number.NEGATIVE_INFINITY : (savingOf(record) ?? -Number.MAX_VALUE);
  return records.toSorted((a, b) => worth(b) - worth(a) || a.line - b.line);
}
