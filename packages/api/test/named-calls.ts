import { asRecord, type SentFormParts, type World } from '@tarifario/testkit/api/world';
import type { ApiAnswer } from '../src/index.ts';
import { everythingOf } from './stores.ts';

export const NAME = '7d0f7e0c-6a3b-4f5e-9b1d-2c8a1e4f6b70';
export const REPLAYED = { 'Idempotent-Replayed': 'true' };

export const codeOf = ({ body }: ApiAnswer) => asRecord(asRecord(body).detail).code;
export const endOf = (answer: ApiAnswer) =>
  answer.status < 400 ? answer.status : `${answer.status} ${codeOf(answer)}`;

/** All that a call could change: what `everythingOf` shows, uploads, webhooks and their events, the password, the record of catalog writes. */
export async function traces(world: World): Promise<string> {
  const { store, account } = world;
  const page = { limit: 2000, offset: 0 };
  const rest = await store.read(async (reader) => [
    await reader.uploads.list({ accountId: account.id, firmId: null, status: null }, page),
    await reader.proposals.list(
      { accountId: account.id, firmId: null, seesCommissions: true, words: [], state: null },
      page,
    ),
    await reader.webhooks.list({ accountId: account.id, firmId: null }, page),
    await reader.webhooks.waiting(null),
    await reader.accounts.passwordHash(account.id),
    await reader.catalog.writes(page),
  ]);
  return (await everythingOf(world)) + JSON.stringify(rest);
}

/** The same members in another order, as clients may send them. */
export function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  );
}

/** A body that is as good as another and differs from it in one field. */
export function otherBody(body: unknown): object {
  const fields = asRecord(body);
  const changes: Readonly<Record<string, unknown>> = {
    offer_name: 'Otra',
    name: 'Otra',
    file_name: 'otra.xlsx',
    e1: 0.3,
    new_password: 'gigantes y molinos',
    updates: { services_cost: 3 },
    offer_ids: [1],
    url: 'https://otro.example.com',
  };
  const field = Object.keys(changes).find((name) => name in fields) ?? '';
  return { ...fields, [field]: changes[field] };
}

/** A form with another file, and one with the same file under another name. */
export function othersOf(form: SentFormParts): readonly SentFormParts[] {
  return [
    { ...form, bytes: new TextEncoder().encode(`${new TextDecoder().decode(form.bytes)} `) },
    { ...form, fileName: 'otra.xlsx' },
  ];
}
