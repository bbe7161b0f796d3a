const FLAT = {
  ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni', limit: 3 },
  energia: { e1: 1200, e2: 900, e3: 1400 },
  potencia: { p1: 4.6, p2: 4.6 },
};
const { potencia: _power, ...WITHOUT_POWER } = FLAT;
const MONTH = { ...FLAT, energia: { e1: 90, e2: 80, e3: 120 } };
const SHOP = { ...FLAT, tariff_type: '3.0TD', client_type: 'cif' };
const SIX = { p1: 30, p2: 30, p3: 30, p4: 30, p5: 30, p6: 30 };
const GAS = { supply_type: 'GAS', consumo_gas: 8000, limit: 3 };
const POWER = {
  ...{ tariff_type: '2.0TD', fecha: '2026-11-29', potencia: { p1: 5.75, p2: 5.75 } },
  periodos: [{ dias: 365, maximos: { p1: 3.2, p2: 2.5 } }],
};

const begins = (...codes: string[]) =>
  new RegExp(`"avisos":\\[{${codes.map((code) => `"codigo":"${code}"`).join('.*')}`);

interface Asked {
  readonly question: string;
  readonly args: object;
  /** What the answer has, as a text of JSON. */
  readonly told: RegExp;
  /** Left out: `rank_offers`. */
  readonly tool?: string;
}

/** What customers ask, as an agent that knows the list of tools alone passes it on, and what it must be told. */
export const ASKED: readonly Asked[] = [
  { question: '¿Cuál es la más barata para mi piso?', args: WITHOUT_POWER, told: begins('sin_potencia') },
  {
    question: 'Gasto 3500 kWh y tengo 4,6 kW',
    args: { ...FLAT, energia: { e1: 3500 } },
    told: begins('consumo_en_un_periodo'),
  },
  { question: 'Mi factura dice 90, 80 y 120 kWh', args: MONTH, told: begins('consumo_improbable') },
  {
    question: 'Pago 62 € al mes: ¿es bueno mi contrato?',
    args: { ...FLAT, contrato_actual: { coste_total: 62 } },
    told: begins('actual_improbable'),
  },
  {
    question: 'Pagué 62 € por 31 días y 290 kWh: ¿es bueno mi contrato?',
    args: { ...MONTH, dias: 31, contrato_actual: { coste_total: 62 } },
    told: /"codigo":"menos_de_un_ano".*"ahorro":{"eur":12\.6868/,
  },
  {
    question: 'Tengo 5,75 kW, y las máximas son 3,2 y 2,5: ¿qué potencia necesito?',
    tool: 'optimize_power',
    args: POWER,
    told: /"optima":{"potencia":{"p1":3\.2,"p2":2\.5}.*"ahorro_anual":73\./,
  },
  {
    question: '¿Por qué es más cara la segunda?',
    args: { ...FLAT, razones: { explicar: true } },
    told: /"porque_texto":"10,45 € más: \+3,00 € por la energía en punta/,
  },
  {
    question: '¿Por qué es más cara que una de otro peaje?',
    args: { ...FLAT, razones: { frente_a: 9 } },
    told: /rank without the filter that hides it/,
  },
  {
    question: '¿Y el gas? Gasto 8000 kWh',
    args: GAS,
    told: /"avisos":\[{"codigo":"peaje_imposible"[^}]*tariff_type: RL\.2"/,
  },
  {
    question: '¿Y el gas? Gasto 700 kWh',
    args: { ...GAS, consumo_gas: 700, tariff_type: 'RL.2' },
    told: begins('peaje_imposible'),
  },
  {
    question: 'Somos una empresa con 30 kW y 40 000 kWh',
    args: { ...SHOP, energia: { e1: 40_000 }, potencia: { p1: 30 } },
    told: begins('peaje_imposible', 'consumo_en_un_periodo', 'potencia_en_un_periodo'),
  },
  {
    question: 'Somos una empresa con 30 kW en los seis periodos',
    args: { ...SHOP, potencia: SIX },
    told: begins('ssaa_mezclados'),
  },
  {
    question: 'Tengo placas',
    args: { ...FLAT, condiciones: { placas_solares: true } },
    told: begins('placas_sin_excedentes'),
  },
  {
    question: 'Tengo placas y vierto 1500 kWh',
    args: { ...FLAT, excedentes: 1500 },
    told: /"excedentes_tope_anual".*"results":\[{.*?"excedentes":-82\.5/,
  },
  {
    question: '¿Y si gasto un 20 % más?',
    args: { ...FLAT, razones: { umbrales_consumo: true } },
    told: /"umbrales_consumo":\[{"factor_desde":0\.25,"factor_hasta":4,"offer_id":76}/,
  },
  {
    question: '¿Cuánto será mi factura?',
    args: { ...FLAT, impuestos: { fecha: '2026-11-29' } },
    told: /^(?!.*(RDL|Congress|condicion|alternativas)).*say so and ask nobody.*"opciones":\[{"tipos":{/,
  },
];
