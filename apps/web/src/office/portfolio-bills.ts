import { withRates } from '../customer/answer.ts';
import type { CustomerQuestion } from '../customer/draft.ts';
import { type OpenRate, openRatesOf } from '../customer/rates.ts';
import type { Session } from '../shell/session.ts';
import type { Customer } from './customer-files.ts';

type Body = Customer['body'];

/** A row that asks for a bill itself keeps its own. */
export function billed(body: Body, day: string | null): Body {
  return day === null || 'impuestos' in body ? body : { ...body, impuestos: { fecha: day } };
}

/** Customers with the bills of a day and the rates that were chosen today, and which ones the law leaves open. */
export async function withBills(
  session: Pick<Session, 'api' | 'accountId'>,
  customers: readonly Customer[],
  day: string | null,
): Promise<{ readonly customers: readonly Customer[]; readonly rates: readonly OpenRate[] }> {
  const found: OpenRate[] = [];
  const asked = await Promise.all(
    customers.map(async (customer) => {
      const body = billed(customer.body, day);
      if (body === customer.body || !body.supply_type) return { ...customer, body };
      // The service says what else is wrong with it.
      const question = body as unknown as CustomerQuestion;
      const rates = await openRatesOf(session, question);
      found.push(...rates);
      return { ...customer, body: { ...withRates(question, rates) } };
    }),
  );
  return { customers: asked, rates: ratesIn(found) };
}

/** Each rate once: that of a law is one for all customers. */
export function ratesIn(rates: readonly OpenRate[]): readonly OpenRate[] {
  const lawOf = ({ concepto, aplica, row }: OpenRate) => `${concepto} ${aplica} ${row?.norma}`;
  return [...new Map(rates.map((rate) => [lawOf(rate), rate])).values()];
}
