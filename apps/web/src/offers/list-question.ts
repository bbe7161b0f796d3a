import { TARIFFS } from '@tarifario/core';
import { searchWithoutCups } from '../customer/cups.ts';
import { type Supply, TERMS } from '../customer/draft.ts';
import { plain } from '../ranking/view.ts';

export const OWNERS = ['both', 'own', 'catalog'] as const;
export const SUPPLIES = Object.keys(TARIFFS) as Supply[];
const ORDERS = ['offer_name', '-offer_name', 'company_name', '-company_name', 'updated_at', '-updated_at'] as const;
/** The least and most months that an offer can say. */
export const MONTHS = { permanencia_max: [0, 60], precio_fijo_min: [1, 120] } as const;
/** What a contract has to say. */
export interface TermsFilter {
  readonly permanencia_max?: number;
  readonly precio_fijo_min?: number;
  readonly energia_verde?: boolean;
}
export type Order = (typeof ORDERS)[number];
/** A column by which the service can order. */
export type OrderColumn = 'offer_name' | 'company_name' | 'updated_at';

/** What the list of offers is asked for. The address of the page says it. */
export interface ListQuestion {
  readonly owner: (typeof OWNERS)[number];
  readonly supply: Supply;
  /** As it is typed. */
  readonly search: string;
  /** `null`: by id. */
  readonly order: Order | null;
  readonly withInactive: boolean;
  readonly terms: TermsFilter;
}

/** What is sent of a typed text. */
export const searchIn = ({ search }: ListQuestion): string => searchWithoutCups(search);

/** The question of an address; what it does not say, or says wrong, is the first choice. */
export function questionIn(address: string): ListQuestion {
  const sent = new URLSearchParams(address);
  const among = <T extends string>(name: string, values: readonly T[]) =>
    values.find((value) => value === sent.get(name)) ?? null;
  return {
    owner: among('owner', OWNERS) ?? 'both',
    supply: among('supply_type', SUPPLIES) ?? 'LUZ',
    search: sent.get('q') ?? '',
    order: among('sort', ORDERS),
    withInactive: sent.has('include_inactive'),
    terms: termsIn(sent),
  };
}

function termsIn(sent: URLSearchParams): TermsFilter {
  const months = TERMS.flatMap((name) => {
    const [text, [least, most]] = [sent.get(name) ?? '', MONTHS[name]];
    return /^\d{1,3}$/.test(text) && +text >= least && +text <= most ? [[name, +text]] : [];
  });
  const green = sent.get('energia_verde');
  const isGreen = green === 'true' || green === 'false' ? { energia_verde: green === 'true' } : {};
  return { ...Object.fromEntries(months), ...isGreen };
}

/** The question as the end of an address, as short as possible. */
export function addressEnd(question: ListQuestion): string {
  const { owner, supply, order, withInactive, terms } = question;
  const search = searchIn(question);
  const end = new URLSearchParams({
    ...(search !== '' && { q: search }),
    ...(order !== null && { sort: order }),
    ...(owner !== 'both' && { owner }),
    ...(supply !== 'LUZ' && { supply_type: supply }),
    ...(withInactive && { include_inactive: 'true' }),
    ...Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)])),
  }).toString();
  return end === '' ? '' : `?${end}`;
}

interface Named {
  readonly offer_name: string;
  readonly company: { readonly name: string };
  readonly updated_at: string;
}

const KEYS: Readonly<Record<OrderColumn, (offer: Named) => string>> = {
  offer_name: (offer) => plain(offer.offer_name),
  company_name: ({ company }) => plain(company.name),
  updated_at: (offer) => offer.updated_at,
};

/** Two lists that the service has ordered, as one; without an order one after the other. */
export function inOneOrder<O extends Named>(lists: readonly (readonly O[])[], order: Order | null): readonly O[] {
  if (order === null) return lists.flat();
  const keyOf = KEYS[order.replace('-', '') as OrderColumn];
  const sign = order.startsWith('-') ? -1 : 1;
  return lists.flat().toSorted((a, b) => sign * (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
}

/** The next order of a column: names from A on, changes from the newest on, then in reverse, then none. */
export function nextOrder(column: OrderColumn, order: Order | null): Order | null {
  const orders: readonly Order[] = column === 'updated_at' ? ['-updated_at', 'updated_at'] : [column, `-${column}`];
  const at = order === null ? -1 : orders.indexOf(order);
  return orders[at + 1] ?? null;
}
