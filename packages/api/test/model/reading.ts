import { REVIEWED_VALUES, type ReviewedValue } from '../../../../test-fixtures/reviewed-fields.ts';
import { NEVER_NULL } from './offer-rules.ts';
import { isName, isRecord, Refusal } from './state.ts';

// What can be read as a request, written down a second time: the tables say what each operation
// takes, and everything else is malformed.

/** A text of the query as its value; `undefined` when it says none. */
type QueryKind = (text: string) => unknown;
/** The places in a value of JSON that are wrong. */
type Check = (value: unknown, place: string) => readonly string[];

const WHOLE = /^(0|-?[1-9]\d*)$/;

/** Ids that are too large for a double are nobody's, and so is 0. */
function idFrom(text: string): number {
  return Number.isSafeInteger(Number(text)) ? Number(text) : 0;
}

const queryId: QueryKind = (text) => (/^[1-9]\d*$/.test(text) ? idFrom(text) : undefined);
const queryFlag: QueryKind = (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined);
const queryWhole =
  (min: number, max: number): QueryKind =>
  (text) =>
    WHOLE.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
const queryAmount =
  (max: number): QueryKind =>
  (text) =>
    /^(0|[1-9]\d*)(\.\d+)?$/.test(text) && Number(text) <= max ? Number(text) : undefined;
const queryName =
  (longest: number): QueryKind =>
  (text) =>
    isName(text, longest) ? text : undefined;
const queryOf =
  (...words: readonly string[]): QueryKind =>
  (text) =>
    words.includes(text) ? text : undefined;

const TERRITORIES = ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'];
const COMMUNITIES =
  'andalucia aragon asturias baleares canarias cantabria castilla_la_mancha castilla_y_leon cataluna ceuta comunidad_valenciana extremadura galicia la_rioja madrid melilla murcia navarra pais_vasco'.split(
    ' ',
  );
const CLIENT_TYPES = ['dni', 'cif', 'cdad'];
const UPLOAD_KINDS = ['offers_bulk_update', 'catalog_bulk_update', 'file'];

const PAGE = { limit: queryWhole(1, 200), offset: queryWhole(0, 1_000_000) };
const LIST = { ...PAGE, include_inactive: queryFlag };
const SOLD = {
  supply_type: queryOf('LUZ', 'GAS'),
  tariff_type: queryName(32),
  territory: queryOf(...TERRITORIES),
  community: queryOf(...COMMUNITIES),
  client_type: queryOf(...CLIENT_TYPES),
};
const QUANTITIES = { consumption_mwh: queryAmount(1e10), power_kw: queryAmount(1e6) };

/** What an operation takes in its query besides `client_id`. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, QueryKind>>>> = {
  listOffers: { ...LIST, ...SOLD, company_id: queryId, company_name: queryName(200), placas_solares: queryFlag },
  recommendOffers: { ...PAGE, ...SOLD, ...QUANTITIES },
  calculateCommission: QUANTITIES,
  listIndexedPrices: PAGE,
  listClients: LIST,
  listCompanies: LIST,
  listCatalogCompanies: LIST,
  listCatalogOffers: {
    ...LIST,
    company_id: queryId,
    supply_type: SOLD.supply_type,
    client_type: SOLD.client_type,
  },
  listCatalogIndexedPrices: PAGE,
  bulkUpdateOffers: { dry_run: queryFlag },
  bulkUpdateCatalogOffers: { dry_run: queryFlag },
  listCatalogSubscriptions: LIST,
  listUploads: { ...PAGE, status: queryOf('pending', 'processing', 'completed', 'failed', 'cancelled') },
};
const REQUIRED: Readonly<Record<string, string>> = {
  recommendOffers: 'consumption_mwh',
  calculateCommission: 'consumption_mwh',
};

const text: Check = (value, place) => (typeof value === 'string' ? [] : [place]);
const flag: Check = (value, place) => (typeof value === 'boolean' ? [] : [place]);
const number: Check = (value, place) => (typeof value === 'number' && Number.isFinite(value) ? [] : [place]);
const id: Check = (value, place) => (typeof value === 'number' && Number.isInteger(value) && value >= 1 ? [] : [place]);
/**
 * Ends the place of a number or a text that is out of its bounds: unlike what is of another kind, it leaves other rules
 * to be told too.
 */
const OUT_OF_BOUNDS = '!';
const areOnlyOutOfBounds = (wrong: readonly string[]) => wrong.every((place) => place.endsWith(OUT_OF_BOUNDS));
const within =
  (min: number, max: number): Check =>
  (value, place) => {
    if (typeof value !== 'number') return [place];
    return value >= min && value <= max ? [] : [place + OUT_OF_BOUNDS];
  };
const wholeWithin =
  (min: number, max: number): Check =>
  (value, place) =>
    Number.isInteger(value) ? within(min, max)(value, place) : [place];
const named =
  (longest: number): Check =>
  (value, place) => {
    if (typeof value !== 'string') return [place];
    return isName(value, longest) ? [] : [place + OUT_OF_BOUNDS];
  };
const oneOf =
  (...words: readonly string[]): Check =>
  (value, place) =>
    typeof value === 'string' && words.includes(value) ? [] : [place];
const orNull =
  (check: Check): Check =>
  (value, place) =>
    value === null ? [] : check(value, place);
const month: Check = (value, place) => {
  if (typeof value !== 'string') return [place];
  return monthOf(value) === null ? [place + OUT_OF_BOUNDS] : [];
};
const listOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value) ? value.flatMap((each: unknown, index) => check(each, `${place}.${index}`)) : [place];

/** An object with these fields and no other; those that `needed` names must be there. */
function record(fields: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check {
  return (value, place) => {
    if (!isRecord(value)) return [place];
    const prefix = place === '' ? '' : `${place}.`;
    return [
      ...needed.filter((name) => !Object.hasOwn(value, name)).map((name) => prefix + name),
      ...Object.entries(value).flatMap(([name, each]) => {
        const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
        return check === undefined ? [prefix + name] : check(each, prefix + name);
      }),
    ];
  };
}

/** As `record`, and not empty. */
function change(fields: Readonly<Record<string, Check>>): Check {
  const check = record(fields);
  return (value, place) => (isRecord(value) && Object.keys(value).length === 0 ? [place] : check(value, place));
}

const sixOf = (letter: string, check: Check) =>
  Object.fromEntries([1, 2, 3, 4, 5, 6].map((period) => [letter + period, check]));
function tiers(quantity: string): Check {
  const bounds = { [`${quantity}_from`]: number, [`${quantity}_to`]: orNull(number) };
  return listOf(record({ ...bounds, commission: number, commission_type: text }, [`${quantity}_from`, 'commission']));
}

function checkOf({ kind, wire }: ReviewedValue): Check {
  if (kind === 'flag' || kind === 'flags') return flag;
  if (kind === 'amount' || kind === 'periods') return number;
  if (kind === 'tiers') return tiers(wire === 'commission_power_tiers' ? 'power' : 'consumption');
  return kind === 'list' ? listOf(oneOf(...COMMUNITIES)) : text;
}

/** What may be sent of some values: null where one can be empty, or the offer may be of the other supply. */
const checksOf = (values: readonly ReviewedValue[]) =>
  Object.fromEntries(
    values.map((value) => {
      const check = checkOf(value);
      return [value.wire, value.initial === null || value.supply !== null ? orNull(check) : check];
    }),
  );

const OFFER = checksOf(REVIEWED_VALUES.filter(({ section }) => section !== 'owner'));
const PRICES = checksOf(REVIEWED_VALUES.filter(({ section }) => section === 'prices'));

const newOfferFields = record({ ...OFFER, company_id: id, supply_type: oneOf('LUZ', 'GAS') }, [
  'company_id',
  'offer_name',
  'supply_type',
  'tariff_type',
]);

/** Null says nothing on gas, and nothing that electricity could be. */
const newOffer: Check = (value, place) => {
  const wrong = newOfferFields(value, place);
  if (wrong.length > 0 || !isRecord(value) || value.supply_type === 'GAS') return wrong;
  return NEVER_NULL.filter((name) => value[name] === null);
};

const batch: Check = (value, place) => {
  const ids: Check = (list, at) => {
    const wrong = listOf(id)(list, at);
    if (wrong.length > 0 || !Array.isArray(list)) return wrong;
    return list.length < 1 || list.length > 500 || new Set(list).size < list.length ? [at] : [];
  };
  return record({ offer_ids: ids, updates: change(OFFER) }, ['offer_ids', 'updates'])(value, place);
};

const fee = within(1, 30);
const perKwh = within(-10, 10);
const contractFields = record({
  ...sixOf('e', perKwh),
  ...sixOf('p', within(0, 1)),
  gas_energy: perKwh,
  gas_fixed: within(0, 100_000),
  services_cost: within(0, 100_000),
  precio_excedentes: perKwh,
  coste_total: within(0, 1e9),
});
/** Prices, or the whole. */
const presentContract: Check = (value, place) => {
  const wrong = contractFields(value, place);
  if (!areOnlyOutOfBounds(wrong) || !isRecord(value)) return wrong;
  if (value.coste_total === undefined || Object.keys(value).length === 1) return wrong;
  return [...wrong, `${place}.coste_total${OUT_OF_BOUNDS}`];
};
const rankingFields = record(
  {
    supply_type: oneOf('LUZ', 'GAS'),
    energia: record(sixOf('e', within(0, 1e9))),
    potencia: record(sixOf('p', within(0, 1e6))),
    consumo_gas: within(0, 1e9),
    excedentes: within(0, 1e9),
    dias: wholeWithin(1, 1100),
    meses: wholeWithin(1, 36),
    mes: month,
    fee_energia: fee,
    fee_potencia: fee,
    w: within(0, 1),
    tolerancia: within(0, 100),
    contrato_actual: presentContract,
    tariff_type: named(32),
    territory: oneOf(...TERRITORIES),
    community: oneOf(...COMMUNITIES),
    client_type: oneOf(...CLIENT_TYPES),
    company_name: named(200),
    company_id: id,
    client_id: id,
    ssaa_included: flag,
    limit: wholeWithin(1, 200),
  },
  ['supply_type'],
);

/** A customer who uses nothing cannot be asked about. */
const ranking: Check = (value, place) => {
  const wrong = [...rankingFields(value, place)];
  if (!areOnlyOutOfBounds(wrong) || !isRecord(value)) return wrong;
  if (value.w !== undefined && value.tolerancia !== undefined) wrong.push('tolerancia');
  if (value.supply_type === 'GAS') return Number(value.consumo_gas ?? 0) > 0 ? wrong : [...wrong, 'consumo_gas'];
  const quantities = [value.energia, value.potencia].flatMap((sent) => (isRecord(sent) ? Object.values(sent) : []));
  return quantities.some((quantity) => Number(quantity) > 0) ? wrong : [...wrong, 'energia'];
};

const account: Check = (value, place) => {
  const wrong = record({ name: text, email: text, current_password: text })(value, place);
  if (wrong.length > 0 || !isRecord(value)) return wrong;
  return value.name === undefined && value.email === undefined ? [place] : [];
};
const newPassword: Check = (value, place) =>
  typeof value === 'string' && [...value].length >= 8 && [...value].length <= 128 ? [] : [place];

const monthlyPrices = record({ ...PRICES, reference_month: month }, ['reference_month']);

const form = record({ client_id: id, kind: oneOf('offers_bulk_update', 'catalog_bulk_update') });
/** A body with sheets is a form with a file; the rest of it are texts. */
const orForm =
  (check: Check): Check =>
  (value, place) => {
    if (!isRecord(value) || !isRecord(value.sheets)) return check(value, place);
    const { sheets: _file, ...texts } = value;
    return form(texts, place);
  };
const file: Check = (value, place) => {
  if (isRecord(value) && isRecord(value.sheets)) return Object.keys(value).filter((name) => name !== 'sheets');
  return record({}, ['file'])(value, place);
};

const BODIES: Readonly<Record<string, Check>> = {
  createOffer: newOffer,
  updateOffer: change({ ...OFFER, company_id: id }),
  bulkPatchOffers: batch,
  rankOffers: ranking,
  upsertIndexedPrice: monthlyPrices,
  createCatalogOffer: newOffer,
  updateCatalogOffer: change({ ...OFFER, company_id: id }),
  upsertCatalogIndexedPrice: monthlyPrices,
  createCatalogCompany: record({ name: text, logo_url: orNull(text) }, ['name']),
  updateCatalogCompany: change({ name: text, logo_url: orNull(text) }),
  createClient: record({ name: text, image_url: orNull(text), catalog: oneOf('all', 'none') }, ['name']),
  updateClient: change({ name: text, image_url: orNull(text) }),
  createCompany: record({ client_id: id, name: text, logo_url: orNull(text) }, ['client_id', 'name']),
  updateCompany: change({ name: text, logo_url: orNull(text) }),
  updateAccount: account,
  changePassword: record({ current_password: text, new_password: newPassword }, ['current_password', 'new_password']),
  createUpload: orForm(record({ file_name: text, client_id: id, kind: oneOf(...UPLOAD_KINDS) }, ['file_name'])),
  bulkUpdateOffers: file,
  bulkUpdateCatalogOffers: file,
};

/** A month by itself or by any real day of it, as its first day; `null` when there is no such day. */
export function monthOf(value: string): string | null {
  if (!/^\d{4}-\d{2}(-\d{2})?$/.test(value)) return null;
  const day = value.length === 7 ? `${value}-01` : value;
  const instant = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== day ? null : `${day.slice(0, 7)}-01`;
}

/** The id in a path: text that is none is nobody's. */
export function pathId(sent: string | undefined): number {
  return sent !== undefined && /^[1-9]\d*$/.test(sent) ? idFrom(sent) : 0;
}

type Sent = Readonly<Record<string, string | readonly string[]>>;

/**
 * The values of the query.
 *
 * @throws Refusal 400 with every place that is wrong, in path, query and body.
 */
export function read(
  operation: string,
  { params, query, body }: { readonly params: Sent; readonly query: Sent; readonly body?: unknown },
): Readonly<Record<string, unknown>> {
  const kinds: Readonly<Record<string, QueryKind>> = { ...QUERIES[operation], client_id: queryId };
  const wrong: string[] = [];
  const values: Record<string, unknown> = {};
  if (typeof params.month === 'string' && monthOf(params.month) === null) wrong.push('month');
  for (const [name, sent] of Object.entries(query)) {
    if (operation === 'compareOffers' && name === 'ids') continue;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    const value = typeof sent === 'string' ? kind?.(sent) : undefined;
    if (value === undefined) wrong.push(name);
    else values[name] = value;
  }
  if (operation === 'compareOffers') {
    const ids = [query.ids ?? []].flat().map((sent) => queryId(sent));
    wrong.push(...ids.flatMap((each, index) => (each === undefined ? [`ids.${index}`] : [])));
    const isSound = ids.length >= 2 && ids.length <= 10 && new Set(ids).size === ids.length;
    if (!isSound && ids.every((each) => each !== undefined)) wrong.push('ids');
    values.ids = ids;
  }
  const needed = REQUIRED[operation];
  if (needed !== undefined && query[needed] === undefined) wrong.push(needed);
  wrong.push(...(BODIES[operation]?.(body, '') ?? []).map((place) => place.replace(OUT_OF_BOUNDS, '')));
  if (wrong.length > 0) throw new Refusal(400, 'invalid_request', { wrong });
  return values;
}
