import { initialTerms, type Offer, type SupplyType } from '@tarifario/core/service';
import { toWireOffer } from '../../wire/offer.ts';

// The records that several examples speak of, as the service tells them: a field stands here once, in the order of the
// answers, and an example names only where its record differs.

interface Fields {
  readonly [field: string]: unknown;
}

const LEVANTE = { id: 1, name: 'Asesoría Levante', image_url: null };
export const ALBA = { id: 1, name: 'Comercializadora Alba', logo_url: null };
export const OFFERED_BY_BRISA = { id: 2, name: 'Comercializadora Brisa', logo_url: null, client: LEVANTE };
export const OFFERED_BY_DUERO = { id: 3, name: 'Comercializadora Duero', logo_url: null, client: null };

const NO_ENERGY_PRICES = { e1: null, e2: null, e3: null, e4: null, e5: null, e6: null };
const NO_POWER_PRICES = { p1: null, p2: null, p3: null, p4: null, p5: null, p6: null };

/** The prices of six periods of energy and six of power: those named, and null for the others. */
export function periodPrices(named: Fields): Fields {
  return { ...NO_ENERGY_PRICES, ...NO_POWER_PRICES, ...named };
}

/** A month of an indexed offer. */
export function indexedMonth(month: string, named: Fields): Fields {
  return { reference_month: month, ...periodPrices(named) };
}

/** An offer of Alba to individuals on the mainland, and nothing else said of it. */
function offerOfAlba(supplyType: SupplyType, tariffType: string): Fields {
  const terms = initialTerms(supplyType);
  const createdAt = '2026-01-01T00:00:23.000Z';
  const offer: Offer = {
    ...terms,
    id: 0,
    tariffType,
    accepts: { ...terms.accepts, dni: true },
    territories: { ...terms.territories, peninsula: true },
    createdAt,
    updatedAt: createdAt,
  };
  const stamps = { isActive: true, createdAt, updatedAt: createdAt };
  const company = { id: ALBA.id, firmId: LEVANTE.id, name: ALBA.name, logoUrl: null, ...stamps };
  const firm = { id: LEVANTE.id, name: LEVANTE.name, imageUrl: null, catalogDefault: 'all', ...stamps } as const;
  return toWireOffer({ offer, company, firm }, { seesCommissions: true });
}

/** An electricity offer of Alba to individuals on the mainland, without tiers. */
export function electricityOffer(differences: Fields): Fields {
  return { ...offerOfAlba('LUZ', '2.0TD'), ...differences };
}

/** A gas offer of Alba to individuals on the mainland, without tiers. */
export function gasOffer(differences: Fields): Fields {
  return { ...offerOfAlba('GAS', 'RL.1'), ...differences };
}
