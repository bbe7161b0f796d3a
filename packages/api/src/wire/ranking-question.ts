import {
  type Customer,
  DEFAULT_LIMIT,
  defineCustomer,
  type Issue,
  MAX_KW,
  MAX_LIMIT,
  MAX_TOLERANCE,
  type Message,
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
  FILTER_FIELDS,
  filterFrom,
  monthField,
  numberBetween,
  supplyTypeField,
} from '../fields.ts';
import { inSchema } from '../messages/in-schema.ts';
import { readJson } from '../read-input.ts';
import { asOfField } from './instants.ts';
import { toWirePath } from './paths.ts';
import { contractField, fromWireContract, misplacedInContract } from './present-contract.ts';
import { ENERGY_KEYS, fromWirePeriods, POWER_KEYS } from './prices.ts';
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
import { asField, byPeriod, IN_PERIOD, WORDS } from './words.ts';

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
  fee_energia: fee.describe('Margin on energy, EUR/MWh.').optional(),
  fee_potencia: fee.describe('Margin shown with the power, EUR/MWh; electricity only.').optional(),
  w: numberBetween(0, 1).describe(WORDS.w).optional(),
  tolerancia: numberBetween(0, MAX_TOLERANCE)
    .describe(
      'EUR of the annual cost of the customer for one EUR of commission, 0 to 100, in place of w. Above 0 it needs `commissions:read`.',
    )
    .optional(),
  contrato_actual: contractField.optional(),
  ...FILTER_FIELDS,
  company_name: companyNameFilter.optional(),
  company_id: companyIdField.optional(),
  client_id: clientIdField.optional(),
  ssaa_included: asField('ssaa_included', z.boolean()).optional(),
};

type QuestionBody = z.output<z.ZodObject<typeof QUESTION_FIELDS>>;

function checkQuantities(body: QuestionBody, context: z.RefinementCtx): void {
  if (body.w !== undefined && body.tolerancia !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['tolerancia'],
      message: inSchema(say('must not be sent together with {field}', { field: 'w' })),
    });
  }
  const totals = totalsOf(body);
  const malformed = malformedProfile(body, totals);
  for (const { path, message } of malformed) {
    context.addIssue({ code: 'custom', path: path.split('.'), message: inSchema(message) });
  }
  if (malformed.length > 0) return;
  const consumed = totals
    ? totals.consumptionKwh
    : Object.values(body.supply_type === 'GAS' ? { kwh: body.consumo_gas ?? 0 } : (body.energia ?? {}));
  const isGas = body.supply_type === 'GAS';
  const quantities = isGas ? consumed : [...consumed, ...Object.values(body.potencia ?? {})];
  if (quantities.some((quantity) => (quantity ?? 0) > 0)) return;
  const [field, other] = isGas ? (['consumo_gas', 'energia'] as const) : (['energia', 'consumo_gas'] as const);
  const message = isGas
    ? 'must be greater than 0 for GAS'
    : 'at least one value of energia or potencia must be greater than 0';
  context.addIssue({ code: 'custom', path: [field], message: inSchema(message) });
  if (body[other] !== undefined) {
    context.addIssue({ code: 'custom', path: [other], message: inSchema(misplaced(body, other)) });
  }
}

const limit = z.int().min(1).max(MAX_LIMIT).describe(WORDS.limit).default(DEFAULT_LIMIT);
/** Nobody reads on for longer, and what comes before a result has to be put in order too. */
const MAX_RANKED_OFFSET = 10_000;
const offset = z.int().min(0).max(MAX_RANKED_OFFSET).describe(WORDS.offset).default(0);

/** The body of `POST /v1/offers/efficient`. */
export const efficientBody = z
  .strictObject({ ...QUESTION_FIELDS, limit, offset, as_of: asOfField.optional() })
  .superRefine(checkQuantities)
  .meta({ id: 'RankingQuestion' });

/** The question of a proposal: the same, and always about now. */
export const proposalRequest = z.strictObject({ ...QUESTION_FIELDS, limit }).superRefine(checkQuantities);

const MAX_REF_LENGTH = 100;
export const refField = z.string().min(1).max(MAX_REF_LENGTH).describe(WORDS.ref);
export const MAX_TOP = 10;

/** One customer of a portfolio: a single question without `limit`, and the caller's name for the customer. */
export const portfolioCustomer = z.strictObject({ ref: refField, ...QUESTION_FIELDS }).superRefine(checkQuantities);

type EfficientBody = z.output<typeof efficientBody>;
type QuestionInput = QuestionBody & Pick<EfficientBody, 'limit'> & Partial<Pick<EfficientBody, 'offset' | 'as_of'>>;

/** Issues that break a rule of the supply: fields of the other one, and missing prices of the present contract. */
function ruleIssues(body: QuestionBody, customer: Customer): Issue[] {
  const { contrato_actual: sent } = body;
  if (sent === undefined) return misplacedFields(body);
  const misplaced = misplacedInContract(sent, body.supply_type);
  const missing = missingContractPrices(fromWireContract(sent, body.supply_type), customer);
  const inContract = [...misplaced, ...missing.map(({ path, message }) => ({ path: toWirePath(path), message }))];
  return [
    ...misplacedFields(body),
    ...inContract.map(({ path, message }) => ({ path: `contrato_actual.${path}`, message })),
  ];
}

/** The fields for the quantities of a supply, named to a caller who uses those of the other one. */
const RIGHT_FIELD = { GAS: 'consumo_gas', LUZ: 'energia' } as const;

function misplaced({ supply_type: supply }: Pick<QuestionBody, 'supply_type'>, field: string): Message {
  const isQuantity = Object.values<string>(RIGHT_FIELD).includes(field);
  return isQuantity
    ? say('is not allowed for {supply}: its kWh go into {field}', { supply, field: RIGHT_FIELD[supply] })
    : say('is not allowed for {supply}', { supply });
}

const ELECTRICITY_FIELDS = ['energia', 'potencia', 'excedentes', 'ssaa_included', 'fee_potencia'] as const;
const GAS_FIELDS = ['consumo_gas'] as const;

/** Fields that have no meaning for the supply type: well-formed, but against the rules. */
function misplacedFields(body: QuestionBody): Issue[] {
  const fields = body.supply_type === 'GAS' ? ELECTRICITY_FIELDS : GAS_FIELDS;
  return [
    ...fields
      .filter((field) => body[field] !== undefined)
      .map((field) => ({ path: field, message: misplaced(body, field) })),
    ...misplacedInProfile(body),
  ];
}

function fromWireCustomer(body: QuestionBody): Customer {
  const profile = fromWireProfile(body);
  if (body.supply_type === 'GAS') {
    return defineCustomer({ supplyType: 'GAS', consumptionKwh: body.consumo_gas ?? 0, profile });
  }
  const quantities = (
    keys: typeof ENERGY_KEYS | typeof POWER_KEYS,
    sent: Parameters<typeof fromWirePeriods<number>>[1],
  ) => fromWirePeriods(keys, sent).map((quantity) => quantity ?? 0);
  return defineCustomer({
    supplyType: 'LUZ',
    consumptionKwh: quantities(ENERGY_KEYS, body.energia ?? {}),
    powerKw: quantities(POWER_KEYS, body.potencia ?? {}),
    exportedKwh: body.excedentes ?? 0,
    profile,
  });
}

/** The question of a body; fields of the other supply type are its `issues`. */
export function toQuestion(body: QuestionInput, firmId: number | null): RankingQuestion {
  const isGas = body.supply_type === 'GAS';
  const customer = fromWireCustomer(body);
  return {
    firmId,
    asOf: body.as_of ?? null,
    issues: ruleIssues(body, customer),
    request: {
      customer,
      period: periodOf(customer, { days: body.dias, months: body.meses }),
      fees: {
        energyEurPerMwh: body.fee_energia ?? NO_FEES.energyEurPerMwh,
        powerEurPerMwh: isGas ? NO_FEES.powerEurPerMwh : (body.fee_potencia ?? NO_FEES.powerEurPerMwh),
      },
      weight: body.w ?? null,
      tolerance: body.tolerancia ?? null,
      contract: body.contrato_actual ? fromWireContract(body.contrato_actual, body.supply_type) : null,
      month: body.mes ?? null,
      filter: {
        ...filterFrom(body),
        supplyType: body.supply_type,
        ssaaIncluded: isGas ? null : (body.ssaa_included ?? null),
      },
      company: { ownCompanyId: body.company_id ?? null, companyName: body.company_name ?? null },
      limit: body.limit,
      offset: body.offset ?? 0,
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
