import { bodyIn, fromWireCustomer, type OfferFile, portfolioAnswer, portfolioRefusal } from '@tarifario/api';
import type { CustomerRecord } from '@tarifario/api/customer-table';
import {
  billedRequest,
  compileUniverse,
  contractOf,
  DomainError,
  matchesCompany,
  type RankingQuestion,
  type RankingRequest,
  type Rate,
  rankPortfolio,
  type SupplyType,
  say,
  type UniversePart,
  weightFor,
} from '@tarifario/core/service';
import type { CustomerRow } from './customer-file.ts';

/** How cost and commission are weighed for all customers; `null`: as each customer says. */
export interface Trade {
  readonly weight: number | null;
  readonly tolerance: number | null;
}

/** Settings for all customers. */
export interface RankerSettings extends Trade {
  readonly offers: OfferFile;
  /** Whether companies and firms of the offers have ids that a customer can name. */
  readonly hasIds: boolean;
  readonly top: number;
  /** The day of the taxes of all customers; `null`: as each customer says. */
  readonly taxDay: string | null;
  /** With those of the operator. */
  readonly rates: readonly Rate[];
}

interface ParsedCustomer {
  readonly index: number;
  readonly ref: string;
  readonly question: RankingQuestion;
  readonly request: RankingRequest;
}

/** Ranks customers over the offers of a file, in groups. */
export function createRanker({ offers: file, hasIds, weight, tolerance: ofAll, top, taxDay, rates }: RankerSettings) {
  const { offers, companies, seesCommissions } = file;
  const partsOf = partsIn(file);
  const ask = (row: CustomerRow, index: number): ParsedCustomer => {
    const { ref, question } = fromWireCustomer(taxedOn(taxDay, bodyOf(row)), top);
    const request = contractIn({ offers, hasIds }, question);
    if (!hasIds) refuseIds(question);
    refuseTwoTrades({ weight, tolerance: ofAll }, request);
    const tolerance = ofAll ?? request.tolerance ?? null;
    const own = weightFor({ weight: weight ?? request.weight, tolerance }, seesCommissions);
    const ranked = { ...request, tolerance, weight: own, seesCommissions };
    return { index, ref, question, request: billedRequest({ rates }, question, ranked) };
  };

  return (rows: readonly CustomerRow[]): readonly CustomerRecord[] => {
    const records: CustomerRecord[] = [];
    const questions = rows.flatMap((row, index) => {
      try {
        return [ask(row, index)];
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        records[index] = { line: row.line, ...bodyIn(portfolioRefusal.toWire(refOf(row), error)) };
        return [];
      }
    });
    const groups = Map.groupBy(questions, ({ question: { request, firmId } }) =>
      JSON.stringify([request.customer.supplyType, request.company, firmId]),
    );
    for (const group of groups.values()) {
      const [first] = group;
      if (first === undefined) continue;
      const requests = group.map(({ request }) => request);
      rankPortfolio(partsOf(first.question), requests).forEach((answer, place) => {
        const { index = 0, ref = '' } = group[place] ?? {};
        if (!answer.ranked) throw answer.error;
        records[index] = { line: rows[index]?.line ?? 0, ...portfolioAnswer.toWire(ref, { ...answer, companies }) };
      });
    }
    return records;
  };
}

/** The offers of a file as the part of a market that a question asks about. */
export function partsIn({
  offers,
  companies,
}: Pick<OfferFile, 'offers' | 'companies'>): (question: RankingQuestion) => readonly UniversePart[] {
  const universeOf = (supplyType: SupplyType) =>
    compileUniverse(
      supplyType,
      offers.filter(({ offer }) => offer.supplyType === supplyType).toSorted((a, b) => a.offer.id - b.offer.id),
    );
  const universes = { LUZ: universeOf('LUZ'), GAS: universeOf('GAS') };
  return (question) => {
    const ids = companiesFor(question, companies);
    return [{ universe: universes[question.request.customer.supplyType], admits: (companyId) => ids.has(companyId) }];
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

/** The companies whose offers a question may have: those that it names, of its firm and of no firm. */
export function companiesFor(
  { request, firmId }: RankingQuestion,
  companies: OfferFile['companies'],
): ReadonlySet<number> {
  const admitted = [...companies.values()].filter(
    (company) =>
      matchesCompany(company, request.company) &&
      (firmId === null || company.firmId === null || company.firmId === firmId),
  );
  return new Set(admitted.map(({ id }) => id));
}

/** The request with the offer of the file that is its present contract. @throws DomainError as `contractOf` does. */
export function contractIn(
  { offers, hasIds }: Pick<RankerSettings, 'hasIds'> & Pick<OfferFile, 'offers'>,
  question: RankingQuestion,
): RankingQuestion['request'] {
  return contractOf(
    question,
    question.request,
    (id) => (hasIds && offers.find(({ offer }) => offer.id === id)) || null,
  );
}

/** @throws DomainError where all customers have a weight or a tolerance and this customer has the other of the two. */
export function refuseTwoTrades(
  { weight, tolerance }: Trade,
  customer: { readonly weight: number | null; readonly tolerance?: number | null },
  where = '',
): void {
  const path = tolerance !== null && customer.weight !== null ? 'w' : 'tolerancia';
  if (path === 'tolerancia' && (weight === null || (customer.tolerance ?? null) === null)) return;
  const option = path === 'w' ? '--tolerancia' : '--w';
  const message = say('must not stand together with {option}', { option });
  const refusal = new DomainError('invalid_request', { issues: [{ path, message }] });
  throw where ? Object.assign(refusal, { file: where }) : refusal;
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
