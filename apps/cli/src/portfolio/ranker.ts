import { bodyIn, fromWireCustomer, portfolioAnswer, portfolioRefusal } from '@tarifario/api';
import type { CustomerRecord } from '@tarifario/api/customer-table';
import type { PortfolioCustomer } from '@tarifario/client';
import {
  DomainError,
  type FileOffers,
  offersOfFile,
  portfolioForCaller,
  type RankingQuestion,
  type Rate,
  type RegulatedPrice,
  say,
} from '@tarifario/core/service';
import { CommandError } from '../command.ts';
import type { AskService } from '../service-asked.ts';
import type { CustomerRow } from './customer-file.ts';

/** How cost and commission are weighed for all customers; `null`: as each customer says. */
export interface Trade {
  readonly weight: number | null;
  readonly tolerance: number | null;
}

interface OfAll extends Trade {
  readonly top: number;
  /** The day of the taxes of all customers; `null`: as each customer says. */
  readonly taxDay: string | null;
}

/** Settings for all customers. */
export interface RankerSettings extends OfAll {
  readonly offers: FileOffers;
  /** Whether companies and firms of the offers have ids that a customer can name. */
  readonly hasIds: boolean;
  /** With those of the operator. */
  readonly rates: readonly Rate[];
  readonly regulatedPrices: readonly RegulatedPrice[];
}

/** Ranks rows of customers, each to its record. */
export type RankRows = (rows: readonly CustomerRow[]) => Promise<readonly CustomerRecord[]>;

type Answer<T = CustomerRecord> = T extends unknown ? Omit<T, 'line'> : never;

/** @param read - Of a row; a `DomainError` refuses it. @param rank - Answers what was read, each with its row. */
function rankerOf<T>(read: (row: CustomerRow) => T, rank: (all: readonly Read<T>[]) => Promise<readonly Answer[]>) {
  const ranked: RankRows = async (rows) => {
    const answers = new Map<CustomerRow, Answer>();
    const all = rows.flatMap((row) => {
      try {
        return [{ row, asked: read(row) }];
      } catch (error) {
        answers.set(row, refused(row, error));
        return [];
      }
    });
    const answered = await rank(all);
    for (const [place, { row }] of all.entries()) answers.set(row, answered[place] as Answer);
    return rows.map((row) => ({ line: row.line, ...answers.get(row) }) as CustomerRecord);
  };
  return ranked;
}

interface Read<T> {
  readonly row: CustomerRow;
  readonly asked: T;
}

function refused(row: CustomerRow, error: unknown): Answer {
  if (!(error instanceof DomainError)) throw error;
  return bodyIn(portfolioRefusal.toWire(refOf(row), error));
}

/** Ranks customers over the offers of a file. */
export function createRanker({ offers, hasIds, top, taxDay, rates, regulatedPrices, ...trade }: RankerSettings) {
  const { deps, caller } = offersOfFile(offers);
  const read = (row: CustomerRow) => {
    const customer = fromWireCustomer(tradedOn(trade, taxedOn(taxDay, bodyOf(row))), top);
    if (!hasIds) refuseIds(customer.question);
    return customer;
  };
  return rankerOf(read, async (all) => {
    const portfolio = await portfolioForCaller({ ...deps, rates, regulatedPrices }, caller, { firmId: null });
    const answers = await portfolio.rank(all.map(({ asked }) => asked.question));
    return all.map(({ row, asked }, place): Answer => {
      const answer = answers[place];
      return answer?.ranked ? bodyIn(portfolioAnswer.toWire(asked.ref, answer)) : refused(row, answer?.error);
    });
  });
}

/** Ranks customers over the offers that a key reaches at a server, now or as they were. */
export function createServiceRanker(
  ask: AskService,
  { top, taxDay, asOf, ...trade }: OfAll & { readonly asOf: string | null },
): RankRows {
  const isTraded = trade.weight !== null || trade.tolerance !== null;
  const rank = async (bodies: readonly PortfolioCustomer[]): Promise<readonly Answer[]> => {
    if (bodies.length === 0) return [];
    const half = Math.ceil(bodies.length / 2);
    const answers = await ask((service) =>
      service
        .rankPortfolio({ body: { customers: [...bodies], top, ...(asOf && { as_of: asOf }) } })
        .catch((error: { readonly code?: unknown }) => {
          // A customer is refused by itself, so these are for their number: too many bytes, values or months of a call.
          const isForNumber = error.code === 'too_large' || error.code === 'invalid_request';
          if (isForNumber && bodies.length > 1) return null;
          throw error;
        }),
    );
    if (answers === null) return [...(await rank(bodies.slice(0, half))), ...(await rank(bodies.slice(half)))];
    if (answers.results?.length !== bodies.length)
      throw new CommandError('the server: its answer is not one for each customer');
    // Said of each customer, and meant by an option for all.
    const refusal = answers.results.flatMap((one) => ('error' in one ? [one.error] : []));
    const forAll = refusal.find(({ code }) => code === 'weight_needs_commissions' && isTraded);
    if (forAll) throw new CommandError(`the server: ${forAll.message} (${forAll.code})`);
    return answers.results;
  };
  const read = (row: CustomerRow) => tradedOn(trade, taxedOn(taxDay, bodyOf(row))) as PortfolioCustomer;
  return rankerOf(read, (all) => rank(all.map(({ asked }) => asked)));
}

/** @throws DomainError for a question that names a company or a client by an id, which a spreadsheet does not have. */
export function refuseIds({ firmId, request }: RankingQuestion): void {
  if (firmId === null && request.company.ownCompanyId === null) return;
  throw new DomainError('business_rule', {
    message: 'a spreadsheet has no ids of companies and clients: use company_name',
  });
}

/** The body of a question with a day of taxes. */
export function taxedOn(day: string | null, body: unknown): unknown {
  if (day === null || typeof body !== 'object' || body === null) return body;
  const { impuestos } = body as { readonly impuestos?: unknown };
  return { ...body, impuestos: { ...Object(impuestos), fecha: day } };
}

/**
 * The body of a question with the weight or the tolerance of all customers.
 *
 * @throws DomainError where all customers have a weight or a tolerance and this customer has the other of the two.
 */
export function tradedOn({ weight, tolerance }: Trade, body: unknown): unknown {
  const all = { ...(weight !== null && { w: weight }), ...(tolerance !== null && { tolerancia: tolerance }) };
  if (typeof body !== 'object' || body === null) return body;
  const [path, option] = tolerance !== null ? ['w', '--tolerancia'] : ['tolerancia', '--w'];
  if (Object.keys(all).length > 0 && path in body) {
    const message = say('must not stand together with {option}', { option });
    throw new DomainError('invalid_request', { issues: [{ path, message }] });
  }
  return { ...body, ...all };
}

/** The body of a customer. @throws DomainError that names what is wrong with cells, or the column of a line that is not JSON. */
export function bodyOf({ json, body, faults }: CustomerRow): unknown {
  if (faults.length > 0) throw new DomainError('invalid_request', { issues: faults });
  if (json === null) return body;
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const position = /at position (\d+)/.exec(error.message)?.[1];
    const column = position === undefined ? json.trimEnd().length + 1 : Number(position) + 1;
    throw new DomainError('invalid_request', {
      message: say('the line is not JSON from column {column} on', { column }),
    });
  }
}

/** The reference of a refused customer, if it can be read. */
export function refOf({ json, body }: CustomerRow): string | null {
  try {
    const value: unknown = json === null ? body : JSON.parse(json);
    const ref: unknown = typeof value === 'object' && value !== null && 'ref' in value ? value.ref : null;
    return typeof ref === 'string' && ref.length <= 100 && ref !== '' ? ref : null;
  } catch {
    return null;
  }
}
