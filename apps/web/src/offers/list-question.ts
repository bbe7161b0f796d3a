import { TARIFFS } from '@tarifario/core';
import { withoutCups } from '../customer/cups.ts';
import type { Supply } from '../customer/draft.ts';
import type { Owner } from '../office/use-workbook.ts';

export const OWNERS = ['own', 'catalog'] as const;
export const SUPPLIES = Object.keys(TARIFFS) as Supply[];
const ORDERS = ['offer_name', '-offer_name', 'company_name', '-company_name', 'updated_at', '-updated_at'] as const;
export type Order = (typeof ORDERS)[number];
/** A column by which the service can order. */
export type OrderColumn = 'offer_name' | 'company_name' | 'updated_at';

/** What the list of offers is asked for. The address of the page says it. */
export interface ListQuestion {
  readonly owner: Owner;
  readonly supply: Supply;
  /** As it is typed. */
  readonly search: string;
  /** `null`: by id. */
  readonly order: Order | null;
  readonly withInactive: boolean;
}

/** What is sent of a typed text. */
export const searchIn = ({ search }: ListQuestion): string => withoutCups(search).trim();

/** The question of an address; what it does not say, or says wrong, is the first choice. */
export function questionIn(address: string): ListQuestion {
  const sent = new URLSearchParams(address);
  const among = <T extends string>(name: string, values: readonly T[]) =>
    values.find((value) => value === sent.get(name)) ?? null;
  return {
    owner: among('owner', OWNERS) ?? 'own',
    supply: among('supply_type', SUPPLIES) ?? 'LUZ',
    search: sent.get('q') ?? '',
    order: among('sort', ORDERS),
    withInactive: sent.has('include_inactive'),
  };
}

/** The question as the end of an address, as short as possible. */
export function addressEnd(question: ListQuestion): string {
  const { owner, supply, order, withInactive } = question;
  const search = searchIn(question);
  const end = new URLSearchParams({
    ...(search !== '' && { q: search }),
    ...(order !== null && { sort: order }),
    ...(owner !== 'own' && { owner }),
    ...(supply !== 'LUZ' && { supply_type: supply }),
    ...(withInactive && { include_inactive: 'true' }),
  }).toString();
  return end === '' ? '' : `?${end}`;
}

/** The next order of a column: names from A on, changes from the newest on, then in reverse, then none. */
export function nextOrder(column: OrderColumn, order: Order | null): Order | null {
  const orders: readonly Order[] = column === 'updated_at' ? ['-updated_at', 'updated_at'] : [column, `-${column}`];
  const at = order === null ? -1 : orders.indexOf(order);
  return orders[at + 1] ?? null;
}
