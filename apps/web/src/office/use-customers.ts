import type { CustomerRecord } from '@tarifario/api/customer-table';
import type { Portfolio, PortfolioCustomer } from '@tarifario/client';
import { FILE_CAPS } from '@tarifario/core';
import { useRef, useState } from 'preact/hooks';
import { today } from '../customer/day.ts';
import { unitFault } from '../customer/number-fault.ts';
import { keepRates, type OpenRate } from '../customer/rates.ts';
import { keepChosen, keptChosen } from '../shell/kept.ts';
import { reachServer } from '../shell/lazy-room.tsx';
import type { Session } from '../shell/session.ts';
import { type Translation, useTranslation } from '../texts/texts.ts';
import type { SayColumns } from './column-step.tsx';
import type { ColumnChoices, Customer, ReadTable, UnreadTable } from './customer-files.ts';
import { ratesIn, withBills } from './portfolio-bills.ts';
import { tooLarge } from './use-workbook.ts';

/** The most customers and different months of one piece. A piece costs one point, or one for each month. */
const PIECE = { customers: 100, months: 20 };

/** What is asked for everybody. */
interface Terms {
  /** How much savings weigh where a row does not say it; `null`: as the service does. */
  readonly weight: number | null;
  /** The day of the bills of rows that have none; `null`: no bills. */
  readonly taxDay: string | null;
}

interface Work extends Terms {
  readonly file: File | null;
  /** What the file has, or why it cannot be read. */
  readonly read: ReadTable | UnreadTable | null;
  /** The answers so far: those of the first customers, in the order of the file. */
  readonly records: readonly CustomerRecord[];
  /** The rates of these bills that the law leaves open; where one is not chosen, nothing is ranked. */
  readonly rates: readonly OpenRate[];
  readonly isBusy: boolean;
  readonly error: unknown;
}

const NOTHING: Work = {
  ...{ file: null, read: null, records: [], weight: null, taxDay: null, rates: [] },
  ...{ isBusy: false, error: null },
};

/** The customers of a file, if it could be read. */
export const customersIn = ({ read }: Pick<Work, 'read'>): readonly Customer[] =>
  read && 'customers' in read ? read.customers : [];

/** Under which the browser keeps what was said of headers, and of how many. */
const COLUMNS = 'columns';
const MOST_SHAPES = 20;

/** It has a bill of today, but does not say of which day. */
const hasBill = ({ body }: Customer) =>
  !('impuestos' in body) && Object.keys(body.contrato_actual ?? {}).includes('factura_total');

type Ranked = Pick<Work, 'read' | 'records' | 'weight' | 'taxDay' | 'rates'>;

/** One run of the work; once another run begins, it changes nothing. */
interface Turn {
  readonly change: (changes: Partial<Work>) => void;
  readonly signal: AbortSignal;
}

/** A table of customers, ranked piece by piece. After a failure or a stop it continues where it was. */
export function useCustomers(session: Session | null) {
  const [work, setWork] = useState<Work>(NOTHING);
  const running = useRef(new AbortController());
  const translation = useTranslation();

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

  const account = session?.accountId ?? 0;
  const choices = () => (keptChosen(account, COLUMNS) ?? {}) as ColumnChoices;
  const rank = (ranked: Ranked, turn: Turn) => rankPieces(ranked, turn, { session, translation });
  const choose = (file: File) => {
    const { weight, taxDay: day } = work;
    return run({ ...NOTHING, weight, taxDay: day, file }, async (turn) => {
      if (file.size > FILE_CAPS.sentBytes) throw tooLarge();
      await reachServer();
      const [bytes, { readCustomers }] = await Promise.all([file.arrayBuffer(), import('./customer-files.ts')]);
      const read = await readCustomers(new Uint8Array(bytes), choices(), turn.signal);
      // What is paid today with taxes is compared with taxes.
      const taxDay = day ?? (customersIn({ read }).some(hasBill) ? today() : null);
      turn.change({ read, taxDay });
      await rank({ ...NOTHING, weight, taxDay, read }, turn);
    });
  };
  /** Keeps what the columns of a header are, and reads the file again. */
  const sayColumns: SayColumns = (shape, choice) => {
    const { [shape]: _before, ...others } = choices();
    const kept = Object.entries(others).slice(1 - MOST_SHAPES);
    keepChosen(account, COLUMNS, Object.fromEntries([...kept, ...(choice ? [[shape, choice] as const] : [])]));
    if (work.file) void choose(work.file);
  };

  const stop = () => {
    running.current.abort();
    setWork((now) => ({ ...now, isBusy: false }));
  };
  const goOn = () => void run({}, (turn) => rank(work, turn));
  /** Ranks all of them again where they were ranked. */
  const ask = (terms: Partial<Terms>) => {
    if (customersIn(work).length === 0) return setWork((now) => ({ ...now, ...terms }));
    const again = { ...terms, records: [], rates: [] };
    return void run(again, (turn) => rank({ ...work, ...again }, turn));
  };
  const chooseRates = (rates: readonly OpenRate[]) => {
    keepRates(account, rates, work.taxDay ?? '');
    ask({});
  };
  return { work, choose, sayColumns, stop, goOn, ask, chooseRates };
}

/** Ranks the customers that have no answer yet, piece by piece, until all have one or a rate has to be chosen. */
async function rankPieces(
  { read, records: before, weight, taxDay, rates: known }: Ranked,
  { change, signal }: Turn,
  { session, translation }: { readonly session: Session | null; readonly translation: Translation },
): Promise<void> {
  const customers = customersIn({ read });
  let records = before;
  let rates = known;
  while (session && records.length < customers.length && !signal.aborted) {
    const piece = pieceFrom(customers, records.length);
    const refused = piece.map((customer) => refusedRow(customer, translation));
    const sound = piece.filter((_, at) => !refused[at]);
    const { customers: asked, rates: open } = await withBills(session, sound, taxDay);
    rates = ratesIn([...rates, ...open]);
    change({ rates });
    if (open.some(({ chosen }) => chosen === null)) return;
    const body = { customers: sentCustomers(asked, weight), top: 1 };
    const { results } = asked.length > 0 ? await session.api.rankPortfolio({ body }, { signal }) : { results: [] };
    const answers = results.map((one, at) => named(one, asked[at]));
    records = [...records, ...refused.flatMap((record) => record ?? answers.shift() ?? [])];
    change({ records });
  }
}

const isName = (ref: unknown): ref is string => typeof ref === 'string' && ref !== '';

/** An answer with the line and the name of its customer. */
function named(one: Portfolio['results'][number], customer: Customer | undefined): CustomerRecord {
  const ref = customer?.body.ref;
  return { line: customer?.line ?? 0, ...one, ...(isName(ref) && { ref }) };
}

/** Cells that could not be read, and a power that was most likely meant in W, as the form of a study says it. */
function refusedRow({ line, body, faults }: Customer, translation: Translation): CustomerRecord | null {
  const { potencia, tariff_type, ref } = body;
  const powers = Object.entries(tariff_type === '2.0TD' ? (potencia ?? {}) : {});
  const inWatts = powers.flatMap(([name, kw]) => {
    const fault = typeof kw === 'number' ? unitFault('kW', kw) : null;
    return fault ? [{ path: `potencia.${name}`, error: fault(translation) }] : [];
  });
  const unread = faults.map(({ path, error }) => ({ path, error: error[translation.language] }));
  const errors = [...unread, ...inWatts];
  if (errors.length === 0) return null;
  const message = translation.say('checkThese');
  return {
    line,
    ref: isName(ref) ? ref : null,
    error: { code: faults.length > 0 ? 'invalid_request' : 'business_rule', message, errors },
  };
}

/** A row that says its own preference keeps it. */
export function weighed(body: Customer['body'], weight: number | null): Customer['body'] {
  return weight === null || 'w' in body || 'tolerancia' in body ? body : { ...body, w: weight };
}

/**
 * Customers as they are sent. A row that is wrong is sent too: the service says what is wrong with it. Names stay in the
 * page: the service gets the line of the file.
 */
export function sentCustomers(piece: readonly Customer[], weight: number | null): PortfolioCustomer[] {
  const sent = piece.map(({ line, body }) => ({
    ...weighed(body, weight),
    ...(isName(body.ref) && { ref: `${line}` }),
  }));
  return sent as unknown as PortfolioCustomer[];
}

export function pieceFrom(customers: readonly Customer[], from: number): readonly Customer[] {
  const months = new Set<unknown>();
  const end = customers.findIndex(({ body }, at) => {
    if (at < from) return false;
    months.add(body.mes);
    return at >= from + PIECE.customers || months.size > PIECE.months;
  });
  return customers.slice(from, end === -1 ? undefined : end);
}

export type Answered = Exclude<CustomerRecord, { readonly error: object }>;

/** What a customer pays today and with the best offer, of bills where they are known. */
export function paidOf({ best: [offer], actual }: Answered) {
  const saving = offer?.ahorro ?? null;
  const billEur = offer?.factura_estimada?.total ?? null;
  const hasBill = billEur !== null;
  const savedEur = (hasBill ? saving?.factura : saving?.eur) ?? null;
  const percent = (hasBill ? saving?.factura_porcentaje : saving?.porcentaje) ?? null;
  // The bill of today is what is saved on the bill, and the bill itself.
  const todayEur = hasBill ? (savedEur === null ? null : billEur + savedEur) : (actual?.cost?.total ?? null);
  return { hasBill, savedEur, percent, todayEur, totalEur: billEur ?? offer?.cost.total ?? null };
}

/** The saving of the best offer; `null`: unknown. */
export const savingOf = (record: CustomerRecord): number | null => ('error' in record ? null : paidOf(record).savedEur);

/** The greatest saving first, then customers without one, then refused ones; equal ones in the order of the file. */
export function inOrder(records: readonly CustomerRecord[]): readonly CustomerRecord[] {
  const worth = (record: CustomerRecord) =>
    'error' in record ? Number.NEGATIVE_INFINITY : (savingOf(record) ?? -Number.MAX_VALUE);
  return records.toSorted((a, b) => worth(b) - worth(a) || a.line - b.line);
}
