import type { Month } from '../calendar.ts';
import {
  type AnyTier,
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionTier,
  POWER_COMMISSION_TYPES,
  type PowerTier,
  sortTiers,
} from '../commission/tier.ts';
import type { Issue } from '../errors.ts';
import { NO_PRICES, PERIOD_COUNT, type PerPeriod, perPeriod } from '../periods.ts';
import { cleanName } from '../text.ts';
import type {
  Community,
  CustomerType,
  ElectricityTerms,
  GasTerms,
  MonthlyPrice,
  OfferTerms,
  SupplyType,
  Territory,
} from './offer.ts';
import { checkMonth, checkOffer } from './offer-rules.ts';

/** Prices by period, P1 first, six at most. An entry left out or `undefined` keeps what is stored; `null` erases it. */
export type SparsePrices = readonly (number | null | undefined)[];

/** A tier as somebody wrote it: its type may be any text, and is checked with everything else. */
export interface TierDraft {
  readonly from: number;
  /** `null`: open. */
  readonly to: number | null;
  readonly value: number;
  readonly type: string;
}

/**
 * What somebody wants an offer to become: only the fields named here change. Both supply types are here, because
 * a writer may send a field that the offer cannot have, and has to be told. `null` erases where a field can be
 * empty. Tiers and communities are replaced as whole lists.
 */
export interface OfferChanges {
  readonly companyId?: number | undefined;
  readonly offerName?: string | undefined;
  readonly tariffType?: string | undefined;
  readonly isIndexed?: boolean | undefined;
  readonly servicesEurPerMonth?: number | null | undefined;
  readonly commissionValue?: number | undefined;
  readonly commissionType?: string | undefined;
  readonly consumptionTiers?: readonly TierDraft[] | undefined;
  readonly accepts?: { readonly [Type in CustomerType]?: boolean | undefined } | undefined;
  readonly territories?: { readonly [Name in Territory]?: boolean | undefined } | undefined;
  readonly communities?: readonly Community[] | undefined;
  readonly isActive?: boolean | undefined;
  readonly energyEurPerKwh?: SparsePrices | undefined;
  readonly powerEurPerKwDay?: SparsePrices | undefined;
  readonly feePowerEurPerMwh?: number | null | undefined;
  readonly hasSolarPanels?: boolean | null | undefined;
  readonly surplusEurPerKwh?: number | null | undefined;
  readonly ssaaIncluded?: boolean | null | undefined;
  readonly powerTiers?: readonly TierDraft[] | null | undefined;
  readonly gasEnergyEurPerKwh?: number | null | undefined;
  readonly gasFixedEurPerMonth?: number | null | undefined;
}

/** Whether changes name a commission at all, equal to what is stored or not. */
export function namesCommissions(changes: OfferChanges): boolean {
  const { commissionValue, commissionType, consumptionTiers, powerTiers } = changes;
  return [commissionValue, commissionType, consumptionTiers, powerTiers].some((sent) => sent !== undefined);
}

/** Without these there is no offer. */
export interface RequiredTerms {
  readonly companyId: number;
  readonly offerName: string;
  readonly supplyType: SupplyType;
  readonly tariffType: string;
}

/** Terms as they would be stored, and everything that forbids to store them. */
export interface OfferDraft {
  readonly terms: OfferTerms;
  readonly issues: readonly Issue[];
}

/**
 * A new offer: `changes` over the defaults (no flag set but `isActive`, commission 0 `fixed`, no tiers, no prices).
 * The issues include those of `checkOffer`.
 *
 * @see docs/assumptions.md, A-49
 */
export function draftOffer(required: RequiredTerms, changes: OfferChanges): OfferDraft {
  return changed(blankOffer(required), changes, undefined);
}

/**
 * An offer with some fields changed. Names are cleaned, tiers and communities put in order. A field of the other
 * supply type is an issue, unless it says nothing (`null`, `false`, an empty list). The issues include those of
 * `checkOffer`, but for names that stay as they are; indexes in their paths are those of the lists as given.
 *
 * @see docs/assumptions.md, A-14, A-30, A-31 and A-49
 */
export function changeOffer(current: OfferTerms, changes: OfferChanges): OfferDraft {
  return changed(current, changes, current);
}

function changed(current: OfferTerms, changes: OfferChanges, stored: OfferTerms | undefined): OfferDraft {
  const issues = [...misplacedFields(current.supplyType, changes), ...excessPrices(changes)];
  const common = changedCommon(current, changes, issues);
  const terms: OfferTerms =
    current.supplyType === 'LUZ'
      ? { ...common, ...changedElectricity(current, changes, issues) }
      : {
          ...common,
          supplyType: 'GAS',
          gasEnergyEurPerKwh: kept(changes.gasEnergyEurPerKwh, current.gasEnergyEurPerKwh),
          gasFixedEurPerMonth: kept(changes.gasFixedEurPerMonth, current.gasFixedEurPerMonth),
        };
  issues.push(...checkOffer(terms, stored));
  return { terms: inOrder(terms), issues };
}

/** The prices of one month as somebody wrote them; a price left out is `null`. */
export interface MonthDraft {
  readonly month: Month;
  readonly energyEurPerKwh?: SparsePrices | undefined;
  readonly powerEurPerKwDay?: SparsePrices | undefined;
  readonly gasEnergyEurPerKwh?: number | null | undefined;
  readonly gasFixedEurPerMonth?: number | null | undefined;
}

/**
 * The monthly row of an offer of a supply type, and everything that forbids to store it.
 *
 * @see docs/assumptions.md, A-11 and A-12
 */
export function draftMonth(
  supplyType: SupplyType,
  draft: MonthDraft,
): { readonly price: MonthlyPrice; readonly issues: readonly Issue[] } {
  const { month } = draft;
  const price: MonthlyPrice =
    supplyType === 'LUZ'
      ? {
          supplyType,
          month,
          energyEurPerKwh: keptPrices(draft.energyEurPerKwh, NO_PRICES),
          powerEurPerKwDay: keptPrices(draft.powerEurPerKwDay, NO_PRICES),
        }
      : {
          supplyType,
          month,
          gasEnergyEurPerKwh: draft.gasEnergyEurPerKwh ?? null,
          gasFixedEurPerMonth: draft.gasFixedEurPerMonth ?? null,
        };
  return { price, issues: [...misplacedFields(supplyType, draft), ...excessPrices(draft), ...checkMonth(price)] };
}

function blankOffer({ companyId, offerName, supplyType, tariffType }: RequiredTerms): OfferTerms {
  const common = {
    companyId,
    offerName,
    tariffType,
    isIndexed: false,
    servicesEurPerMonth: null,
    commissionValue: 0,
    commissionType: 'fixed',
    consumptionTiers: [],
    accepts: { dni: false, cif: false, cdad: false },
    territories: { peninsula: false, canarias: false, baleares: false, ceuta_melilla: false },
    communities: [],
    isActive: true,
  } as const;
  if (supplyType === 'GAS') return { ...common, supplyType, gasEnergyEurPerKwh: null, gasFixedEurPerMonth: null };
  return {
    ...common,
    supplyType,
    energyEurPerKwh: NO_PRICES,
    powerEurPerKwDay: NO_PRICES,
    feePowerEurPerMwh: null,
    hasSolarPanels: false,
    surplusEurPerKwh: null,
    ssaaIncluded: null,
    powerTiers: [],
  };
}

const ELECTRICITY_FIELDS = [
  'energyEurPerKwh',
  'powerEurPerKwDay',
  'feePowerEurPerMwh',
  'hasSolarPanels',
  'surplusEurPerKwh',
  'ssaaIncluded',
  'powerTiers',
] as const;
const GAS_FIELDS = ['gasEnergyEurPerKwh', 'gasFixedEurPerMonth'] as const;

/** Whether a field of the other supply type says nothing and can be passed over. */
function saysNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}

function misplacedFields(supplyType: SupplyType, changes: OfferChanges): Issue[] {
  const foreign = supplyType === 'LUZ' ? GAS_FIELDS : ELECTRICITY_FIELDS;
  const message = `is not a field of ${supplyType} offers`;
  return foreign.flatMap((field) => {
    const value: unknown = changes[field];
    if (field === 'energyEurPerKwh' || field === 'powerEurPerKwDay') {
      const prices = changes[field] ?? [];
      return prices.flatMap((price, index) => (saysNothing(price) ? [] : [{ path: `${field}.${index}`, message }]));
    }
    const isEmpty = saysNothing(value) || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [{ path: field, message }];
  });
}

/** Lists of prices that are longer than there are periods: what is too much would be lost in silence. */
function excessPrices(changes: Pick<OfferChanges, 'energyEurPerKwh' | 'powerEurPerKwDay'>): Issue[] {
  return (['energyEurPerKwh', 'powerEurPerKwDay'] as const).flatMap((path) =>
    (changes[path]?.length ?? 0) > PERIOD_COUNT ? [{ path, message: 'has more than six periods' }] : [],
  );
}

/** What is sent, else what is stored. */
function kept<T>(sent: T | undefined, stored: T): T {
  return sent === undefined ? stored : sent;
}

function keptPrices(sent: SparsePrices | undefined, stored: PerPeriod<number | null>): PerPeriod<number | null> {
  return perPeriod((index) => kept(sent?.[index], stored[index] ?? null));
}

/** The member of a closed list that a text names; another text is an issue, and the first member stands in for it. */
function memberOf<T extends string>(
  members: readonly [T, ...T[]],
  text: string,
  found: { readonly path: string; readonly issues: Issue[] },
): T {
  const member = members.find((candidate) => candidate === text);
  if (member === undefined) found.issues.push({ path: found.path, message: `must be one of: ${members.join(', ')}` });
  return member ?? members[0];
}

function changedCommon(current: OfferTerms, changes: OfferChanges, issues: Issue[]): CommonOf<GasTerms> {
  const { commissionType, consumptionTiers } = changes;
  return {
    companyId: kept(changes.companyId, current.companyId),
    offerName: cleanName(kept(changes.offerName, current.offerName)),
    tariffType: cleanName(kept(changes.tariffType, current.tariffType)),
    isIndexed: kept(changes.isIndexed, current.isIndexed),
    servicesEurPerMonth: kept(changes.servicesEurPerMonth, current.servicesEurPerMonth),
    commissionValue: kept(changes.commissionValue, current.commissionValue),
    commissionType: memberOf(CONSUMPTION_COMMISSION_TYPES, kept(commissionType, current.commissionType), {
      path: 'commissionType',
      issues,
    }),
    consumptionTiers: consumptionTiers ? typedConsumptionTiers(consumptionTiers, issues) : current.consumptionTiers,
    accepts: {
      dni: kept(changes.accepts?.dni, current.accepts.dni),
      cif: kept(changes.accepts?.cif, current.accepts.cif),
      cdad: kept(changes.accepts?.cdad, current.accepts.cdad),
    },
    territories: {
      peninsula: kept(changes.territories?.peninsula, current.territories.peninsula),
      canarias: kept(changes.territories?.canarias, current.territories.canarias),
      baleares: kept(changes.territories?.baleares, current.territories.baleares),
      ceuta_melilla: kept(changes.territories?.ceuta_melilla, current.territories.ceuta_melilla),
    },
    communities: kept(changes.communities, current.communities),
    isActive: kept(changes.isActive, current.isActive),
  };
}

/** The fields that both supply types have. */
type CommonOf<T extends GasTerms> = Omit<T, 'supplyType' | 'gasEnergyEurPerKwh' | 'gasFixedEurPerMonth'>;
type ElectricityOnly = Omit<ElectricityTerms, keyof CommonOf<GasTerms>>;

function changedElectricity(current: ElectricityTerms, changes: OfferChanges, issues: Issue[]): ElectricityOnly {
  for (const field of ['hasSolarPanels', 'powerTiers'] as const) {
    if (changes[field] === null) issues.push({ path: field, message: 'must not be null' });
  }
  return {
    supplyType: 'LUZ',
    energyEurPerKwh: keptPrices(changes.energyEurPerKwh, current.energyEurPerKwh),
    powerEurPerKwDay: keptPrices(changes.powerEurPerKwDay, current.powerEurPerKwDay),
    feePowerEurPerMwh: kept(changes.feePowerEurPerMwh, current.feePowerEurPerMwh),
    hasSolarPanels: changes.hasSolarPanels ?? current.hasSolarPanels,
    surplusEurPerKwh: kept(changes.surplusEurPerKwh, current.surplusEurPerKwh),
    ssaaIncluded: kept(changes.ssaaIncluded, current.ssaaIncluded),
    powerTiers: changes.powerTiers ? typedPowerTiers(changes.powerTiers, issues) : current.powerTiers,
  };
}

function typedConsumptionTiers(tiers: readonly TierDraft[], issues: Issue[]): ConsumptionTier[] {
  return tiers.map((tier, index) => {
    const path = `consumptionTiers.${index}.type`;
    return { ...tier, type: memberOf(CONSUMPTION_COMMISSION_TYPES, tier.type, { path, issues }) };
  });
}

function typedPowerTiers(tiers: readonly TierDraft[], issues: Issue[]): PowerTier[] {
  return tiers.map((tier, index) => {
    const path = `powerTiers.${index}.type`;
    return { ...tier, type: memberOf(POWER_COMMISSION_TYPES, tier.type, { path, issues }) };
  });
}

/** The form in which terms are stored: tiers ascending, communities sorted and distinct. */
function inOrder(terms: OfferTerms): OfferTerms {
  const communities = [...new Set(terms.communities)].sort();
  const consumptionTiers = sortTiers<AnyTier & ConsumptionTier>(terms.consumptionTiers);
  if (terms.supplyType === 'GAS') return { ...terms, communities, consumptionTiers };
  return { ...terms, communities, consumptionTiers, powerTiers: sortTiers(terms.powerTiers) };
}
