import {
  type Caller,
  catalogOfferCases,
  maySeeCommissions,
  type OfferDetail,
  type OfferRecord,
  ownOfferCases,
} from '@tarifario/core/service';
import type { Example } from '../../openapi/example.ts';
import type { Operation } from '../../operation.ts';
import type { Visibility } from '../../wire/answer.ts';
import { answersAs } from '../../wire/answer.ts';
import { type Noun, recordRows } from '../records.ts';
import { fromWireNewOffer, fromWireOffer, newOfferBody, offerPatchBody } from './body.ts';
import { offerDetailShape, offerShape, toWireOffer, toWireOfferDetail } from './offer.ts';

export function visibilityOf(caller: Caller): Visibility {
  return { seesCommissions: maySeeCommissions(caller) };
}

const changed = answersAs(offerShape, (record: OfferRecord, caller: Caller) =>
  toWireOffer(record, visibilityOf(caller)),
);
const detail = answersAs(offerDetailShape, (record: OfferDetail, caller: Caller) =>
  toWireOfferDetail(record, visibilityOf(caller)),
);

/** All rows of one noun, except what differs between own offers and those of the catalog. */
function offerRows(
  given: Pick<Noun<OfferRecord, OfferDetail>, 'name' | 'path' | 'words' | 'scopes' | 'limits' | 'mcp'> & {
    readonly cases: typeof ownOfferCases;
    readonly about: { readonly create: string; readonly get: string; readonly update: string };
    readonly examples: Readonly<Record<'create' | 'get' | 'update', readonly Example[]>> & { readonly changed: number };
  },
): { readonly create: Operation; readonly one: readonly Operation[] } {
  const { about, examples, ...noun } = given;
  return recordRows({
    ...noun,
    detail,
    changed,
    create: {
      description: about.create,
      body: newOfferBody,
      refusals: ['not_found', 'quota_reached', 'storage_full', 'business_rule'],
      examples: examples.create,
      command: noun.cases.create,
      input: ({ firmId, body }) => ({ firmId, ...fromWireNewOffer(body) }),
    },
    update: {
      summary: `Change some fields of ${noun.words.a}`,
      description: `Changes the fields that are sent, null erases one that can be empty, lists of tiers are replaced whole. The supply type never changes; ${about.update}`,
      body: offerPatchBody,
      refusals: ['storage_full', 'business_rule'],
      examples: examples.update,
      command: noun.cases.update,
      input: ({ id, firmId, body }) => ({ id, firmId, changes: fromWireOffer(body) }),
    },
    toggleRefusals: ['storage_full'],
    deleteRefusals: ['storage_full'],
    about: { get: about.get, toggle: 'An active offer becomes inactive, an inactive one active.' },
    examples,
  });
}

export const OWN_OFFER = offerRows({
  name: 'Offer',
  path: '/v1/offers',
  words: { one: 'offer', a: 'an offer', short: 'offer' },
  scopes: { read: 'offers:read', write: 'offers:write' },
  mcp: 'get_offer',
  cases: ownOfferCases,
  about: {
    create: 'Creates an offer of an own company, with its commission tiers. Fields left out have their defaults.',
    get: 'An own offer, active or not, or a visible catalog offer, with its tiers and its newest monthly prices.',
    update: 'company_id moves the offer to another own retailer.',
  },
  examples: {
    create: [
      {
        summary: 'Electricity with a tier',
        body: {
          ...{ company_id: 1, offer_name: 'Alba Nocturna', supply_type: 'LUZ', tariff_type: '2.0TD' },
          ...{ e1: 0.199, e2: 0.131, e3: 0.067, p1: 0.0821, p2: 0.0083 },
          ...{ territory_peninsula: true, acepta_dni: true, commission: 35, commission_type: 'fixed' },
          commission_tiers: [{ consumption_from: 4, consumption_to: null, commission: 14, commission_type: 'per_mwh' }],
        },
      },
      {
        summary: 'Gas',
        body: {
          ...{ company_id: 1, offer_name: 'Alba Gas Comunidad', supply_type: 'GAS', tariff_type: 'RL.4' },
          ...{ gas_energy: 0.0498, gas_fixed: 18.4, territory_peninsula: true, acepta_cdad_propietarios: true },
          ...{ commission: 3.5, commission_type: 'per_mwh' },
        },
      },
    ],
    get: [
      { summary: 'An offer with its tiers', params: { id: 1 } },
      { summary: 'An indexed offer with its months', params: { id: 3 } },
    ],
    update: [{ summary: 'New prices of energy', params: { id: 1 }, body: { e1: 0.171, e2: 0.119, e3: 0.084 } }],
    changed: 1,
  },
});

export const CATALOG_OFFER = offerRows({
  name: 'CatalogOffer',
  path: '/v1/catalog/offers',
  words: { one: 'offer of the catalog', a: 'an offer of the catalog', short: 'offer' },
  scopes: { read: 'catalog:read', write: 'catalog:write' },
  limits: ['catalog_write'],
  cases: catalogOfferCases,
  about: {
    create:
      'Takes what a new own offer takes; company_id is a retailer of the catalog. Every firm that subscribes to the ' +
      'retailer has it in its next ranking.',
    get: 'An offer of the shared catalog, active or not, with its tiers and monthly prices.',
    update: 'company_id moves the offer to another retailer of the catalog.',
  },
  examples: {
    create: [
      {
        summary: 'An indexed offer',
        body: {
          ...{ company_id: 3, offer_name: 'Duero Horas', supply_type: 'LUZ', tariff_type: '2.0TD' },
          ...{ is_indexed: true, p1: 0.0761, p2: 0.0049 },
          ...{ territory_peninsula: true, acepta_dni: true, commission: 48 },
        },
      },
    ],
    get: [{ summary: 'By id', params: { id: 5 } }],
    update: [{ summary: 'New prices of energy', params: { id: 5 }, body: { e1: 0.149, e2: 0.117, e3: 0.085 } }],
    changed: 5,
  },
});
