import { anyOffer, listCatalogOffers, listOffers, ownOfferCases } from '@tarifario/core/service';
import { z } from 'zod';
import {
  clientTypeField,
  communityField,
  companyIdField,
  companyNameFilter,
  filterFrom,
  ID_PAGE_QUERY,
  idsField,
  LIST_QUERY,
  listChoice,
  listOf,
  offerSearch,
  pageOf,
  supplyTypeField,
  TERMS_FIELDS,
  tariffTypeFilter,
  termsFrom,
  territoryField,
} from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { asField, WORDS } from '../../wire/words.ts';
import { offerDetailShape, offerShape, toWireOfferDetail, toWireOffers } from './offer.ts';
import { ORDER_QUERY, orderOf } from './order.ts';
import { visibilityOf } from './records.ts';

/** The filters of own offers in a list and in an export, besides the supply. */
export const OFFER_QUERY = {
  tariff_type: tariffTypeFilter.optional(),
  company_id: companyIdField.optional(),
  company_name: companyNameFilter.optional(),
  territory: territoryField.optional(),
  community: communityField.optional(),
  placas_solares: asField('placas_solares', z.boolean()).optional(),
  client_type: clientTypeField.optional(),
  ...TERMS_FIELDS,
  q: offerSearch.optional(),
  include_inactive: LIST_QUERY.include_inactive,
};

export function toOfferChoice<T>(query: z.output<z.ZodObject<typeof OFFER_QUERY>> & { readonly supply_type: T }) {
  return {
    includeInactive: query.include_inactive,
    filter: {
      ...filterFrom(query),
      supplyType: query.supply_type,
      hasSolarPanels: query.placas_solares ?? null,
    },
    companyId: query.company_id ?? null,
    companyName: query.company_name ?? null,
    search: query.q ?? null,
  };
}

const offerList = listOf(offerShape).extend({
  terminos_desconocidos: z.int().min(0).describe(WORDS.terminos_desconocidos).optional(),
  next: z
    .string()
    .describe('With `sort`, unless it is the last page: where the next one begins, for `after`.')
    .optional(),
});
const NEXT_PAGES =
  'With sort the next page is requested with after set to next: what does not change meanwhile is neither repeated nor skipped.';

export const OFFER_LIST = defineOperation({
  id: 'listOffers',
  method: 'GET',
  path: '/v1/offers',
  summary: 'List own offers',
  description:
    'Own offers of one supply type that match the filters, by id or as sort says. Offers of the shared catalog are not ' +
    `listed. ${NEXT_PAGES}`,
  scopes: ['offers:read'],
  longRead: 'page',
  query: { ...OFFER_QUERY, supply_type: supplyTypeField.default('LUZ'), ...ID_PAGE_QUERY, ...ORDER_QUERY },
  tagged: true,
  output: offerList,
  refusals: ['unknown_cursor'],
  mcp: 'list_offers',
  examples: [
    {
      summary: 'Electricity for individuals on the mainland',
      query: {
        ...{ supply_type: 'LUZ', tariff_type: '2.0TD', company_name: 'alba', territory: 'peninsula' },
        ...{ client_type: 'dni', limit: 1, offset: 0 },
      },
    },
  ],
  answer: async (call, { firmId, query }) => {
    const { order, sealed } = orderOf(call, { list: 'offers', firmId, query });
    const choice = { firmId, ...toOfferChoice(query), order, page: pageOf(query) };
    const page = await listOffers(call.deps, call.caller, choice);
    return toWireOffers({ ...sealed(page), ...choice.page }, visibilityOf(call.caller));
  },
});

export const CATALOG_OFFER_LIST = defineOperation({
  id: 'listCatalogOffers',
  method: 'GET',
  path: '/v1/catalog/offers',
  summary: 'List the offers of the catalog',
  description:
    'The offers that all accounts share, by id or as sort says, whether or not a firm subscribes to their retailer. ' +
    `Those of both supply types, unless supply_type names one; company_id is a retailer of the catalog. ${NEXT_PAGES}`,
  scopes: ['catalog:read'],
  longRead: 'page',
  query: {
    company_id: companyIdField.optional(),
    supply_type: supplyTypeField.optional(),
    client_type: clientTypeField.optional(),
    company_name: companyNameFilter.optional(),
    ...TERMS_FIELDS,
    q: offerSearch.optional(),
    ...LIST_QUERY,
    ...ORDER_QUERY,
  },
  tagged: true,
  output: offerList,
  refusals: ['unknown_cursor'],
  mcp: 'list_catalog_offers',
  examples: [
    {
      summary: 'Electricity for individuals, of one retailer',
      query: { company_id: 3, supply_type: 'LUZ', client_type: 'dni', limit: 1 },
    },
  ],
  answer: async (call, { firmId, query }) => {
    const { order, sealed } = orderOf(call, { list: 'catalog offers', firmId, query });
    const page = await listCatalogOffers(call.deps, call.caller, {
      ...{ firmId, ...listChoice(query), order, search: query.q ?? null },
      ...{ companyId: query.company_id ?? null, companyName: query.company_name ?? null },
      filter: { ...anyOffer(query.supply_type ?? null), customerType: query.client_type ?? null, ...termsFrom(query) },
    });
    return toWireOffers({ ...sealed(page), ...pageOf(query) }, visibilityOf(call.caller));
  },
});

export const OFFER_COMPARISON = defineOperation({
  id: 'compareOffers',
  method: 'GET',
  path: '/v1/offers/compare',
  summary: 'Read 2 to 10 offers side by side',
  description: 'Full detail of each offer, in the order asked. The parameter ids is repeated once per offer.',
  scopes: ['offers:read'],
  query: { ids: idsField(2, 10).describe('The offers to compare, each once.') },
  tagged: true,
  output: z.strictObject({ total: z.int().min(2).max(10).describe(WORDS.total), results: z.array(offerDetailShape) }),
  refusals: ['not_found'],
  mcp: 'compare_offers',
  examples: [{ summary: 'Two offers', query: { ids: [1, 4] } }],
  answer: async ({ deps, caller }, { firmId, query: { ids } }) => {
    const details = await ownOfferCases.details(deps, caller, { ids, firmId, path: 'ids' });
    const visibility = visibilityOf(caller);
    return { total: details.length, results: details.map((detail) => toWireOfferDetail(detail, visibility)) };
  },
});
