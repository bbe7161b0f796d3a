import {
  billIssues,
  type Customer,
  DEFAULT_LIMIT,
  defineCustomer,
  foreignFirm,
  type Issue,
  MAX_KW,
  MAX_LIMIT,
  MAX_RANKED_OFFSET,
  MAX_SSAA_EUR_PER_MWH,
  MAX_TOLERANCE,
  misplacedCommunity,
  missingContractPrices,
  NO_FEES,
  periodOf,
  type RankingQuestion,
  refuseIfAny,
  say,
} from '@tarifario/core/service';
import { z } from 'zod';
import {
  clientIdField,
  companyIdField,
  companyNameFilter,
  dayField,
  FILTER_FIELDS,
  filterFrom,
  monthField,
  numberBetween,
  offerSearch,
  supplyTypeField,
} from '../../fields.ts';
import { inSchema } from '../../messages/in-schema.ts';
import { readJson } from '../../read-input.ts';
import { asOfField } from '../../wire/instants.ts';
import { toWirePath } from '../../wire/paths.ts';
import { ENERGY_KEYS, fromWireQuantities, misplacedIn, POWER_KEYS } from '../../wire/prices.ts';
import { asField, byPeriod, IN_PERIOD, WORDS } from '../../wire/words.ts';
import { fromWireTaxes, taxesField } from '../taxes.ts';
import { contractField, fromWireContract, misplacedInContract, namedContract } from './present-contract.ts';
import {
  daysField,
  energyField,
  fromWireProfile,
  kwhField,
  malformedProfile,
  misplacedInProfile,
  profileField,
  totalsOf,
} from './profile.ts';
import { fromWireReasons, REASONS_ASKED } from './reasons.ts';

// Bounds of and the specification, both ends included.
const kw = numberBetween(0, MAX_KW);
const fee = numberBetween(1, 30);

const QUESTION_FIELDS = {
  supply_type: supplyTypeField,
  energia: energyField,
  potencia: z
    .strictObject(byPeriod(POWER_KEYS, kw, IN_PERIOD.contracted))
    .partial()
    .describe(WORDS.potencia)
    .optional(),
  consumo_gas: kwhField.describe('Consumption of gas in kWh over the calculation period.').optional(),
  excedentes: kwhField.describe(WORDS.excedentes).optional(),
  perfil: profileField.optional(),
  dias: daysField.describe(WORDS.dias).optional(),
  meses: z.int().min(1).max(36).describe(WORDS.meses).optional(),
  mes: monthField
    .describe(
      'The month whose prices apply, `YYYY-MM` or any day of it. Left out, indexed offers apply the mean of up to 12 months.',
    )
    .optional(),
  fecha_firma: dayField.describe(WORDS.fecha_firma).optional(),
  fee_energia: fee.describe('Margin on energy, EUR/MWh.').optional(),
  fee_potencia: fee.describe('Margin shown with the power, EUR/MWh; electricity only.').optional(),
  ssaa_eur_mwh: numberBetween(0, MAX_SSAA_EUR_PER_MWH)
    .describe('EUR/MWh of balancing services billed apart.')
    .optional(),
  w: numberBetween(0, 1).describe(WORDS.w).optional(),
  tolerancia: numberBetween(0, MAX_TOLERANCE)
    .describe(
      'EUR of the annual cost of the customer for one EUR of commission, 0 to 100, in place of w. Above 0 it needs `commissions:read`.',
    )
    .optional(),
  contrato_actual: contractField.optional(),
  impuestos: taxesField.optional(),
  ...FILTER_FIELDS,
  company_name: companyNameFilter.optional(),
  company_id: companyIdField.optional(),
  client_id: clientIdField.optional(),
  ssaa_included: asField('ssaa_included', z.boolean()).optional(),
  placas_solares: asField('placas_solares', z.boolean()).optional(),
};

type QuestionBody = z.output<z.ZodObject<typeof QUESTION_FIELDS>>;

/** What is malformed in a question as a whole. */
function malformedIn(body: QuestionBody): readonly Issue[] {
  const together = say('must not be sent together with {field}', { field: 'w' });
  const ofWeight =
    body.w === undefined || body.tolerancia === undefined ? [] : [{ path: 'tolerancia', message: together }];
  const totals = totalsOf(body);
  const ofProfile = malformedProfile(body, totals);
  if (ofProfile.length > 0) return [...ofWeight, ...ofProfile];
  const isGas = body.supply_type === 'GAS';
  const sent = isGas ? [body.consumo_gas] : Object.values(body.energia ?? {});
  const consumed = totals ? totals.consumptionKwh : sent;
  const quantities = isGas ? consumed : [...consumed, ...Object.values(body.potencia ?? {})];
  if (quantities.some((quantity) => (quantity ?? 0) > 0)) return ofWeight;
  const [field, other] = isGas ? (['consumo_gas', 'energia'] as const) : (['energia', 'consumo_gas'] as const);
  const message = isGas
    ? 'must be greater than 0 for GAS'
    : 'at least one value of energia or potencia must be greater than 0';
  return [...ofWeight, { path: field, message }, ...misplacedFields(body, [other])];
}

function checkQuantities(body: QuestionBody, context: z.RefinementCtx): void {
  for (const { path, message } of malformedIn(body)) {
    context.addIssue({ code: 'custom', path: path.split('.'), message: inSchema(message) });
  }
}

const limit = z.int().min(1).max(MAX_LIMIT).describe(WORDS.limit).default(DEFAULT_LIMIT);
const offset = z.int().min(0).max(MAX_RANKED_OFFSET).describe(WORDS.offset).default(0);

/** The body of `POST /v1/offers/efficient`. */
export const efficientBody = z
  .strictObject({
    ...QUESTION_FIELDS,
    q: offerSearch.optional(),
    ...{ limit, offset, as_of: asOfField.optional() },
    ...REASONS_ASKED,
  })
  .superRefine(checkQuantities)
  .meta({ id: 'RankingQuestion' });

/** The question of a proposal: the same, always about now, and without reasons. */
export const proposalRequest = z.strictObject({ ...QUESTION_FIELDS, limit }).superRefine(checkQuantities);

const MAX_REF_LENGTH = 100;
export const refField = z.string().min(1).max(MAX_REF_LENGTH).describe(WORDS.ref);
export const MAX_TOP = 10;

/** One customer of a portfolio: a single question without `limit`, and the caller's name for the customer. */
export const portfolioCustomer = z.strictObject({ ref: refField, ...QUESTION_FIELDS }).superRefine(checkQuantities);

type EfficientBody = z.output<typeof efficientBody>;
type QuestionInput = QuestionBody &
  Pick<EfficientBody, 'limit'> &
  Partial<Omit<EfficientBody, keyof QuestionBody | 'limit'>>;

/** Issues that break a rule of the supply: fields of the other one, and missing prices of the present contract. */
function ruleIssues(body: QuestionBody, customer: Customer): Issue[] {
  const { contrato_actual: sent, supply_type: supply } = body;
  const issues = [
    ...misplacedFields(body, supply === 'GAS' ? ELECTRICITY_FIELDS : ['consumo_gas']),
    ...misplacedInProfile(body),
    ...misplacedCommunity(body.territory ?? null, body.community ?? null),
  ];
  if (sent === undefined) return issues;
  const missing = sent.offer_id === undefined ? missingContractPrices(fromWireContract(sent, supply), customer) : [];
  const isBillAlone = sent.factura_total !== undefined && body.impuestos === undefined;
  const inContract: readonly Issue[] = [
    ...misplacedInContract(sent, supply),
    ...(isBillAlone
      ? [{ path: 'factura_total', message: say('is allowed only beside {field}', { field: 'impuestos' }) }]
      : []),
    ...missing.map(({ path, message }) => ({ path: toWirePath(path), message })),
  ];
  return [...issues, ...inContract.map(({ path, message }) => ({ path: `contrato_actual.${path}`, message }))];
}

const ELECTRICITY_FIELDS = [
  'energia',
  'potencia',
  'excedentes',
  'ssaa_included',
  'placas_solares',
  'fee_potencia',
  'ssaa_eur_mwh',
] as const;
/** The field for the quantities of a supply, named to a caller who uses that of the other one. */
const RIGHT_FIELD = { GAS: 'consumo_gas', LUZ: 'energia' } as const;

function misplacedFields(
  body: QuestionBody,
  fields: readonly ((typeof ELECTRICITY_FIELDS)[number] | 'consumo_gas')[],
): readonly Issue[] {
  const { supply_type: supply } = body;
  const moved = say('is not allowed for {supply}: its kWh go into {field}', { supply, field: RIGHT_FIELD[supply] });
  const isQuantity = (path: string) => path === 'energia' || path === 'consumo_gas';
  return misplacedIn(body, fields, supply).map((issue) =>
    isQuantity(issue.path) ? { ...issue, message: moved } : issue,
  );
}

function fromWireCustomer(body: QuestionBody): Customer {
  const profile = fromWireProfile(body);
  if (body.supply_type === 'GAS') {
    return defineCustomer({ supplyType: 'GAS', consumptionKwh: body.consumo_gas ?? 0, profile });
  }
  return defineCustomer({
    supplyType: 'LUZ',
    consumptionKwh: fromWireQuantities(ENERGY_KEYS, body.energia),
    powerKw: fromWireQuantities(POWER_KEYS, body.potencia),
    exportedKwh: body.excedentes ?? 0,
    profile,
  });
}

/** The question of a body; fields of the other supply type are its `issues`. */
export function toQuestion(body: QuestionInput, firmId: number | null): RankingQuestion {
  const isGas = body.supply_type === 'GAS';
  const customer = fromWireCustomer(body);
  const bill = body.impuestos ? fromWireTaxes(body.impuestos) : null;
  const period = periodOf(customer, { days: body.dias, months: body.meses });
  const filter = filterFrom(body);
  const { contrato_actual: sent } = body;
  const contract = sent ? namedContract(sent) : null;
  return {
    firmId,
    contract,
    asOf: body.as_of ?? null,
    search: body.q ?? null,
    bill,
    issues: [...ruleIssues(body, customer), ...(bill ? billIssues(bill, { customer, period, ...filter }) : [])],
    request: {
      customer,
      period,
      fees: {
        energyEurPerMwh: body.fee_energia ?? NO_FEES.energyEurPerMwh,
        powerEurPerMwh: isGas ? NO_FEES.powerEurPerMwh : (body.fee_potencia ?? NO_FEES.powerEurPerMwh),
      },
      ...(body.ssaa_eur_mwh && { ssaaEurPerMwh: body.ssaa_eur_mwh }),
      weight: body.w ?? null,
      tolerance: body.tolerancia ?? null,
      contract: sent && contract === null ? fromWireContract(sent, body.supply_type) : null,
      month: body.mes ?? null,
      ...(body.fecha_firma !== undefined && { signingDay: body.fecha_firma }),
      filter: {
        ...filter,
        supplyType: body.supply_type,
        ssaaIncluded: isGas ? null : (body.ssaa_included ?? null),
        hasSolarPanels: isGas ? null : (body.placas_solares ?? null),
      },
      company: { ownCompanyId: body.company_id ?? null, companyName: body.company_name ?? null },
      limit: body.limit,
      offset: body.offset ?? 0,
      reasons: fromWireReasons(body),
    },
  };
}

/**
 * A ranking asked in wire form, for programs without a server.
 *
 * @throws DomainError `invalid_request` for malformed input, `business_rule` for fields of the other supply type.
 */
export function fromWireEfficient(json: unknown): RankingQuestion {
  const body = readJson(efficientBody, json);
  const question = toQuestion(body, body.client_id ?? null);
  refuseIfAny(question.issues);
  return question;
}

// The customers of the examples.
export const HOUSEHOLD = {
  supply_type: 'LUZ',
  energia: { e1: 1100, e2: 900, e3: 1500 },
  potencia: { p1: 4.6, p2: 4.6 },
};
export const GAS_MONTH = { supply_type: 'GAS', consumo_gas: 800, dias: 30, w: 1 };

/** The firm from the query or the body; two different ones are refused. */
export function oneFirm(inQuery: number | null, inBody: number | undefined): number | null {
  if (inQuery !== null && inBody !== undefined && inQuery !== inBody) throw foreignFirm();
  return inQuery ?? inBody ?? null;
}
