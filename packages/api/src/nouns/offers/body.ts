import {
  COMMUNITIES,
  copierOf,
  FIELD_LIST,
  type FieldName,
  fieldPartsOf,
  fieldsOf,
  type OfferChanges,
  type RequiredTerms,
  type TermsField,
  type TierHeaders,
} from '@tarifario/core/service';
import { z } from 'zod';
import { companyIdField, dayField, idField, monthField, numberField, patchOf, supplyTypeField } from '../../fields.ts';
import { inSchema } from '../../messages/in-schema.ts';
import { TIER_KEYS } from '../../wire/paths.ts';
import { asField, tierBounds, WORDS } from '../../wire/words.ts';

function tiersField({ from, to, value, type }: TierHeaders) {
  const bounds = tierBounds({ from, to }, { from: numberField, to: numberField.nullable().default(null) });
  const rest = { [value]: asField(value, numberField), [type]: asField(type, z.string()).default('fixed') };
  return z.array(z.strictObject({ ...bounds, ...rest }));
}

/** The accepted values of a field. Null is accepted in fields of one supply for the sake of the other. */
function sentField(field: TermsField): z.ZodType {
  const { name, kind, supply, initial } = field;
  const tierKeys = TIER_KEYS[name];
  if (kind === 'tiers' && tierKeys) {
    const tiers = tiersField(tierKeys);
    return (supply === null ? tiers : tiers.nullable()).optional();
  }
  switch (kind) {
    case 'id':
      return idField.optional();
    case 'flag':
      return (supply === null && initial !== null ? z.boolean() : z.boolean().nullable()).optional();
    case 'flags':
      return z.boolean().optional();
    case 'list':
      return z.array(z.enum(COMMUNITIES)).optional();
    case 'amount':
    case 'periods':
      return (initial === null ? numberField.nullable() : numberField).optional();
    case 'note':
      return (field.pattern ? z.string().regex(field.pattern) : z.string()).nullable().optional();
    case 'day':
      return dayField.nullable().optional();
    default:
      return z.string().optional();
  }
}

type Fields = Readonly<Record<string, z.ZodType>>;

function sentFields(fields: readonly TermsField[]): Fields {
  return Object.fromEntries(
    fields.flatMap((field) => fieldPartsOf(field).map(({ wire }) => [wire, asField(wire, sentField(field))])),
  );
}

/** Prices by period and gas prices; an offer and a month of its history have the same. */
const PRICE_FIELDS = sentFields(fieldsOf('prices'));

/** The prices of one month, as they are sent. */
export const monthBody = z
  .strictObject({ reference_month: monthField.describe(WORDS.reference_month), ...PRICE_FIELDS })
  .meta({ id: 'NewMonth' });

/** In the order in which their refusals are listed. */
const SENT_FIELDS = fieldsOf('prices', 'identity', 'costs', 'commissions', 'options', 'reach', 'contract', 'hours');

/** Every field of an offer that a caller may send, besides the required ones. */
export const OPTIONAL_FIELDS = sentFields(SENT_FIELDS.filter(({ kind }) => kind !== 'text'));

/** Fields that an electricity offer cannot lack, with their types; null means nothing on gas. */
const NEVER_NULL = SENT_FIELDS.filter(({ supply, initial }) => supply === 'LUZ' && initial !== null).flatMap(
  (field) => {
    const message = inSchema(field.kind === 'tiers' ? 'must be a list' : 'must be true or false');
    return fieldPartsOf(field).map(({ wire }) => ({ wire, message }));
  },
);

/** The body of `POST /v1/offers`. */
export const newOfferBody = z
  .strictObject({
    company_id: companyIdField,
    offer_name: z.string(),
    supply_type: supplyTypeField,
    tariff_type: asField('tariff_type', z.string()),
    ...OPTIONAL_FIELDS,
  })
  .superRefine((body, context) => {
    if (body.supply_type === 'GAS') return;
    const sent: Readonly<Record<string, unknown>> = body;
    for (const { wire, message } of NEVER_NULL) {
      if (sent[wire] === null) context.addIssue({ code: 'custom', path: [wire], message });
    }
  })
  .meta({ id: 'NewOffer' });

const TEXT_FIELDS = sentFields(SENT_FIELDS.filter(({ kind }) => kind === 'text'));

/** The fields that may change in several offers at once: all but the company. */
export const offerUpdates = patchOf({ ...TEXT_FIELDS, ...OPTIONAL_FIELDS }).meta({ id: 'OfferUpdates' });

/** The body of `PATCH /v1/offers/{id}`. */
export const offerPatchBody = patchOf({
  ...sentFields(fieldsOf('owner')),
  ...TEXT_FIELDS,
  ...OPTIONAL_FIELDS,
}).meta({ id: 'OfferChanges' });

/** The sent values, by the names of the wire. */
export type SentFields = Readonly<Record<string, unknown>>;

/** A field as it is sent. */
interface FieldReader {
  readonly name: FieldName;
  readonly read: (sent: SentFields) => unknown;
}

function readerOf(field: TermsField): FieldReader {
  const { name, kind } = field;
  const parts = fieldPartsOf(field);
  const [{ wire } = { wire: '' }] = parts;
  const tierKeys = TIER_KEYS[name];
  if (kind === 'tiers' && tierKeys) return { name, read: (sent) => fromWireTiers(sent[wire] as SentTiers, tierKeys) };
  if (kind === 'periods') return { name, read: (sent) => parts.map((part) => sent[part.wire]) };
  if (kind !== 'flags') return { name, read: (sent) => sent[wire] };
  const flags = parts.map((each) => ({ flag: String(each.part), wire: each.wire }));
  const blank = copierOf(Object.fromEntries(flags.map(({ flag }) => [flag, null])));
  const read = (sent: SentFields) => {
    const values = blank();
    for (const each of flags) values[each.flag] = sent[each.wire];
    return values;
  };
  return { name, read };
}

type SentTiers = readonly Readonly<Record<string, unknown>>[] | null | undefined;

/** Null stays null: it means nothing on gas and is refused on electricity. */
function fromWireTiers(sent: SentTiers, { from, to, value, type }: TierHeaders) {
  return sent?.map((tier) => ({ value: tier[value], type: tier[type], from: tier[from], to: tier[to] })) ?? sent;
}

/** Reads some of the sent fields, after the schema of each field has checked them. */
function readerOfFields(fields: readonly TermsField[]): (sent: SentFields) => OfferChanges {
  const readers = fields.map(readerOf);
  const blank = copierOf(Object.fromEntries(readers.map(({ name }) => [name, null])));
  return (sent) => {
    const changes = blank();
    for (const { name, read } of readers) changes[name] = read(sent);
    return changes;
  };
}

/** The changes of the sent fields of an offer. */
export const fromWireOffer = readerOfFields(FIELD_LIST);

/** The prices of an offer or a month, as core takes them. */
export const fromWirePrices = readerOfFields(fieldsOf('prices'));

/** A new offer: what creation requires, and the rest. */
export function fromWireNewOffer(body: z.output<typeof newOfferBody>): {
  readonly required: RequiredTerms;
  readonly changes: OfferChanges;
} {
  const { company_id, offer_name, supply_type, tariff_type, ...fields } = body;
  return {
    required: { companyId: company_id, offerName: offer_name, supplyType: supply_type, tariffType: tariff_type },
    changes: fromWireOffer(fields),
  };
}
