import { DomainError, REFUSAL_CODES, type RefusalCode, say } from '@tarifario/core/service';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../src/index.ts';
import { toWirePath } from '../src/wire/paths.ts';

const STATUS: Readonly<Record<RefusalCode, number>> = {
  invalid_request: 400,
  unauthenticated: 401,
  wrong_password: 401,
  account_inactive: 403,
  missing_scope: 403,
  weight_needs_commissions: 403,
  foreign_firm: 403,
  bound_key: 403,
  firm_inactive: 403,
  not_catalog_editor: 403,
  not_full_access: 403,
  firm_limit_reached: 403,
  storage_full: 403,
  quota_reached: 409,
  not_found: 404,
  no_subscription: 404,
  method_not_allowed: 405,
  duplicate_name: 409,
  duplicate_email: 409,
  wrong_state: 409,
  precondition_failed: 412,
  unknown_cursor: 410,
  idempotency_in_flight: 409,
  idempotency_rights_changed: 409,
  request_timeout: 408,
  too_large: 413,
  unsupported_media_type: 415,
  business_rule: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  unavailable: 503,
};

describe('A-27: answerTo', () => {
  it.each(REFUSAL_CODES)('A-27: gives %s its status and its own text', (code) => {
    const { status, headers, body } = answerTo(new DomainError(code));
    const expected = STATUS[code] === 401 ? { 'WWW-Authenticate': 'Bearer realm="tarifario"' } : {};
    expect({ status, headers }).toEqual({ status: STATUS[code], headers: expected });
    expect(body).toEqual({ detail: { code, message: expect.stringMatching(/ /) } });
  });

  it('A-27: adds the scope, the findings and the time to wait where they exist', () => {
    const message = say('the API key lacks the scope {scope}', { scope: 'offers:read' });
    const issues = [{ path: 'consumptionTiers.2.to', message: 'must be text' as const }];
    expect(answerTo(new DomainError('missing_scope', { message, missingScope: 'offers:read' })).body).toEqual({
      detail: { code: 'missing_scope', message, missing_scope: 'offers:read' },
    });
    expect(answerTo(new DomainError('business_rule', { issues })).body).toMatchObject({
      detail: { errors: [{ path: 'commission_tiers.2.consumption_to', error: 'must be text' }] },
    });
    expect(answerTo(new DomainError('rate_limited', { retryAfterSeconds: 12 })).headers).toEqual({
      'Retry-After': '12',
    });
  });

  it.each([new Error('secret'), 'secret', null, undefined, { code: 'not_found', details: {} }])(
    'shows nothing of the error %j',
    (error) => {
      const body = { detail: { code: 'internal_error', message: 'internal error' } };
      expect(answerTo(error)).toEqual({ status: 500, headers: {}, body });
    },
  );
});

it.each([
  ['energyEurPerKwh.0', 'e1'],
  ['powerEurPerKwDay.5', 'p6'],
  ['servicesEurPerMonth', 'services_cost'],
  ['consumptionTiers', 'commission_tiers'],
  ['consumptionTiers.3.from', 'commission_tiers.3.consumption_from'],
  ['consumptionTiers.3.value', 'commission_tiers.3.commission'],
  ['powerTiers.0.to', 'commission_power_tiers.0.power_to'],
  ['powerTiers.0.type', 'commission_power_tiers.0.commission_type'],
  ['territories', 'territory_peninsula'],
  ['imageUrl', 'image_url'],
  ['reasons.why.againstId', 'frente_a'],
  ['bill.rates.indirectPercent', 'impuestos.tipos.indirecto'],
  ['bill.other.otherUntaxedEur', 'impuestos.otros.sin_iee'],
  ['power.marginKw', 'margen_kw'],
  ['power.entries.11.month', 'periodos.11.mes'],
  ['name', 'name'],
  ['energia.e1', 'energia.e1'],
  ['constructor', 'constructor'],
  ['__proto__.0', '__proto__.0'],
  ['', ''],
])('the field %s is called %s on the wire', (path, wirePath) => {
  expect(toWirePath(path)).toBe(wirePath);
});
