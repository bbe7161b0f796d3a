import { COST_PARTS, FIELD_LIST, fieldPartsOf } from '@tarifario/core/service';
import { isJsonObject } from '../json.ts';

/** The same note for keys that differ by the number of a period. */
function periods(
  letter: 'e' | 'p',
  parent: string,
  note: (period: number) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries([1, 2, 3, 4, 5, 6].map((period) => [`${parent}${letter}${period}`, note(period)]));
}

/**
 * The meaning and unit of a field or parameter, by its wire name. A name with a dot applies only inside that property
 * or named schema; a name without a dot applies everywhere else.
 */
export const FIELD_NOTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FIELD_LIST.flatMap(fieldPartsOf).flatMap(({ wire, en }) => (en === null ? [] : [[wire, en]]))),
  // Fields of a body without a name of its own: a firm, a retailer, the account.
  '.name': '1 to 200 characters.',
  actual: 'What the present contract costs; null where none was sent.',
  'differences.now': 'The value that is made today; null: none.',
  'differences.path': 'The place, with points between names and indexes; `seal`: in stored data that is not shown.',
  'differences.then': 'The stored value; null: none.',
  differences: 'The first 100 places where the answer made again differs from the stored one.',
  'NewProposal.nota': 'A note of up to 2 000 characters, which must not identify the customer.',
  'NewProposal.offer_ids': 'The offers that are proposed, each among the results.',
  'Proposal.nota': 'The note; null: none.',
  pagina: 'The rows of the page without commissions: the cheapest, then the proposed ones that are not among them.',
  puesto: 'The place among all ranked offers in the order of cost, then id, from 1.',
  sal: '128 random bits, hexadecimal: without them sha256 would confirm a guess of a commission.',
  'fields.after': 'The value, or for `indexed_prices` the month, after the change; null: none.',
  'fields.before': 'The same before it.',
  'OfferEvent.changed_at': 'When it was done.',
  'fields.field': 'What was changed: a field of the offer, or `indexed_prices` for one of its months.',
  'OfferEvent.fields': 'What was changed; empty: the offer was created.',
  'OfferEvent.key_id':
    'The key that did it; null: the command line, or a key of somebody else where the offer is of the catalog.',
  after_id: 'Only what comes after the record with this id: no page repeats or skips one while others are added.',
  ahorro: 'What the offer saves beside the present contract; null where none was sent.',
  'ahorro.eur': 'EUR over the period; below 0 where the offer costs more.',
  'ahorro.porcentaje': 'Of what is paid today, with 2 decimals; null where that is 0 or less.',
  as_of:
    'The instant, in UTC, as of which offers and months are ranked: `YYYY-MM-DDTHH:mm:ssZ`, or a day, which is its last millisecond. Left out: now.',
  avisos: 'Warnings about the answer, in a fixed order: show them before the rest.',
  'avisos.codigo': 'What it is about, for machines.',
  'avisos.mensaje': 'The same for people, in Spanish.',
  'avisos.offer_ids': 'The offers it is about, the first 50 by id; none where it is about the request.',
  'avisos.total': 'How many offers it is about; 0 where it is about the request.',
  best: 'The best offers, at most `top`, the best first.',
  client: 'The advisory firm of the company; null for a company of the catalog.',
  client_id: 'An advisory firm.',
  client_type: "Who signs: an individual (`dni`), a company (`cif`) or an owners' community (`cdad`).",
  codigo: 'The reason, for machines.',
  comision_eur_mwh:
    'The commission by annual consumption, in EUR/MWh. Null without `commissions:read` and without consumption.',
  comision_extra:
    'Commission beyond that of the cheapest offer, in EUR per contract-year. Null without `commissions:read`.',
  comercializadora: 'The code of the retailer in its register, such as `R2-760`; null: the code says none.',
  comision_max: 'Highest commission ranked, in EUR per contract-year.',
  comision_min: 'Lowest commission ranked, in EUR per contract-year.',
  'commission.energia': 'By consumption, in EUR per contract-year.',
  'commission.potencia': 'By power, in EUR per contract-year.',
  'commission.total': 'The sum, in EUR per contract-year.',
  community: 'An autonomous community; offers without restriction match too.',
  company_name: "The retailer's name; in questions a part, any case.",
  conflicto: 'What the commission costs the customer. Null without `commissions:read` and where nothing is ranked.',
  consumo_gas: 'Consumption of gas in kWh over the calculation period.',
  consumption_commission: 'What the consumption pays.',
  consumption_from: 'MWh per year, included.',
  consumption_mwh: 'Annual consumption in MWh.',
  consumption_to: 'MWh per year, included; null is open.',
  contrato_actual:
    'What the customer pays today, before tax: prices in the units of an offer, or `coste_total`. Of an invoice null unless they are fixed, and each that the question needs is known.',
  'contrato_actual.precio_excedentes': 'What exported energy is worth today, EUR/kWh; left out: nothing.',
  'contrato_actual.services_cost': 'Extra services, EUR/month; left out: none.',
  cost: 'EUR over the calculation period, without taxes and without the rental of the meter.',
  ...Object.fromEntries(COST_PARTS.map(({ wire, about }) => [`cost.${wire}`, `${about}, in EUR over the period.`])),
  'cost.total': 'The sum, in EUR over the period: what is compared.',
  coste_extra: 'Cost beyond that of the cheapest offer, in EUR over the period. Null without `commissions:read`.',
  coste_extra_anual: 'Cost beyond that of the cheapest offer, in EUR of 365 days.',
  coste_max: 'Highest cost ranked, in EUR over the period.',
  coste_min: 'Lowest cost ranked, in EUR over the period.',
  coste_total: 'What the present contract costs in EUR over the calculation period, before tax.',
  cuota_fija: 'Whether the contract has a monthly fee. The code does not say its amount.',
  desde: 'First month averaged.',
  'perfil.consumo_gas': 'Consumption of gas in the entry, in kWh.',
  'perfil.dias': 'Days of the entry; of a curve those that the file has.',
  'perfil.excedentes': 'Energy exported in the entry, in kWh: credited up to what its energy costs.',
  'perfil.mes': 'The month of the year, 1 to 12: indexed offers apply the prices of that month.',
  customers: 'At most 1000, each a question of its own.',
  dias: 'Days of the calculation period: count for power and for the annual consumption.',
  en_frontera: 'No other offer is at least as cheap and as well paid, and better in one of both.',
  endpoint: 'The path with its parameters in braces; of a call of a tool, `mcp:` and its name.',
  energia: 'Consumption of electricity by period.',
  ...periods('e', 'energia.', (period) => `Consumption in P${period}, kWh over the calculation period.`),
  escala: 'The extremes that the scores are relative to.',
  euros_cliente_por_euro_comision:
    'What the weight spends of the annual cost of the customer for one EUR of commission; null at w = 0 and where all pay the same.',
  excedentes: 'Energy exported, in kWh over the calculation period.',
  excluded: 'Offers that cannot be priced, by id, at most 200.',
  excluded_count: 'How many offers cannot be priced.',
  fee_energia: 'Margin on energy, EUR/MWh.',
  fee_potencia: 'Margin shown with the power, EUR/MWh; electricity only.',
  from: 'From this instant on, included; a day without a time begins there.',
  financiacion_bono_social: 'Share of the social bonus, EUR; -1 for PVPC, 0 where it is part of the price.',
  hasta: 'Last month averaged.',
  ids: 'The offers to compare, each once.',
  image_url: 'A picture of the firm, https.',
  include_inactive: 'Deactivated records too.',
  indexada: 'Where the prices of an indexed offer come from; null for other offers.',
  'indexada.mes': 'The month that was applied.',
  indexed_prices: 'All monthly prices, oldest first.',
  importe: 'Amount of the invoice with taxes, EUR.',
  importe_energia: 'Its part for energy, EUR.',
  importe_potencia: 'Its part for power, EUR.',
  importe_servicios: 'Its part for additional services, EUR. They are no price of the contract.',
  indexed_prices_total: 'How many months are stored.',
  is_catalog: 'Whether it belongs to the shared catalog.',
  is_optimal: 'True for the first offer, and only for it.',
  limit: 'How many results to answer at most.',
  logo_url: 'A picture of the retailer, https.',
  mas_barata_id: 'The first offer at w = 1.',
  mas_comision: 'The best paid offer.',
  mas_comision_id: 'The first offer at w = 0; null without `commissions:read`.',
  mas_eficiente: 'The offer with the best nota.',
  mas_eficiente_id: 'The first offer at the weight used.',
  matched_tier: 'The tier that gave the amount; null: none matched.',
  mes: 'The month whose prices apply, `YYYY-MM` or any day of it. Left out, indexed offers apply the mean of up to 12 months.',
  meses: 'Months of the calculation period: count for what is paid monthly.',
  meses_historico: 'How many months were averaged.',
  modo: '`media`: the mean of the last 12 months of the history; `mes`: one month.',
  ...periods('p', 'maximos.', (period) => `Highest power in P${period}, kW.`),
  motivo: 'The reason, in Spanish.',
  nota: 'The score, 0 to 10: price and commission weighed by w.',
  nota_comision: '10 is the best paid offer; null without `commissions:read`.',
  nota_precio: '10 is the cheapest offer.',
  offer_ids: 'The offers that are changed.',
  offset: 'How many results to skip.',
  potencia: 'Contracted power by period.',
  ...periods('p', 'potencia.', (period) => `Contracted power in P${period}, kW.`),
  power_commission: 'What the power pays: 0 for gas, where no power was given and where no tier matches.',
  power_from: 'kW, included.',
  power_kw: 'Contracted power in kW.',
  power_to: 'kW, included; null is open.',
  peajes_parecidos:
    'With `peaje_sin_ofertas`: at most three tariffs that offers have, the most similar to `tariff_type` first.',
  perfil:
    'Consumption and surplus by parts of the period, such as calendar months: 1 to 36. In a question its sums are the consumption, `excedentes` and `dias`, which may be left out.',
  ponderado:
    'Whether energy was priced by the months of a profile: `precios` is their mean then, and not what each month cost.',
  precios: 'The prices that were applied.',
  'Ranking.total': 'How many offers were ranked, of which the results show the first.',
  'RankingResult.commission':
    'EUR per contract-year, whatever the calculation period; null without `commissions:read`.',
  'Portfolio.total': 'How many customers were sent.',
  'PortfolioAnswer.total': 'How many offers were ranked.',
  ref: 'Your name for the customer, which the answer repeats. Null if the name itself is wrong.',
  reference_month:
    'A month: `YYYY-MM` or any day of it is taken, its first day is answered. It is stored from 1990-01 to 2199-12.',
  separator: 'The text between two cells. `;` also writes decimal commas, for a spreadsheet in Spanish.',
  supply_type: '`LUZ` is electricity, `GAS` is gas.',
  territory: 'Where the supply is.',
  to: 'Up to this instant, included; a day without a time ends there.',
  tolerancia:
    'EUR of the annual cost of the customer for one EUR of commission, 0 to 100, in place of w. Above 0 it needs `commissions:read`.',
  total: 'How many there are in all.',
  total_commission: 'Both commissions together, in EUR per contract-year.',
  umbrales: 'Which offer wins at which weight, from 0 to 1 without a gap; null without `commissions:read`.',
  top: 'How many of the best offers each customer gets.',
  url: 'The address in the code, at most 2048 characters. Its `cups` may be cut off; it is neither answered nor kept.',
  value: 'EUR per contract-year.',
  w: 'The weight: 1 looks at savings only, 0 at commission only. 0.5 when left out, 1 without `commissions:read`.',
  w_desde: 'Weight from which it wins, included.',
  w_hasta: 'Weight up to which it wins, included.',
};

/** A part of a document that is being completed. */
export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return isJsonObject(value);
}

function describe(target: Json, note: string | undefined): void {
  if (note !== undefined && !('$ref' in target) && !('description' in target)) target.description = note;
}

/**
 * Writes the notes into a document: to its parameters, and to the properties of its schemas.
 *
 * @param part - The document or a part of it, which is changed.
 * @param parent - The property or named schema that the part describes.
 */
export function addNotes(part: unknown, parent = ''): void {
  if (Array.isArray(part)) for (const entry of part) addNotes(entry, parent);
  if (!isJson(part)) return;
  if ('in' in part && typeof part.name === 'string') describe(part, FIELD_NOTES[part.name]);
  for (const [keyword, inner] of Object.entries(part)) {
    // Values of examples sometimes look like schemas, and are not.
    if (keyword === 'examples') continue;
    if (keyword === 'properties' && isJson(inner)) addNotesToProperties(inner, parent);
    else if (keyword === 'schemas' && isJson(inner)) for (const name of Object.keys(inner)) addNotes(inner[name], name);
    else addNotes(inner, parent);
  }
}

function addNotesToProperties(properties: Json, parent: string): void {
  for (const [name, schema] of Object.entries(properties)) {
    if (isJson(schema)) describe(schema, FIELD_NOTES[`${parent}.${name}`] ?? FIELD_NOTES[name]);
    addNotes(schema, name);
  }
}
