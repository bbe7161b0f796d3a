import type { PortfolioAnswer, PortfolioCustomer, PortfolioRefusal } from '@tarifario/client';
import { useRef, useState } from 'preact/hooks';
import type { Session } from '../shell/session.ts';
import type { Customer, TableFault } from './customer-files.ts';
import { MOST_BYTES, tooLarge } from './use-workbook.ts';

export type CustomerRecord = { readonly line: number } & (PortfolioAnswer | PortfolioRefusal);

/** The most customers and different months of one piece. A piece costs one point, or one for each month. */
const PIECE = { customers: 100, months: 20 };

interface Work {
  readonly fileName: string;
  readonly customers: readonly Customer[];
  /** The answers so far: those of the first customers, in the order of the file. */
  readonly records: readonly CustomerRecord[];
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly tableFault: TableFault | null;
}

const NOTHING: Work = {
  fileName: '',
  customers: [],
  records: [],
  isBusy: false,
  error: null,
  tableFault: null,
};

/** One run of the work; once another run begins, it changes nothing. */
interface Turn {
  readonly change: (changes: Partial<Work>) => void;
  readonly signal: AbortSignal;
}

/** A table of customers, ranked piece by piece. After a failure or a stop it continues where it was. */
export function useCustomers(session: Session | null) {
  const [work, setWork] = useState<Work>(NOTHING);
  const running = useRef(new AbortController());

  /** An earlier run has no effect any more. */
  const run = async (start: Partial<Work>, act: (turn: Turn) => Promise<void>) => {
    running.current.abort();
    const control = new AbortController();
    running.current = control;
    const { signal } = control;
    const change: Turn['change'] = (changes) => !signal.aborted && setWork((now) => ({ ...now, ...changes }));
    change({ ...start, isBusy: true, error: null });
    await act({ change, signal }).catch((error: unknown) => change({ error }));
    change({ isBusy: false });
  };

  const rank = async (
    { customers, records: before }: Pick<Work, 'customers' | 'records'>,
    { change, signal }: Turn,
  ): Promise<void> => {
    let records = before;
    while (session && records.length < customers.length && !signal.aborted) {
      const piece = pieceFrom(customers, records.length);
      // A row that is wrong is sent too: the service says what is wrong with it.
      const body = { customers: piece.map((one) => one.body as PortfolioCustomer), top: 1 };
      const { results } = await session.api.rankPortfolio({ body }, { signal });
      records = [...records, ...results.map((one, at) => ({ line: piece[at]?.line ?? 0, ...one }))];
      change({ records });
    }
  };

  const choose = (file: File) =>
    run({ ...NOTHING, fileName: file.name }, async (turn) => {
      if (file.size > MOST_BYTES) throw tooLarge();
      const [bytes, { readCustomers }] = await Promise.all([file.arrayBuffer(), import('./customer-files.ts')]);
      const read = await readCustomers(bytes);
      turn.change(read);
      if ('customers' in read) await rank({ ...NOTHING, ...read }, turn);
    });

  const stop = () => {
    running.current.abort();
    setWork((now) => ({ ...now, isBusy: false }));
  };
  return { work, choose, stop, goOn: () => void run({}, (turn) => rank(work, turn)) };
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

/** The saving of the best offer; `null`: unknown. */
export function savingOf(record: CustomerRecord): number | null {
  if ('error' in record) return null;
  const [{ ahorro = null, factura_estimada = undefined } = {}] = record.best;
  return (factura_estimada ? ahorro?.factura : ahorro?.eur) ?? null;
}

/** The greatest saving first, then customers without one, then refused ones; equal ones in the order of the file. */
export function inOrder(records: readonly CustomerRecord[]): readonly CustomerRecord[] {
  const worth = (record: CustomerRecord) =>
    'error' in record ? Number.NEGATIVE_INFINITY : (savingOf(record) ?? -Number.MAX_VALUE);
  return records.toSorted((a, b) => worth(b) - worth(a) || a.line - b.line);
}
