import fc, { type Arbitrary } from 'fast-check';
import { flag, maybe, mostly, name, some, supply, tariff } from './pieces.ts';
import { type Draft, referenceTo } from './references.ts';

const price = mostly(
  fc.constantFrom(null, 0, 0.1, 0.15, 0.2, 10),
  fc.constantFrom<Draft>(-0.01, 10.01, '0.1', true),
  60,
);
const power = mostly(fc.constantFrom(null, 0, 0.05, 0.1, 1), fc.constantFrom<Draft>(-0.01, 1.01, '0.1'), 60);
const monthly = mostly(fc.constantFrom(null, 0, 5, 8), fc.constantFrom<Draft>(100_001, -1, 'x'), 60);
const commission = mostly(fc.constantFrom(0, 10, 50, 50.5), fc.constantFrom<Draft>(-1, 1_000_001, null, '5'), 60);
const consumptionType = mostly(fc.constantFrom('fixed', 'per_mwh'), fc.constantFrom('per_kw', 5), 60);
const powerType = mostly(fc.constantFrom('fixed', 'per_kw'), fc.constant('per_mwh'), 60);

function tiers(quantity: string, type: Arbitrary<Draft>): Arbitrary<Draft> {
  // Bounds that often meet, leave a hole or overlap.
  const bounds = fc.tuple(fc.constantFrom(0, 3, 5, 6, 10), fc.constantFrom<Draft>(3, 5, 8, 12, null));
  const tier = fc.tuple(bounds, commission, maybe(type, 2)).map(([[from, to], value, kind]) => ({
    [`${quantity}_from`]: from,
    [`${quantity}_to`]: to,
    commission: value,
    ...(kind === undefined ? {} : { commission_type: kind }),
  }));
  const chain = fc.tuple(commission, commission, type).map(
    ([low, high, kind]): Draft => [
      { [`${quantity}_from`]: 5, commission: high, commission_type: kind },
      { [`${quantity}_from`]: 0, [`${quantity}_to`]: 5, commission: low },
    ],
  );
  return fc.oneof(
    { weight: 3, arbitrary: chain },
    { weight: 2, arbitrary: fc.array(tier, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant<Draft>([]) },
  );
}

export const prices = {
  e1: maybe(price),
  e2: maybe(price),
  e6: maybe(price, 6),
  p1: maybe(power),
  p2: maybe(power, 6),
  gas_energy: maybe(price, 8),
  gas_fixed: maybe(monthly, 8),
};

/**
 * Fields of an offer, of each kind some; those of the other supply now and then. What chance draws goes with every one, so
 * a new field has none here.
 */
const offerFields = {
  ...prices,
  is_indexed: maybe(flag, 3),
  services_cost: maybe(monthly, 5),
  commission: maybe(commission),
  commission_type: maybe(consumptionType, 5),
  commission_tiers: maybe(tiers('consumption', consumptionType), 4),
  commission_power_tiers: maybe(mostly(tiers('power', powerType), fc.constant(null)), 6),
  fee_power: maybe(mostly(fc.constantFrom(null, 0, 3), fc.constant(-1)), 10),
  placas_solares: maybe(mostly(fc.boolean(), fc.constant(null)), 8),
  precio_excedentes: maybe(price, 12),
  ssaa_included: maybe(fc.constantFrom<Draft>(true, false, null), 8),
  acepta_cif: maybe(flag, 5),
  acepta_cdad_propietarios: maybe(flag, 8),
  territory_canarias: maybe(flag, 5),
  territory_ceuta_melilla: maybe(flag, 8),
  communities: maybe(
    mostly(
      fc.array(fc.constantFrom('madrid', 'aragon', 'navarra'), { maxLength: 3 }),
      fc.constantFrom<Draft>(['Madrid'], 'madrid', null),
    ),
    6,
  ),
};
const switches = { acepta_dni: maybe(flag, 10), territory_peninsula: maybe(flag, 10), is_active: maybe(flag, 8) };
const texts = {
  offer_name: maybe(name, 5),
  tariff_type: maybe(mostly(tariff, fc.constantFrom('', 'x'.repeat(33))), 8),
};
const unknown = { precio: maybe(fc.constant<Draft>(1), 60), id: maybe(fc.constant<Draft>(1), 60) };

const electricity = { e1: 0.1, e2: 0.2, p1: 0.05 };
const gas = { gas_energy: 0.05, gas_fixed: 5 };

/** A whole offer: valid, except for fields that are replaced at random. */
export const newOfferOf = (owner: 'company' | 'shared company') =>
  fc
    .record({
      kind: supply,
      company: mostly(referenceTo(owner), fc.constantFrom<Draft>(0, '1', 1.5), 30),
      sent: some({
        ...offerFields,
        ...texts,
        ...unknown,
        ...switches,
        supply_type: maybe(fc.constantFrom('GAS', 'luz'), 25),
      }),
      missing: fc.constantFrom(
        ...Array.from({ length: 30 }, () => ''),
        'offer_name',
        'tariff_type',
        'company_id',
        'supply_type',
      ),
    })
    .map(({ kind, company, sent, missing }) => {
      const sound = {
        company_id: company,
        offer_name: 'Luz Clara',
        supply_type: kind,
        tariff_type: kind === 'GAS' ? 'RL.1' : '2.0TD',
        acepta_dni: true,
        territory_peninsula: true,
        ...(kind === 'GAS' ? gas : electricity),
      };
      // Most of what belongs to the other supply alone goes, or hardly an offer of gas would be sound.
      const own = Object.entries(sent).filter(
        ([field]) =>
          kind !== 'GAS' || !/^(e\d|p\d|fee|placas|precio_e|ssaa|commission_p)/.test(field) || field === 'p2',
      );
      const whole = { ...sound, ...Object.fromEntries(own) };
      return Object.fromEntries(Object.entries<Draft>(whole).filter(([field]) => field !== missing));
    });

const chosenFields = fc
  .tuple(some({ ...offerFields, ...switches, ...texts, ...unknown }), fc.integer({ min: 0, max: 5 }), fc.nat(40))
  .map(([sent, most, from]) => {
    const fields = Object.entries<Draft>(sent);
    const start = from % Math.max(1, fields.length);
    return Object.fromEntries([...fields.slice(start), ...fields.slice(0, start)].slice(0, most));
  });

/** Often the stored value. It is a change for callers who cannot see it. */
export const fewFields = fc.oneof(
  { weight: 6, arbitrary: chosenFields },
  {
    weight: 1,
    arbitrary: fc.constantFrom<{ readonly [name: string]: Draft }>(
      { commission: 50 },
      { commission_tiers: [] },
      { commission_type: 'fixed' },
      { e1: 0.15 },
    ),
  },
);

export const month = mostly(
  fc.constantFrom('2025-12', '2025-12', '2025-12-31', '2025-12-01', '2025-11', '2026-01', '2025-02-28'),
  fc.constantFrom<Draft>('2025-13', '2025-02-30', '2025', 5, ''),
);
