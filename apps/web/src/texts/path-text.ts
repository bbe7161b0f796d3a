import { NUMBERS } from '../customer/draft.ts';
import { isText, type TextName, type Translation } from './texts.ts';

/** The words of the page for members of questions whose names on the wire are not those of a text. */
const NAMES: Readonly<Record<string, TextName>> = {
  ...Object.fromEntries(Object.entries(NUMBERS).map(([name, [label]]) => [name.split('.').at(-1), label])),
  client_type: 'holder',
  contrato_actual: 'present',
  energia: 'energy',
  fecha: 'taxDay',
  nota: 'proposalNote',
  ref: 'proposalRef',
  periodos: 'line',
  potencia: 'power',
  reference_month: 'month',
  supply_type: 'customer',
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
