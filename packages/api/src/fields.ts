import {
  CATALOG_DEFAULTS,
  type Caller,
  COMMUNITIES,
  CUSTOMER_TYPES,
  checkName,
  cleanName,
  DEFAULT_LIMIT,
  DomainError,
  dayNumber,
  MAX_LIMIT,
  MAX_TARIFF_LENGTH,
  type Message,
  monthFor,
  OFFER_FIELDS,
  type PageOf,
  SUPPLY_TYPES,
  say,
  TERRITORIES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { inSchema } from './messages/in-schema.ts';
import { withoutMinusZero } from './wire/numbers.ts';
import { asField, WORDS } from './wire/words.ts';

/** Largest `offset` of a list. */
export const MAX_OFFSET = 1_000_000;

/**
 * The id of a record, 1 to 2^53 - 1. A larger integer would be rounded to a neighbouring id, so it becomes 0, which no
 * record has, and is answered "not found".
 */
export const idField = z
  .number()
  // For the message of a wrong type; the document shows the bounds below.
  .meta({ type: 'integer' })
  .refine(
    (id) => Number.isInteger(id) && id >= 1,
    inSchema(say('must be a whole number of at least {min}', { min: 1 })),
  )
  .transform((id) => (Number.isSafeInteger(id) ? id : 0))
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** The name of a record. */
export const nameField = z.string().describe('1 to 200 characters.');

/** The ids of some records, each named once. */
export const idsField = (min: number, max: number) =>
  z
    .array(idField)
    .min(min)
    .max(max)
    .refine((ids) => new Set(ids).size === ids.length, inSchema('must be distinct'))
    .meta({ uniqueItems: true });

/** A finite number; -0 is 0. */
export const numberField = z.number().overwrite(withoutMinusZero);
/** A finite number between two bounds, both included. */
export const numberBetween = (min: number, max: number) => z.number().min(min).max(max).overwrite(withoutMinusZero);

/** The same for bounds of core. */
export const numberWithin = ({ min, max }: { readonly min: number; readonly max: number }) => numberBetween(min, max);

export const supplyTypeField = z.enum(SUPPLY_TYPES).describe(WORDS.supply_type);
export const territoryField = z.enum(TERRITORIES).describe(WORDS.territory);
export const communityField = z
  .enum(COMMUNITIES)
  .describe('An autonomous community; offers without restriction match too.');
export const clientTypeField = z
  .enum(CUSTOMER_TYPES)
  .describe("Who signs: an individual (`dni`), a company (`cif`) or an owners' community (`cdad`).");
export const catalogField = z
  .enum(CATALOG_DEFAULTS)
  .describe('Whether the firm subscribes to the whole shared catalog or to nothing of it.');

/** Text to search for: with the length limits of a name, and cleaned like a stored name. */
export function searchField(maxLength?: number) {
  return z
    .string()
    .superRefine((text, context) => {
      const [issue] = checkName('', text, maxLength);
      if (issue) context.addIssue({ code: 'custom', message: inSchema(issue.message) });
    })
    .overwrite(cleanName);
}

export const tariffTypeFilter = asField('tariff_type', searchField(MAX_TARIFF_LENGTH));
export const companyNameFilter = searchField().describe(WORDS.company_name);
export const offerSearch = searchField(100).describe(
  'Words of the name of the offer or its retailer, without regard to case and accents.',
);
export const endpointFilter = searchField().describe(WORDS.endpoint);

/** `YYYY-MM`, or any real day of the month. */
export const monthField = z
  .string()
  .refine((text) => monthFor(text) !== null, inSchema('must be a month, YYYY-MM or YYYY-MM-DD'))
  .transform((text) => monthFor(text) ?? text)
  .meta({ type: 'string', pattern: '^\\d{4}-\\d{2}(-\\d{2})?$' });

/** Any real day. */
export const dayField = z
  .string()
  .refine((text) => dayNumber(text) !== null, inSchema('must be a day as YYYY-MM-DD'))
  .meta({ type: 'string', format: 'date' });

const monthsWithin = ({ min, max }: { readonly min: number; readonly max: number }) => z.int().min(min).max(max);

/** The filters on terms of the contract. */
export const TERMS_FIELDS = {
  permanencia_max: monthsWithin(OFFER_FIELDS.permanenceMonths.bounds).describe(WORDS.permanencia_max).optional(),
  precio_fijo_min: monthsWithin(OFFER_FIELDS.fixedPriceMonths.bounds).describe(WORDS.precio_fijo_min).optional(),
  energia_verde: asField('energia_verde', z.boolean()).optional(),
};

/** The same in the form of core. */
export function termsFrom(sent: z.output<z.ZodObject<typeof TERMS_FIELDS>>) {
  return {
    maxPermanenceMonths: sent.permanencia_max ?? null,
    minFixedPriceMonths: sent.precio_fijo_min ?? null,
    isGreen: sent.energia_verde ?? null,
  };
}

/** The filters of offers besides the supply, in a question or a query. */
export const FILTER_FIELDS = {
  tariff_type: tariffTypeFilter.optional(),
  territory: territoryField.optional(),
  community: communityField.optional(),
  client_type: clientTypeField.optional(),
  ...TERMS_FIELDS,
};

/** The same in the form of core; fields that only some questions have are optional. */
export function filterFrom(sent: z.output<z.ZodObject<typeof FILTER_FIELDS>>) {
  return {
    tariffType: sent.tariff_type ?? null,
    territory: sent.territory ?? null,
    community: sent.community ?? null,
    customerType: sent.client_type ?? null,
    ssaaIncluded: null,
    hasSolarPanels: null,
    ...termsFrom(sent),
  };
}

/** Every operation accepts `client_id`: it narrows the request to one advisory firm of the caller. */
export const clientIdField = idField.describe('An advisory firm.');
/** A retailer. */
export const companyIdField = asField('company_id', idField);
export const CLIENT_QUERY = { client_id: clientIdField.optional() };
export const PAGE_QUERY = {
  limit: z.int().min(1).max(MAX_LIMIT).describe(WORDS.limit).default(DEFAULT_LIMIT),
  offset: z.int().min(0).max(MAX_OFFSET).describe(WORDS.offset).default(0),
};
export const includeInactive = z.boolean().describe('Deactivated records too.').default(false);
/** The same for a list in order of id, which can also continue after a record. */
export const ID_PAGE_QUERY = {
  limit: PAGE_QUERY.limit,
  // `offset` has no default, because a caller sends either `offset` or `after_id`.
  offset: z.int().min(0).max(MAX_OFFSET).describe(WORDS.offset).optional().meta({ default: 0 }),
  after_id: idField
    .describe('Only what comes after the record with this id: no page repeats or skips one while others are added.')
    .optional(),
};
export const LIST_QUERY = { include_inactive: includeInactive, ...ID_PAGE_QUERY };

/** The body of a partial change: some of the fields, at least one. */
export function patchOf<T extends z.ZodRawShape>(fields: T) {
  return z
    .strictObject(fields)
    .refine((sent) => Object.keys(sent).length > 0, {
      error: inSchema('must name at least one field'),
      // If a field is unknown, only that is reported.
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 });
}

/** The envelope of every list. */
export function listOf<T extends z.ZodType>(result: T) {
  return z.strictObject({
    total: z.int().min(0).describe(WORDS.total),
    limit: z.int().min(1).max(MAX_LIMIT).describe(WORDS.limit),
    offset: z.int().min(0).max(MAX_OFFSET).describe(WORDS.offset),
    results: z.array(result),
  });
}

/** The query of a list, in the form of the use cases. */
export function listChoice(query: z.output<z.ZodObject<typeof LIST_QUERY>>) {
  return { includeInactive: query.include_inactive, page: pageOf(query) };
}

interface PageQuery {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly after_id?: number | undefined;
}

/** The page that a query names. @throws DomainError `invalid_request` where it has both `offset` and `after_id`. */
export function pageOf({ limit, offset, after_id: afterId }: PageQuery) {
  if (offset !== undefined && afterId !== undefined) {
    throw notSent('after_id', say('is not sent beside {name}', { name: 'offset' }));
  }
  // 0 is an id larger than any: nothing comes after it.
  return { limit, offset: offset ?? 0, afterId: afterId === 0 ? Number.MAX_SAFE_INTEGER : (afterId ?? null) };
}

/** The refusal of a parameter that was sent. */
export function notSent(path: string, message: Message): DomainError {
  return new DomainError('invalid_request', { issues: [{ path, message }] });
}

/** The answer of a list of these. */
export function listAnswer<Result>(each: {
  readonly shape: z.ZodType;
  readonly toWire: (result: Result, caller: Caller) => unknown;
}) {
  const toWire = ({ total, results }: PageOf<Result>, caller: Caller, { query }: { readonly query: PageQuery }) => {
    const { limit, offset = 0 } = query;
    return { total, limit, offset, results: results.map((result) => each.toWire(result, caller)) };
  };
  return { shape: listOf(each.shape), toWire };
}
