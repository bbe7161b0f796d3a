import {
  type Account,
  type ApiKey,
  assert,
  type CatalogCounts,
  type CatalogSubscription,
  type CatalogWrite,
  COMMUNITIES,
  type Community,
  type Company,
  type CompanyTerms,
  type ConsumptionTier,
  type Firm,
  type FirmTerms,
  foldName,
  type MonthlyPrice,
  NO_PRICES,
  type Offer,
  type OfferVersion,
  type PerPeriod,
  type PowerTier,
  SCOPES,
  type Scope,
  type Subscription,
  type Upload,
  type UploadOutcome,
} from '@tarifario/core/service';
import { REPLACED } from './offer-rows.ts';
import type {
  AccountRow,
  ApiKeyRow,
  CatalogAuditRow,
  CompanyRow,
  FirmRow,
  MonthlyPriceRow,
  OfferRow,
  OfferVersionRow,
  PriceColumns,
  SubscriptionRow,
  UploadRow,
} from './schema.ts';

/**
 * Between records and rows. The only place that trusts what the database holds: types of JSON columns are stated here
 * and not checked, because only this file writes them. Scopes are the exception, and are checked.
 */

export function flag(value: boolean): number {
  return value ? 1 : 0;
}

export function nullableFlag(value: boolean | null): number | null {
  return value === null ? null : flag(value);
}

/** A driver would bind NaN as null and JSON would lose it: a number that is not finite is refused instead. */
export function finite<T extends number | null>(value: T): T {
  assert(value === null || Number.isFinite(value), 'every number that is stored is finite');
  return value;
}

export function fromAccountRow(row: Omit<AccountRow, 'email_folded' | 'password_hash'>): Account {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    isActive: row.is_active === 1,
    isCatalogEditor: row.is_catalog_editor === 1,
    createdAt: row.created_at,
  };
}

export function fromSubscriptionRow(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    plan: row.plan,
    status: row.status,
    firmLimit: row.firm_limit,
    trialEndsAt: row.trial_ends_at,
    currentPeriodEnd: row.current_period_end,
    callsPerMinute: row.calls_per_minute,
    firmCallsPerMinute: row.firm_calls_per_minute,
    quotas: {
      ...(row.company_quota === null ? {} : { companies: row.company_quota }),
      ...(row.offer_quota === null ? {} : { offers: row.offer_quota }),
      ...(row.month_quota === null ? {} : { months: row.month_quota }),
    },
    createdAt: row.created_at,
  };
}

export function fromKeyRow(row: Omit<ApiKeyRow, 'secret_hash'>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    firmId: row.firm_id,
    name: row.name,
    prefix: row.prefix,
    fullAccess: row.full_access === 1,
    scopes: scopesOf(row.scopes),
    isActive: row.is_active === 1,
    createdAt: row.created_at,
  };
}

/** Scopes that can be read; damaged text and unknown names give none. */
function scopesOf(text: string): readonly Scope[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((name) => SCOPES.filter((scope) => scope === name));
}

export function toFirmColumns(terms: FirmTerms) {
  return {
    name: terms.name,
    name_folded: foldName(terms.name),
    image_url: terms.imageUrl,
    catalog_default: terms.catalogDefault,
    is_active: flag(terms.isActive),
  };
}

export function fromFirmRow(row: Omit<FirmRow, 'account_id' | 'name_folded' | 'revision'>): Firm {
  return {
    id: row.id,
    name: row.name,
    imageUrl: row.image_url,
    catalogDefault: row.catalog_default,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toCompanyColumns(terms: CompanyTerms) {
  return {
    firm_id: terms.firmId,
    name: terms.name,
    name_folded: foldName(terms.name),
    logo_url: terms.logoUrl,
    is_active: flag(terms.isActive),
  };
}

export function fromCompanyRow(row: Omit<CompanyRow, 'account_id' | 'shelf_id' | 'name_folded' | 'revision'>): Company {
  return {
    id: row.id,
    firmId: row.firm_id,
    name: row.name,
    logoUrl: row.logo_url,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function fromCatalogSubscriptionRow(row: {
  readonly firm_id: number;
  readonly company_id: number;
  readonly is_subscribed: number;
}): CatalogSubscription {
  return { firmId: row.firm_id, companyId: row.company_id, isSubscribed: row.is_subscribed === 1 };
}

/** Written out, so that a community added to the list one day changes the bit of no other. */
const COMMUNITY_BITS: Readonly<Record<Community, number>> = {
  andalucia: 1 << 0,
  aragon: 1 << 1,
  asturias: 1 << 2,
  baleares: 1 << 3,
  canarias: 1 << 4,
  cantabria: 1 << 5,
  castilla_la_mancha: 1 << 6,
  castilla_y_leon: 1 << 7,
  cataluna: 1 << 8,
  ceuta: 1 << 9,
  comunidad_valenciana: 1 << 10,
  extremadura: 1 << 11,
  galicia: 1 << 12,
  la_rioja: 1 << 13,
  madrid: 1 << 14,
  melilla: 1 << 15,
  murcia: 1 << 16,
  navarra: 1 << 17,
  pais_vasco: 1 << 18,
};

export function communityBit(community: Community): number {
  return COMMUNITY_BITS[community];
}

export function bitsOf(communities: readonly Community[]): number {
  return communities.reduce((bits, community) => bits | COMMUNITY_BITS[community], 0);
}

/** The same communities in the order in which they are read. */
export function inOrder(communities: readonly Community[]): readonly Community[] {
  return communities.length < 2 ? communities : communitiesOf(bitsOf(communities));
}

export function communitiesOf(bits: number): readonly Community[] {
  return bits === 0 ? [] : COMMUNITIES.filter((community) => (bits & COMMUNITY_BITS[community]) !== 0);
}

function energyOf(row: PriceColumns): PerPeriod<number | null> {
  return [row.energy_1, row.energy_2, row.energy_3, row.energy_4, row.energy_5, row.energy_6];
}

function powerOf(row: PriceColumns): PerPeriod<number | null> {
  return [row.power_1, row.power_2, row.power_3, row.power_4, row.power_5, row.power_6];
}

function isSameRow(a: object, b: object): boolean {
  const right = Object.values(b);
  return Object.values(a).every((value, i) => value === right[i]);
}

/** A row of an offer, or what a version kept of one. */
export type TermsRow = Omit<OfferRow, 'account_id' | 'shelf_id' | 'revision'>;

export function fromOfferRow(row: TermsRow): Offer {
  const common = {
    id: row.id,
    companyId: row.company_id,
    offerName: row.offer_name,
    tariffType: row.tariff_type,
    isIndexed: row.is_indexed === 1,
    servicesEurPerMonth: row.services_eur_per_month,
    commissionValue: row.commission_value,
    commissionType: row.commission_type,
    consumptionTiers: JSON.parse(row.consumption_tiers) as readonly ConsumptionTier[],
    accepts: { dni: row.accepts_dni === 1, cif: row.accepts_cif === 1, cdad: row.accepts_cdad === 1 },
    territories: {
      peninsula: row.territory_peninsula === 1,
      canarias: row.territory_canarias === 1,
      baleares: row.territory_baleares === 1,
      ceuta_melilla: row.territory_ceuta_melilla === 1,
    },
    communities: communitiesOf(row.communities),
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.masked_updated_at === null ? {} : { maskedUpdatedAt: row.masked_updated_at }),
  };
  if (row.supply_type === 'GAS') {
    return { ...common, supplyType: 'GAS', gasEnergyEurPerKwh: row.gas_energy, gasFixedEurPerMonth: row.gas_fixed };
  }
  return {
    ...common,
    supplyType: 'LUZ',
    energyEurPerKwh: energyOf(row),
    powerEurPerKwDay: powerOf(row),
    feePowerEurPerMwh: row.fee_power_eur_per_mwh,
    hasSolarPanels: row.has_solar_panels === 1,
    surplusEurPerKwh: row.surplus_eur_per_kwh,
    ssaaIncluded: row.ssaa_included === null ? null : row.ssaa_included === 1,
    powerTiers: JSON.parse(row.power_tiers ?? '[]') as readonly PowerTier[],
  };
}

export function toMonthRow(offerId: number, price: MonthlyPrice): MonthlyPriceRow {
  const luz = price.supplyType === 'LUZ' ? price : null;
  const gas = price.supplyType === 'GAS' ? price : null;
  const energy = luz?.energyEurPerKwh ?? NO_PRICES;
  const power = luz?.powerEurPerKwDay ?? NO_PRICES;
  return {
    offer_id: offerId,
    month: price.month,
    supply_type: price.supplyType,
    energy_1: finite(energy[0]),
    energy_2: finite(energy[1]),
    energy_3: finite(energy[2]),
    energy_4: finite(energy[3]),
    energy_5: finite(energy[4]),
    energy_6: finite(energy[5]),
    power_1: finite(power[0]),
    power_2: finite(power[1]),
    power_3: finite(power[2]),
    power_4: finite(power[3]),
    power_5: finite(power[4]),
    power_6: finite(power[5]),
    gas_energy: finite(gas?.gasEnergyEurPerKwh ?? null),
    gas_fixed: finite(gas?.gasFixedEurPerMonth ?? null),
  };
}

export function isSameMonth(a: MonthlyPrice, b: MonthlyPrice): boolean {
  return isSameRow(toMonthRow(0, a), toMonthRow(0, b));
}

export function fromMonthRow(row: MonthlyPriceRow): MonthlyPrice {
  const { month } = row;
  return row.supply_type === 'LUZ'
    ? { supplyType: 'LUZ', month, energyEurPerKwh: energyOf(row), powerEurPerKwDay: powerOf(row) }
    : { supplyType: 'GAS', month, gasEnergyEurPerKwh: row.gas_energy, gasFixedEurPerMonth: row.gas_fixed };
}

/** A version whose text says all of it; that of replaced terms is made of the row of the offer. */
export function toVersionRow(version: OfferVersion) {
  return {
    offer_id: version.offerId,
    revision: version.revision,
    changed_at: version.changedAt,
    key_id: version.keyId,
    before: JSON.stringify(version.before),
  };
}

export function fromVersionRow(row: OfferVersionRow): OfferVersion {
  const { offer_id, revision, changed_at, key_id } = row;
  const before =
    row.before === REPLACED
      ? { kind: 'terms' as const, offer: fromOfferRow({ ...row, id: offer_id } as TermsRow) }
      : (JSON.parse(row.before) as OfferVersion['before']);
  return { offerId: offer_id, revision, changedAt: changed_at, keyId: key_id, before };
}

export function fromCatalogAuditRow(row: CatalogAuditRow): CatalogWrite {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    at: row.at,
    operation: row.operation,
    recordId: row.record_id,
    before: JSON.parse(row.counts_before) as CatalogCounts,
    after: JSON.parse(row.counts_after) as CatalogCounts,
    fileHash: row.file_hash,
  };
}

export function toOutcomeText(outcome: UploadOutcome | null): string | null {
  return outcome === null ? null : JSON.stringify(outcome);
}

function outcomeOf(text: string | null): UploadOutcome | null {
  return text === null ? null : (JSON.parse(text) as UploadOutcome);
}

export function fromUploadRow(row: UploadRow): Upload {
  return {
    id: row.id,
    firmId: row.firm_id,
    kind: row.kind,
    fileName: row.file_name,
    sizeBytes: row.size_bytes,
    status: row.status,
    result: outcomeOf(row.result),
    error: outcomeOf(row.error),
    hasFile: Boolean(row.has_file),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}
