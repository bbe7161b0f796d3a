import {
  annualQuantities,
  billedRequest,
  compileUniverse,
  DEFAULT_WEIGHT,
  DomainError,
  expectedCommission,
  matchesCompany,
  rankUniverses,
} from '@tarifario/core/service';
import { BLIND_SCOPES, buildVectorWorld, readVectors, toOfferFile, type Vector } from '@tarifario/testkit/api/vectors';
import { createWorld } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../../test-fixtures/vectors/oracle/differences.mjs';
import { answerTo, fromWireEfficient, fromWireOffers, toWireRanking } from '../src/index.ts';
import { commissionCalculation } from '../src/nouns/commissions.ts';

const vectors = readVectors();

it('every vector has a unique name', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(40);
  expect(new Set(vectors.map((vector) => vector.name)).size).toBe(vectors.length);
});

describe('dispatch', () => {
  it.each(vectors)('$file: $name', async ({ given, expect: expected }) => {
    const world = await createWorld();
    await buildVectorWorld({ store: world.store, ask: world.ask }, given.offers);
    const { operation, ...sent } = given.request;
    const isBlind = given.caller === 'no-commissions';
    const key = isBlind ? await world.newKey(world.account.id, { scopes: BLIND_SCOPES }) : world.fullKey;
    const { status, body } = await world.call(operation, { ...sent, key });
    expect(differencesOf(expected, { status, body: JSON.parse(JSON.stringify(body)) })).toEqual([]);
    if (operation === 'rankOffers' && status === 200) {
      const asBytes = await world.call(operation, { ...sent, key, takesJson: true });
      expect(asBytes.body).toBeUndefined();
      expect(new TextDecoder().decode(asBytes.json)).toBe(JSON.stringify(body));
    }
    expect(world.bugs).toEqual([]);
  });
});

/** What needs no account: refusals of access and of records do. */
function isPure({ expect: { status }, given: { request } }: Vector): boolean {
  if (request.operation === 'rankOffers') return status !== 403 && status !== 404;
  return request.operation === 'calculateCommission' && status === 200;
}

function rankInCore({ given: { offers, caller, request } }: Vector): unknown {
  const { offers: entries, companies } = fromWireOffers(toOfferFile(offers));
  const question = fromWireEfficient(request.body);
  const { request: ranking } = question;
  const { supplyType } = ranking.filter;
  const sameSupply = entries.filter(({ offer }) => offer.supplyType === supplyType);
  const admits = (companyId: number) => {
    const company = companies.get(companyId);
    return company !== undefined && matchesCompany(company, ranking.company);
  };
  const seesCommissions = caller === 'full';
  const weight = seesCommissions ? (ranking.weight ?? DEFAULT_WEIGHT) : 1;
  const parts = [{ universe: compileUniverse(supplyType, sameSupply), admits }];
  const billed = billedRequest({}, question, { ...ranking, weight, seesCommissions });
  return toWireRanking({ ranking: rankUniverses(parts, billed), companies, seesCommissions });
}

function calculateInCore({ given: { offers, request } }: Vector): unknown {
  const entries = fromWireOffers(toOfferFile(offers)).offers;
  const entry = entries.find(({ offer }) => offer.id === Number(request.params?.id));
  if (!entry) throw new Error('the offer is not among those given');
  const { consumption_mwh, power_kw } = request.query ?? {};
  const quantities = { annualMwh: Number(consumption_mwh), powerKw: power_kw === undefined ? null : Number(power_kw) };
  return commissionCalculation.toWire(
    expectedCommission(entry.offer, annualQuantities(quantities.annualMwh, quantities.powerKw)),
    quantities,
  );
}

function askCore(vector: Vector): { readonly status: number; readonly body: unknown } {
  try {
    const isRanking = vector.given.request.operation === 'rankOffers';
    return { status: 200, body: isRanking ? rankInCore(vector) : calculateInCore(vector) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return answerTo(error);
  }
}

describe('core without a server', () => {
  const pure = vectors.filter(isPure);

  it('covers most vectors', () => {
    expect(pure.length).toBeGreaterThan(0.8 * vectors.length);
  });

  it.each(pure)('$file: $name', (vector) => {
    expect(differencesOf(vector.expect, JSON.parse(JSON.stringify(askCore(vector))))).toEqual([]);
  });
});
