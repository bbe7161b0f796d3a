import {
  type AnyTier,
  copierOf,
  type FieldName,
  type FieldSection,
  fieldPartsOf,
  fieldsOf,
  type ListedOffer,
  type OfferDetail,
  type OfferEvent,
  type OfferRecord,
  recordOf,
  type SupplyType,
  shownUpdatedAt,
  type TermsField,
  type TierHeaders,
} from '@tarifario/core/service';
import { z } from 'zod';
import { answer, type Frozen, id, instant } from './answer.ts';
import type { offerShape } from './offer-shapes.ts';
import { TIER_KEYS } from './paths.ts';
import { toWireMonth } from './prices.ts';

/** Decides what of commissions is told. */
export interface Visibility {
  /** `false`: commission fields are null, and texts for agents do not mention them. */
  readonly seesCommissions: boolean;
}

/**
 * An offer on the wire: every key of its supply type, null when unset, and none of the other.
 *
 * @see docs/assumptions.md, A-26 and A-49
 */
export function toWireOffer({ offer, company, firm }: OfferRecord, { seesCommissions }: Visibility): WireOffer {
  const { blank, writers, visibleWriters } = ANSWERS[offer.supplyType];
  const values: Readonly<Partial<Record<FieldName, unknown>>> = offer;
  const answer = blank();
  answer.id = offer.id;
  answer.supply_type = offer.supplyType;
  answer.is_catalog = company.firmId === null;
  answer.company = {
    id: company.id,
    name: company.name,
    logo_url: company.logoUrl,
    client: firm ? { id: firm.id, name: firm.name, image_url: firm.imageUrl } : null,
  };
  for (const { wire, name, write } of seesCommissions ? writers : visibleWriters) answer[wire] = write(values[name]);
  answer.created_at = offer.createdAt;
  answer.updated_at = shownUpdatedAt(offer, seesCommissions);
  return answer as WireOffer;
}

/** A page of offers on the wire. */
export interface WireOfferPage {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Where the filter asks for a term. */
  readonly unknownTerms?: number;
  readonly results: readonly ListedOffer[];
  /** The cursor of the next page. */
  readonly next?: string;
}

/** The page as a JSON value. */
export function toWireOffers(page: WireOfferPage, visibility: Visibility) {
  const { total, limit, offset, unknownTerms, results, next } = page;
  return {
    ...{ total, limit, offset },
    ...(unknownTerms !== undefined && { terminos_desconocidos: unknownTerms }),
    ...(next !== undefined && { next }),
    results: results.map((listed) => toWireOffer(recordOf(listed), visibility)),
  };
}

/** Its fields are those of the table, each in the form of its kind. */
export type WireOffer = Frozen<z.input<typeof offerShape>> & { readonly communities: readonly string[] };

/** Functions that write a value of a field. */
interface Writer {
  readonly wire: string;
  readonly name: FieldName;
  readonly write: (value: unknown) => unknown;
}

function writersOf(field: TermsField): readonly Writer[] {
  const { name } = field;
  const tierKeys = TIER_KEYS[name];
  return fieldPartsOf(field).map(({ wire, part }) => {
    if (part !== null)
      return { wire, name, write: (value) => (value as Readonly<Record<number | string, unknown>>)[part] };
    if (field.kind !== 'tiers' || !tierKeys) return { wire, name, write: (value) => value };
    return { wire, name, write: (value) => (value as readonly AnyTier[]).map((tier) => toWireTier(tier, tierKeys)) };
  });
}

const ANSWERS = { LUZ: answerOf('LUZ'), GAS: answerOf('GAS') };

/** The fields of an answer in their order: the company follows the fields that identify the offer. */
function answerOf(supplyType: SupplyType) {
  const of = (...sections: readonly FieldSection[]) =>
    fieldsOf(...sections).filter(({ supply }) => supply === null || supply === supplyType);
  const [offerName, ...identity] = of('identity').flatMap(writersOf);
  const visible = of('prices', 'options', 'costs').flatMap(writersOf);
  const commissions = of('commissions').flatMap(writersOf);
  const reach = of('reach').flatMap(writersOf);
  const contract = of('contract').flatMap(writersOf);
  const names = offerName ? [offerName, ...identity] : identity;
  const keys = (writers: readonly Writer[]) => writers.map(({ wire }) => wire);
  const order = [
    'id',
    ...keys(names.slice(0, 1)),
    'supply_type',
    ...keys(identity),
    'is_catalog',
    'company',
    ...keys([...visible, ...commissions, ...reach]),
    'created_at',
    'updated_at',
    ...keys(contract),
  ];
  const visibleWriters = [...names, ...visible, ...reach, ...contract];
  const blank = copierOf(Object.fromEntries(order.map((key) => [key, null])));
  return { blank, visibleWriters, writers: [...visibleWriters, ...commissions] };
}

/** As `toWireOffer`, with the monthly history, oldest first, and its length. */
export function toWireOfferDetail({ record, months }: OfferDetail, visibility: Visibility) {
  const history = { indexed_prices: months.map(toWireMonth), indexed_prices_total: months.length };
  return { ...toWireOffer(record, visibility), ...history };
}

/** A change of an offer, with the names and values of its answers. */
export const offerEvent = answer(
  'OfferEvent',
  {
    changed_at: instant.describe('When it was done.'),
    key_id: id
      .nullable()
      .describe(
        'The key that did it; null: the command line, or a key of somebody else where the offer is of the catalog.',
      ),
    fields: z
      .array(
        z.strictObject({
          field: z
            .string()
            .describe('What was changed: a field of the offer, or `indexed_prices` for one of its months.'),
          before: z.unknown().describe('The same before it.'),
          after: z.unknown().describe('The value, or for `indexed_prices` the month, after the change; null: none.'),
        }),
      )
      .describe('What was changed; empty: the offer was created.'),
  },
  ({ changedAt, keyId, change }: OfferEvent) => ({
    changed_at: changedAt,
    key_id: keyId,
    fields: toWireChanges(change),
  }),
);

function toWireChanges(change: OfferEvent['change']) {
  if (change.kind === 'created') return [];
  if (change.kind === 'month') {
    const [before, after] = [change.before, change.after].map((price) => price && toWireMonth(price));
    return [{ field: 'indexed_prices', before, after }];
  }
  return change.values.map(({ part: { field, wire }, before, after }) => {
    const keys = TIER_KEYS[field.name];
    const toWire = (value: unknown) =>
      keys ? (value as readonly AnyTier[]).map((tier) => toWireTier(tier, keys)) : value;
    return { field: wire, before: toWire(before), after: toWire(after) };
  });
}

function toWireTier({ from, to, value, type }: AnyTier, keys: TierHeaders) {
  return { [keys.from]: from, [keys.to]: to, [keys.value]: value, [keys.type]: type };
}
