import { bodyIn, fromWireCustomer, portfolioAnswer, portfolioRefusal } from '@tarifario/api';
import type { CustomerRecord } from '@tarifario/api/customer-table';
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
import type { CustomerRow } from './customer-file.ts';

/** How cost and commission are weighed for all customers; `null`: as each customer says. */
export interface Trade {
  readonly weight: number | null;
  readonly tolerance: number | null;
}

/** Settings for all customers. */
export interface RankerSettings extends Trade {
  readonly offers: FileOffers;
  /** Whether companies and firms of the offers have ids that a customer can name. */
  readonly hasIds: boolean;
  readonly top: number;
  /** The day of the taxes of all customers; `null`: as each customer says. */
  readonly taxDay: string | null;
  /** With those of the operator. */
  readonly rates: readonly Rate[];
  readonly regulatedPrices: readonly RegulatedPrice[];
}

/** Ranks customers over the offers of a file. */
export function createRanker({ offers, hasIds, top, taxDay, rates, regulatedPrices, ...ofAll }: RankerSettings) {
  const { deps, caller } = offersOfFile(offers);
  const ask = (row: CustomerRow) => {
    const { ref, question } = fromWireCustomer(taxedOn(taxDay, bodyOf(row)), top);
    if (!hasIds) refuseIds(question);
    return { row, ref, question: tradedOn(ofAll, question) };
  };
  const refused = (row: CustomerRow, error: unknown): CustomerRecord => {
    if (!(error instanceof DomainError)) throw error;
    return { line: row.line, ...bodyIn(portfolioRefusal.toWire(refOf(row), error)) };
  };

  return async (rows: readonly CustomerRow[]): Promise<readonly CustomerRecord[]> => {
    const records = new Map<CustomerRow, CustomerRecord>();
    const customers = rows.flatMap((row) => {
      try {
        return [ask(row)];
      } catch (error) {
        records.set(row, refused(row, error));
        return [];
      }
    });
    const portfolio = await portfolioForCaller({ ...deps, rates, regulatedPrices }, caller, { firmId: null });
    const answers = await portfolio.rank(customers.map(({ question }) => question));
    for (const [place, { row, ref }] of customers.entries()) {
      const answer = answers[place];
      const record = answer?.ranked
        ? { line: row.line, ...portfolioAnswer.toWire(ref, answer) }
        : refused(row, answer?.error);
      records.set(row, record);
    }
    return rows.flatMap((row) => records.get(row) ?? []);
  };
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
 * A question with the weight or the tolerance of all customers.
 *
 * @throws DomainError where all customers have a weight or a tolerance and this customer has the other of the two.
 */
export function tradedOn({ weight, tolerance }: Trade, question: RankingQuestion): RankingQuestion {
  const { request } = question;
  const own = request.tolerance ?? null;
  const isTwice = tolerance !== null ? request.weight !== null : weight !== null && own !== null;
  if (isTwice) {
    const [path, option] = tolerance !== null ? ['w', '--tolerancia'] : ['tolerancia', '--w'];
    const message = say('must not stand together with {option}', { option });
    throw new DomainError('invalid_request', { issues: [{ path, message }] });
  }
  return { ...question, request: { ...request, weight: weight ?? request.weight, tolerance: tolerance ?? own } };
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
