import { billOf } from './bill.mjs';

/**
 * The refusals that a vector may expect, in the order in which a server gives them:
 * missing permission, malformed input, another firm, weight, unknown record, business rule.
 *
 * @typedef {{ readonly status: number, readonly code: string }} Refusal
 * @typedef {import('./oracle.mjs').Given} Given
 */

const refusal = {
  missingScope: { status: 403, code: 'missing_scope' },
  invalid: { status: 400, code: 'invalid_request' },
  foreignFirm: { status: 403, code: 'foreign_firm' },
  weight: { status: 403, code: 'weight_needs_commissions' },
  notFound: { status: 404, code: 'not_found' },
  businessRule: { status: 422, code: 'business_rule' },
};

export const TERRITORIES = ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'];
export const CLIENT_TYPE_FLAGS = { dni: 'acepta_dni', cif: 'acepta_cif', cdad: 'acepta_cdad_propietarios' };
const COMMUNITIES = (
  'andalucia aragon asturias baleares canarias cantabria castilla_la_mancha castilla_y_leon cataluna ceuta ' +
  'comunidad_valenciana extremadura galicia la_rioja madrid melilla murcia navarra pais_vasco'
).split(' ');

/** @typedef {(value: unknown) => boolean} Check */

/** @type {(from: number, to: number) => Check} */
const numberIn = (from, to) => (value) => typeof value === 'number' && value >= from && value <= to;
/** @type {(from: number, to: number) => Check} */
const integerIn = (from, to) => (value) => Number.isInteger(value) && numberIn(from, to)(value);
/** @type {(values: readonly string[]) => Check} */
const oneOf = (values) => (value) => typeof value === 'string' && values.includes(value);
/** @type {(from: number, to: number) => Check} */
const textOf = (from, to) => (value) => typeof value === 'string' && value.length >= from && value.length <= to;
/** @type {(prefix: string, highest: number) => Check} */
const periods = (prefix, highest) => (value) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([key, entry]) => /^[1-6]$/.test(key.slice(1)) && key[0] === prefix && numberIn(0, highest)(entry),
  );

/** @type {Check} */
function isMonth(value) {
  const match = typeof value === 'string' ? /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(value) : null;
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3] ?? '1')];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return month >= 1 && month <= 12 && day >= 1 && day <= (lengths[month - 1] ?? 0);
}

const CONTRACT_OF = {
  LUZ: /^([ep][1-6]|services_cost|precio_excedentes|bono_social)$/,
  GAS: /^(gas_energy|gas_fixed|services_cost)$/,
};

/** @type {Check} */
function isDay(value) {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isMonth(value);
}

/** Prices or a whole, and not both. @type {Check} */
function isContract(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { coste_total, factura_total, bono_social, ...prices } = /** @type {Readonly<Record<string, unknown>>} */ (
    value
  );
  if (bono_social !== undefined && typeof bono_social !== 'boolean') return false;
  const named = Object.entries(prices);
  if (factura_total !== undefined)
    return named.length === 0 && coste_total === undefined && numberIn(0, 1e9)(factura_total);
  if (coste_total !== undefined) return named.length === 0 && numberIn(0, 1e9)(coste_total);
  return named.every(
    ([key, price]) => Object.values(CONTRACT_OF).some((fields) => fields.test(key)) && typeof price === 'number',
  );
}

/** @type {Check} */
const isBoolean = (value) => typeof value === 'boolean';

/** @type {(checks: Readonly<Record<string, Check>>) => Check} */
const objectOf = (checks) => (value) =>
  typeof value === 'object' &&
  value !== null &&
  isWellFormed(/** @type {Readonly<Record<string, unknown>>} */ (value), checks, []);

/** @type {Readonly<Record<string, Check>>} */
const TAXES = {
  fecha: isDay,
  vivienda: isBoolean,
  uso: oneOf(['general', 'industrial']),
  uso_gas: oneOf(['general', 'profesional']),
  vulnerable_severo: isBoolean,
  alquiler: (value) => oneOf(['monofasico', 'trifasico'])(value) || numberIn(0, 1000)(value),
  financiacion_bono: isBoolean,
  bono_en_iee: isBoolean,
  otros: objectOf({ con_iee: numberIn(0, 1e6), sin_iee: numberIn(0, 1e6) }),
  tipos: objectOf({
    ...{ iee: numberIn(0, 100), indirecto: numberIn(0, 100), indirecto_servicios: numberIn(0, 100) },
    ...{ hidrocarburos: numberIn(0, 10), bono_social: numberIn(0, 1000) },
  }),
};

/** @type {Check} */
function isTaxes(value) {
  return objectOf(TAXES)(value) && /** @type {any} */ (value).fecha !== undefined;
}

/** Whether a bill is of no territory, of a day before 2021, of what the supply does not have, or of a day with an open rate. @param {Readonly<Record<string, any>>} body */
function hasWrongTaxes({ supply_type, territory, client_type, potencia = {}, impuestos }) {
  if (impuestos === undefined) return false;
  const isGas = supply_type === 'GAS';
  const { fecha, vulnerable_severo, alquiler, tipos = {}, otros = {} } = impuestos;
  const kw = Object.values(potencia);
  const misplaced = isGas
    ? [
        impuestos.uso,
        impuestos.financiacion_bono,
        impuestos.bono_en_iee,
        vulnerable_severo,
        otros.con_iee,
        tipos.iee,
        tipos.bono_social,
      ]
    : [impuestos.uso_gas, tipos.hidrocarburos];
  if (
    territory === undefined ||
    fecha < '2021-01-01' ||
    misplaced.some((value) => value !== undefined) ||
    (vulnerable_severo === true && client_type === 'cif') ||
    (typeof alquiler === 'string' && (isGas || Math.max(0, ...kw) > 15))
  )
    return true;
  const given = {
    supply_type,
    tariff_type: '',
    territory,
    client_type,
    potencia: kw,
    kwh: 1,
    dias: 1,
    cost: {},
    impuestos,
  };
  return 'abiertos' in billOf(given);
}

/** Whether the present contract has a price of the other supply, or lacks one that it needs. @param {Readonly<Record<string, any>>} body */
function hasWrongPrices({ supply_type, energia, perfil, potencia, contrato_actual, impuestos }) {
  if (contrato_actual === undefined || contrato_actual.coste_total !== undefined) return false;
  if (contrato_actual.factura_total !== undefined) return impuestos === undefined;
  const parts = [{ energia }, ...(perfil ?? []), { energia: potencia }];
  const used = parts.flatMap((part) =>
    Object.entries(part.energia ?? {}).flatMap(([period, amount]) => (amount > 0 ? [period] : [])),
  );
  const needed = supply_type === 'GAS' ? ['gas_energy', 'gas_fixed'] : used;
  const fields = CONTRACT_OF[/** @type {'LUZ' | 'GAS'} */ (supply_type)];
  return (
    needed.some((field) => typeof contrato_actual[field] !== 'number') ||
    Object.keys(contrato_actual).some((field) => !fields.test(field))
  );
}

/** @type {Readonly<Record<string, Check>>} */
const SHARED_FILTERS = {
  tariff_type: textOf(1, 32),
  territory: oneOf(TERRITORIES),
  client_type: oneOf(Object.keys(CLIENT_TYPE_FLAGS)),
  community: oneOf(COMMUNITIES),
  permanencia_max: integerIn(0, 60),
  precio_fijo_min: integerIn(1, 120),
  energia_verde: isBoolean,
  client_id: integerIn(1, Number.MAX_SAFE_INTEGER),
  limit: integerIn(1, 200),
};

/** @type {Check} */
const isFlag = (value) => typeof value === 'boolean';

/** @type {Readonly<Record<string, Check>>} */
const RANKING_BODY = {
  ...SHARED_FILTERS,
  explicar: isFlag,
  frente_a: integerIn(1, Number.MAX_SAFE_INTEGER),
  umbrales_consumo: isFlag,
  retrospectiva: isFlag,
  margen: isFlag,
  supply_type: oneOf(['LUZ', 'GAS']),
  energia: periods('e', 1e9),
  potencia: periods('p', 1e6),
  consumo_gas: numberIn(0, 1e9),
  excedentes: numberIn(0, 1e9),
  dias: integerIn(1, 1100),
  meses: integerIn(1, 36),
  mes: isMonth,
  fecha_firma: isDay,
  fee_energia: numberIn(1, 30),
  fee_potencia: numberIn(1, 30),
  ssaa_eur_mwh: numberIn(0, 200),
  w: numberIn(0, 1),
  tolerancia: numberIn(0, 100),
  contrato_actual: isContract,
  impuestos: isTaxes,
  company_name: textOf(1, 200),
  company_id: integerIn(1, Number.MAX_SAFE_INTEGER),
  ssaa_included: isFlag,
  placas_solares: isFlag,
  perfil: (value) => Array.isArray(value) && value.length >= 1 && value.length <= 36,
};

/** @type {Readonly<Record<string, Check>>} */
const PROFILE_ENTRY = {
  mes: integerIn(1, 12),
  dias: RANKING_BODY.dias ?? isMonth,
  energia: RANKING_BODY.energia ?? isMonth,
  excedentes: numberIn(0, 1e9),
  consumo_gas: numberIn(0, 1e9),
  anio: integerIn(2000, 2099),
  indices: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length <= 5 &&
    Object.entries(value).every(
      ([name, said]) => /^[A-Z0-9][A-Z0-9_-]{0,31}$/.test(name) && isWellFormed(/** @type {any} */ (said), HOURS, []),
    ),
};

/** @type {Readonly<Record<string, Check>>} */
const HOURS = Object.fromEntries(
  ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'excedentes'].map((name) => [name, numberIn(-10, 10)]),
);

/** @type {Readonly<Record<string, Check>>} */
const RECOMMEND_QUERY = {
  ...SHARED_FILTERS,
  supply_type: oneOf(['LUZ', 'GAS']),
  consumption_mwh: numberIn(0, Number.MAX_VALUE),
  power_kw: numberIn(0, 1e6),
  offset: integerIn(0, 1_000_000),
};

/** @type {Readonly<Record<string, Check>>} */
const CALCULATOR_QUERY = {
  consumption_mwh: numberIn(0, Number.MAX_VALUE),
  power_kw: numberIn(0, 1e6),
  client_id: integerIn(1, Number.MAX_SAFE_INTEGER),
};

const NUMERIC_PARAMETERS = [
  ...['consumption_mwh', 'power_kw', 'client_id', 'limit', 'offset'],
  ...['permanencia_max', 'precio_fijo_min'],
];
const FLAG_PARAMETERS = ['energia_verde'];

/**
 * Query text to values. A parameter given twice stays a list, which no check accepts.
 *
 * @param {Readonly<Record<string, string | readonly string[]>>} query
 * @returns {Record<string, unknown>}
 */
export function readQuery(query) {
  return Object.fromEntries(
    Object.entries(query).map(([key, text]) => {
      const isNumber = NUMERIC_PARAMETERS.includes(key) && typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text);
      const isFlagText = FLAG_PARAMETERS.includes(key) && (text === 'true' || text === 'false');
      return [key, isNumber ? Number(text) : isFlagText ? text === 'true' : text];
    }),
  );
}

/**
 * @param {Readonly<Record<string, unknown>>} input
 * @param {Readonly<Record<string, Check>>} checks
 * @param {readonly string[]} required
 */
function isWellFormed(input, checks, required) {
  return (
    required.every((key) => input[key] !== undefined) &&
    Object.entries(input).every(([key, value]) => Object.hasOwn(checks, key) && checks[key]?.(value))
  );
}

/** @param {Readonly<Record<string, any>>} body */
function hasConsumption(body) {
  const parts = body.perfil ?? [body];
  if (body.supply_type === 'GAS') return parts.some((/** @type {any} */ part) => part.consumo_gas > 0);
  const energy = parts.flatMap((/** @type {any} */ part) => Object.values(part.energia ?? {}));
  return [...energy, ...Object.values(body.potencia ?? {})].some((value) => value > 0);
}

/** A profile whose entries are whole, and whose sums are what stands beside it. @param {Readonly<Record<string, any>>} body */
function isProfileSound({ perfil, supply_type, ...body }) {
  if (perfil === undefined) return true;
  const needed = supply_type === 'GAS' ? ['dias', 'consumo_gas'] : ['dias', 'energia'];
  if (!perfil.every((/** @type {any} */ entry) => isWellFormed(entry, PROFILE_ENTRY, needed))) return false;
  if (perfil.some((/** @type {any} */ { anio, mes }) => anio !== undefined && mes === undefined)) return false;
  if (body.mes !== undefined || body.meses !== undefined) return false;
  const differs = (/** @type {number | undefined} */ sent, /** @type {(entry: any) => number | undefined} */ pick) => {
    const total = perfil.reduce((/** @type {number} */ all, /** @type {any} */ entry) => all + (pick(entry) ?? 0), 0);
    return sent !== undefined && Math.abs(sent - total) > Math.max(1e-6, total * 1e-14);
  };
  const days = perfil.reduce((/** @type {number} */ all, /** @type {any} */ entry) => all + entry.dias, 0);
  const periods = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'];
  const beside = (/** @type {string} */ name) => (body.energia === undefined ? undefined : (body.energia[name] ?? 0));
  return !(
    days > 1100 ||
    (body.dias ?? days) !== days ||
    differs(body.excedentes, (entry) => entry.excedentes) ||
    differs(body.consumo_gas, (entry) => entry.consumo_gas) ||
    periods.some((name) => differs(beside(name), (entry) => entry.energia?.[name]))
  );
}

const LUZ_ONLY = [
  'energia',
  'potencia',
  'excedentes',
  'indices',
  'ssaa_included',
  'placas_solares',
  'fee_potencia',
  'ssaa_eur_mwh',
];

/** @type {(question: { caller: string, body: any, ownCompanyIds: readonly number[] }) => Refusal | null} */
export function refuseRanking({ caller, body, ownCompanyIds }) {
  const isSound = isWellFormed(body, RANKING_BODY, ['supply_type']) && isProfileSound(body);
  if (!isSound || !hasConsumption(body)) return refusal.invalid;
  if (body.w !== undefined && body.tolerancia !== undefined) return refusal.invalid;
  if (body.client_id !== undefined && body.client_id !== 1) return refusal.foreignFirm;
  if (caller === 'no-commissions' && (body.w < 1 || body.tolerancia > 0)) return refusal.weight;
  if (body.company_id !== undefined && !ownCompanyIds.includes(body.company_id)) return refusal.notFound;
  const misplaced = body.supply_type === 'GAS' ? LUZ_ONLY : ['consumo_gas'];
  const parts = [body, .../** @type {any} */ (body.perfil ?? [])];
  const isMisplaced = misplaced.some((key) => parts.some((part) => part[key] !== undefined));
  return isMisplaced || hasWrongPrices(body) || isElsewhere(body) || hasWrongTaxes(body) ? refusal.businessRule : null;
}

/** A customer of a negotiation has no tolerance. @type {typeof refuseRanking} */
export function refuseNegotiated(question) {
  return refuseRanking(question) ?? (question.body.tolerancia === undefined ? null : refusal.businessRule);
}

/** Whether a community is given that is in another territory than the given one. @param {Readonly<Record<string, any>>} place */
function isElsewhere({ territory, community }) {
  if (territory === undefined || community === undefined) return false;
  const islands = ['baleares', 'canarias'].includes(community) ? community : 'peninsula';
  return territory !== (['ceuta', 'melilla'].includes(community) ? 'ceuta_melilla' : islands);
}

/** @type {(given: Given) => Refusal | null} */
function refuseRecommend(given) {
  if (given.caller !== 'full') return refusal.missingScope;
  const query = readQuery(given.request.query ?? {});
  if (!isWellFormed(query, RECOMMEND_QUERY, ['consumption_mwh'])) return refusal.invalid;
  if (query.client_id !== undefined && query.client_id !== 1) return refusal.foreignFirm;
  const isMisplaced = query.supply_type === 'GAS' && query.power_kw !== undefined;
  return isMisplaced || isElsewhere(query) ? refusal.businessRule : null;
}

/** An inactive offer is still within reach of its owner, a catalog one is not. @type {(given: Given, id: string | undefined) => boolean} */
function isWithinReach(given, id) {
  const offer = given.offers[Number(id) - 1];
  return offer !== undefined && (offer.is_active !== false || offer.catalog !== true);
}

/** @type {(given: Given) => Refusal | null} */
function refuseCalculation(given) {
  if (given.caller !== 'full') return refusal.missingScope;
  const query = readQuery(given.request.query ?? {});
  if (!isWellFormed(query, CALCULATOR_QUERY, ['consumption_mwh'])) return refusal.invalid;
  if (query.client_id !== undefined && query.client_id !== 1) return refusal.foreignFirm;
  return isWithinReach(given, given.request.params?.id) ? null : refusal.notFound;
}

/** @type {(given: Given) => Refusal | null} */
function refuseComparison(given) {
  const { ids, ...rest } = given.request.query ?? {};
  const isList = Array.isArray(ids) && ids.every((id) => /^[1-9]\d*$/.test(id));
  const isValid = isList && ids.length >= 2 && ids.length <= 10 && new Set(ids).size === ids.length;
  if (!isValid || !isWellFormed(readQuery(rest), { client_id: Number.isInteger }, [])) return refusal.invalid;
  if (rest.client_id !== undefined && rest.client_id !== '1') return refusal.foreignFirm;
  return ids.every((id) => isWithinReach(given, id)) ? null : refusal.notFound;
}

/**
 * Why a request is refused, or `null` when it is answered.
 *
 * @param {Given} given
 * @param {readonly number[]} ownCompanyIds
 * @returns {Refusal | null}
 */
export function refusalFor(given, ownCompanyIds) {
  switch (given.request.operation) {
    case 'rankOffers':
      return refuseRanking({ caller: given.caller, body: given.request.body ?? {}, ownCompanyIds });
    case 'rankPortfolio':
      return null;
    case 'negotiateOffer':
      return isWithinReach(given, String(given.request.body?.offer_id)) ? null : refusal.notFound;
    case 'recommendOffers':
      return refuseRecommend(given);
    case 'calculateCommission':
      return refuseCalculation(given);
    case 'compareOffers':
      return refuseComparison(given);
  }
}
