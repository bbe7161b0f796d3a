import {
  anyOffer,
  calculateCommission,
  countRecords,
  exportOffers,
  listCatalogOffers,
  listOffers,
  MAX_EXPORT,
  offerHistory,
  ownOfferCases,
} from '@tarifario/core/service';
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
  listAnswer,
  listChoice,
  listOf,
  offerSearch,
  PAGE_QUERY,
  pageOf,
  supplyTypeField,
  TERMS_FIELDS,
  tariffTypeFilter,
  termsFrom,
  territoryField,
} from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { commissionCalculation } from '../wire/commission.ts';
import { offerEvent, toWireOfferDetail, toWireOffers } from '../wire/offer.ts';
import { offerDetailShape, offerShape } from '../wire/offer-shapes.ts';
import { EXPORT_COLUMNS, toOfferTable } from '../wire/offer-table.ts';
import { YEAR_QUERY } from '../wire/quantities.ts';
import { stats } from '../wire/stats.ts';
import { asField, WORDS } from '../wire/words.ts';
import { ORDER_QUERY, orderOf } from './offer-order.ts';
import { CATALOG_OFFER, OWN_OFFER, visibilityOf } from './offer-records.ts';

/** The filters of own offers in a list and in an export, besides the supply. */
const OFFER_QUERY = {
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

function toOfferChoice<T>(query: z.output<z.ZodObject<typeof OFFER_QUERY>> & { readonly supply_type: T }) {
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

const list = defineOperation({
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

const listOfCatalog = defineOperation({
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

const compare = defineOperation({
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

const history = defineOperation({
  id: 'getOfferHistory',
  method: 'GET',
  path: '/v1/offers/{id}/history',
  summary: 'List what was done to an offer',
  description:
    'Each change of a visible offer, the newest first, with the values before and after. The last one, whose fields are ' +
    'an empty list, is its creation; for a firm, its last move there. Without commissions:read changes of commissions are ' +
    'left out.',
  scopes: ['offers:read'],
  query: PAGE_QUERY,
  tagged: true,
  output: listAnswer(offerEvent),
  examples: [
    { summary: 'A new price and the creation', params: { id: 1 } },
    { summary: 'Page 2', params: { id: 1 }, query: { limit: 1, offset: 1 }, isLong: true },
  ],
  answer: ({ deps, caller }, { path: { id }, firmId, query }) =>
    offerHistory(deps, caller, { id, firmId, page: pageOf(query) }),
});

const calculate = defineOperation({
  id: 'calculateCommission',
  method: 'GET',
  path: '/v1/offers/{id}/commission-calculator',
  summary: 'Calculate the commission of one offer',
  description: 'EUR per contract-year at an annual consumption and, for electricity, a contracted power.',
  scopes: ['commissions:read'],
  query: YEAR_QUERY,
  output: commissionCalculation.shape,
  mcp: 'calculate_commission',
  examples: [
    {
      summary: 'A tier of consumption and one of power',
      params: { id: 1 },
      query: { consumption_mwh: 3.5, power_kw: 4.6 },
    },
  ],
  answer: async ({ deps, caller }, { path: { id }, firmId, query }) => {
    const quantities = { annualMwh: query.consumption_mwh, powerKw: query.power_kw ?? null };
    return commissionCalculation.toWire(
      await calculateCommission(deps, caller, { id, firmId, ...quantities }),
      quantities,
    );
  },
});

const getStats = defineOperation({
  id: 'getStats',
  method: 'GET',
  path: '/v1/offers/stats',
  summary: 'Count own records',
  description:
    'How many offers, advisory firms, retailers and uploads the account has, or the firm that client_id names. The ' +
    'shared catalog is not counted; indexed counts active offers only.',
  scopes: ['offers:read'],
  longRead: 'rows',
  output: stats,
  examples: [{ summary: 'The whole account' }],
  answer: ({ deps, caller }, { firmId }) => countRecords(deps, caller, { firmId }),
});

const separator = z
  .enum([',', ';'])
  .describe('The text between two cells. `;` also writes decimal commas, for a spreadsheet in Spanish.')
  .default(',');

const exportAll = defineOperation({
  id: 'exportOffers',
  method: 'GET',
  path: '/v1/offers/export',
  summary: 'Export own offers as CSV',
  description:
    'The own offers that a list with the same filters shows, of both supplies where supply_type is left out; ' +
    `placas_solares selects electricity. The first ${MAX_EXPORT} by id; the header X-Total-Count says how many match. ` +
    'Text that a spreadsheet could run as a formula begins with an apostrophe. The separator ; ' +
    'also writes decimal commas and a byte order mark, for a spreadsheet in Spanish. Without commissions:read the ' +
    `columns of commissions are empty. Columns: ${EXPORT_COLUMNS.join(', ')}.`,
  scopes: ['offers:export'],
  longRead: 'rows',
  query: { ...OFFER_QUERY, supply_type: supplyTypeField.optional(), separator },
  tagged: true,
  output: z.string(),
  contentType: 'text/csv',
  examples: [{ summary: 'Electricity', query: { supply_type: 'LUZ', company_name: 'alba' } }],
  perform: async ({ deps, caller }, { firmId, query }) => {
    const choice = { firmId, ...toOfferChoice({ ...query, supply_type: query.supply_type ?? null }) };
    const { total, unknownTerms, results } = await exportOffers(deps, caller, choice);
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="ofertas.csv"',
        'X-Total-Count': String(total),
        ...(unknownTerms !== undefined && { 'X-Unknown-Terms-Count': String(unknownTerms) }),
      },
      body: undefined,
      text: deps.tables.csv(toOfferTable(results, visibilityOf(caller)), { separator: query.separator }),
    };
  },
});

export const OFFERS: readonly Operation[] = [list, OWN_OFFER.create];
export const OFFER_VIEWS: readonly Operation[] = [compare, getStats, exportAll];
export const OFFER: readonly Operation[] = [...OWN_OFFER.one, history, calculate];
export const CATALOG_OFFERS: readonly Operation[] = [listOfCatalog, CATALOG_OFFER.create];
