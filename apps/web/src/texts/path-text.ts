import { isText, type TextName, type Translation } from './texts.ts';

/** The words of the page for members of questions whose names on the wire are not those of a text. */
const NAMES: Readonly<Record<string, TextName>> = {
  client_type: 'holder',
  consumo_gas: 'gasEnergy',
  contrato_actual: 'present',
  coste_total: 'presentTotalEur',
  dias: 'days',
  energia: 'energy',
  excedentes: 'surplus',
  factura_total: 'presentBillEur',
  fecha: 'taxDay',
  gas_energy: 'priceEnergy',
  gas_fixed: 'gasFixed',
  nota: 'proposalNote',
  ref: 'proposalRef',
  periodos: 'line',
  potencia: 'power',
  precio_excedentes: 'priceSurplus',
  reference_month: 'month',
  services_cost: 'services',
  tariff_type: 'tariff',
};

/** Members with a quantity for each period; `e1` and `p1` of others are prices. */
const QUANTITIES = ['energia', 'potencia', 'maximos'];

/** Where a refusal found something, in words: `periodos.0.maximos.p2` is `Línea 1 P2`. Nothing where there are none. */
export function pathText(path: string, { say }: Translation): string {
  const words = path.split('.').flatMap((part, at, parts) => {
    if (/^\d+$/.test(part)) return [String(Number(part) + 1)];
    if (/^[ep]\d$/.test(part)) {
      const price = say(part.startsWith('e') ? 'priceEnergy' : 'pricePower');
      return [...(QUANTITIES.includes(parts[at - 1] ?? '') ? [] : [price]), `P${part[1]}`];
    }
    const name = NAMES[part] ?? part;
    return isText(name) ? [say(name)] : [];
  });
  return words.join(' ');
}
