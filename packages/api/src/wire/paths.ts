import {
  FIELD_LIST,
  fieldPartsOf,
  type Issue,
  type Message,
  TIER_HEADERS,
  type TierHeaders,
} from '@tarifario/core/service';
import { toPowerPath } from '../nouns/power.ts';
import { BILL_PATHS } from '../nouns/taxes.ts';

/** The wire names of the parts of a tier, by the field that has the tiers. */
export const TIER_KEYS: Readonly<Record<string, TierHeaders>> = {
  consumptionTiers: TIER_HEADERS.tramos_consumo,
  powerTiers: TIER_HEADERS.tramos_potencia,
};

/** Core names of fields and of their parts in issues, with their wire names. */
const WIRE_NAMES: ReadonlyMap<string, string> = new Map([
  ...FIELD_LIST.flatMap(fieldPartsOf).map(({ path, wire }) => [path, wire] as const),
  // A rule about all flags of a kind is shown at the first of them.
  ...FIELD_LIST.filter(({ kind }) => kind === 'flags').map(
    (field) => [field.name, fieldPartsOf(field)[0]?.wire ?? ''] as const,
  ),
  ['supplyType', 'supply_type'],
  ['month', 'reference_month'],
  ['imageUrl', 'image_url'],
  ['logoUrl', 'logo_url'],
  ['reasons.why.againstId', 'frente_a'],
  ['contract.offerId', 'contrato_actual.offer_id'],
  ['fileName', 'file_name'],
  ['expiresAt', 'expires_at'],
  ...BILL_PATHS,
]);

/**
 * The wire name of the field that an issue of core is about: `energyEurPerKwh.0` is `e1`, `consumptionTiers.0.to` is
 * `commission_tiers.0.consumption_to`. Any other text is returned unchanged.
 */
export function toWirePath(path: string): string {
  if (path.startsWith('power.')) return toPowerPath(path);
  const whole = WIRE_NAMES.get(path);
  if (whole !== undefined) return whole;
  const [field = '', index, part] = path.split('.');
  const name = WIRE_NAMES.get(field);
  if (name === undefined) return path;
  if (part === undefined) return `${name}.${index}`;
  const keys = Object.hasOwn(TIER_KEYS, field) ? TIER_KEYS[field] : undefined;
  return `${name}.${index}.${Object.entries(keys ?? {}).find(([key]) => key === part)?.[1] ?? part}`;
}

/** An issue of core with wire names: of its field, and of the field that its message names. */
export function toWireIssue({ path, message, ...rest }: Issue): Issue {
  return { ...rest, path: toWirePath(path), message: withWireField(message) };
}

function withWireField(message: Message): Message {
  if (typeof message === 'string' || typeof message.values.field !== 'string') return message;
  return { ...message, values: { ...message.values, field: toWirePath(message.values.field) } };
}
