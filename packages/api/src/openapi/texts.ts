import { CALLS_PER_MINUTE, EXTRA_LIMITS, type ExtraLimit } from '@tarifario/core/service';
import type { Operation } from '../operation.ts';

const planRows = Object.entries(CALLS_PER_MINUTE).map(
  ([plan, { account, firm }]) => `| ${plan} | ${account} | ${firm} |`,
);

/** The rules that hold for every operation. */
export const ABOUT = `Compares Spanish electricity and gas tariffs: what each offer costs a customer, what it pays the advisor, and how
the two weigh against each other.

## Keys
Send the key in the header \`X-API-Key\`, or as \`Authorization: Bearer\`, and never in both (400). A key has full access or a list of scopes; each operation says which scopes it
needs. A key may be bound to one advisory firm: then \`client_id\` is always that firm, and another one is refused.
Without \`commissions:read\` the commissions of every answer are null.

## Lists
Lists take \`limit\` (1 to 200) and \`offset\`, or \`after_id\`, the last id of the page before, and answer \`{ total, limit, offset, results }\` in order of id. Deactivated
records are left out unless \`include_inactive=true\`. Every operation takes \`client_id\`, which narrows it to one advisory
firm of the account. With \`fields\` an answer has the members that it names: every member of its schema, at any depth, may
be absent then.

## Refusals
Every refusal has one shape, \`{ "detail": { "code", "message" } }\`. A machine should look at \`code\`. Where fields are
wrong, \`errors\` names all of them. A request is checked in this order: key (401), account (403), limits (429), scope
(403), input (400), advisory firm (403), record (404), rules (409, 422). A record that does not exist and a record of
somebody else are answered alike. Unknown fields and parameters are refused. A method that a path does not have is
answered 405 with \`Allow\`. Every answer has an \`X-Request-Id\`. Messages are in English, or in Spanish for who prefers that
by \`Accept-Language\` (\`es\`): those of refusals, of wrong fields and rows, and of uploads. Codes are the same.

## Files
A workbook is sent as a form (\`multipart/form-data\`) with one part \`file\` that has a file name. One with wrong rows is
refused with 422: \`errors\` names the sheet, the row and the offer of each, the first 1000, and \`error_count\` counts
all. One that cannot be read is refused with 400, one beyond 10 MB with 413. The curve of a meter is a CSV, sent likewise or
alone as \`text/csv\`.

## Sending again
If a request got no answer, it may or may not have been performed. Operations with the header \`Idempotency-Key\` may be
sent again with the same key: what was done is not done a second time, and the first answer comes back, with
\`Idempotent-Replayed: true\`. This holds for 24 hours, for the same API key, the same request and unchanged rights. A
request that was refused did nothing, and is checked again.

## Limits
Calls are counted in fixed windows of a minute, per account and, for keys bound to an advisory firm, per firm as well.
Some operations have limits of their own besides. A call beyond one limit is answered 429 and takes from none; any other
call counts, also when it is refused, a portfolio as its operation says; only one that is refused because too many
files wait, or too many bodies arrive (503), gets back the points of its own limits. Calls with unknown keys are counted per address.

| plan | calls of the account | calls of one firm's keys |
|---|---|---|
${planRows.join('\n')}

## Examples
The document has requests. Answers to them, and one of every refusal, are at \`/openapi-examples.json\`, which needs no key.

## Units
Energy is priced in EUR/kWh, power in EUR/kW and day, fixed terms and services in EUR/month. Instants are UTC, months are
their first day.
`;

/** The nouns of the API, in the order in which they are shown. */
export const TAGS = {
  Changes: 'What changed since the last look.',
  Offers: 'Electricity (`LUZ`) and gas (`GAS`) supply tariffs: listed, ranked, compared, changed.',
  'Indexed prices': 'The monthly prices of offers that follow the market.',
  Proposals: 'Rankings that were shown to customers, kept so that they can be made again.',
  Invoices: 'Invoices of customers, read and not kept.',
  Consumption: 'Curves of meters, read and not kept.',
  Indices: 'Prices of markets by the hour, as published.',
  Power: 'The right contracted power, and the regulated prices of power.',
  Taxes: 'Rates of taxes by law and date.',
  About: 'What a comparison says of itself.',
  Companies: 'Energy retailers.',
  Clients: 'Advisory firms: the owners of companies and offers.',
  Catalog: 'Offers and companies that all accounts share.',
  Account: 'The account of the key.',
  Keys: 'The API keys of the account.',
  Subscription: 'The plan of the account.',
  Usage: 'The calls of the account.',
  Uploads: 'Files sent to the account.',
  Webhooks: 'Addresses that are told of events (Standard Webhooks).',
} as const;
type Tag = keyof typeof TAGS;

/** The noun of a path: its first segment after `/v1`, except for prices of own offers, regulated ones and subscriptions. */
export function tagOf(path: string): Tag {
  const [, , noun = '', ...rest] = path.split('/');
  if (rest.includes('catalog-subscriptions')) return 'Catalog';
  const isOfMonths = noun === 'offers' && rest.includes('indexed-prices');
  if (noun === 'regulated-prices') return 'Power';
  const name = isOfMonths ? 'Indexed prices' : noun.charAt(0).toUpperCase() + noun.slice(1);
  if (!Object.hasOwn(TAGS, name)) throw new RangeError(`${path} has no tag`);
  return name as Tag;
}

/** A limit in the form for machines. */
export function limitFacts(name: ExtraLimit) {
  const { points, windowSeconds, per } = EXTRA_LIMITS[name];
  return { name, points, window_seconds: windowSeconds, per };
}

function windowText(seconds: number): string {
  if (seconds === 3600) return 'an hour';
  return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
}

/** The description of an operation with who may call it and how often. */
export function describe({ description, method, scopes, anyKey, fullAccess, limits, input }: Operation): string {
  const rights = [
    ...(anyKey ? ['Any key may call this.'] : []),
    ...(fullAccess ? ['Needs a key with full access that is bound to no advisory firm.'] : []),
    ...(scopes.length > 0 ? [`Needs ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`] : []),
  ];
  const ceilings = limits.map((name) => {
    const { points, windowSeconds, per } = EXTRA_LIMITS[name];
    return `At most ${points} calls in ${windowText(windowSeconds)} per ${per}, besides the limits of all calls.`;
  });
  const ofBody =
    input.body === null && method !== 'GET' ? ['Takes no body: one that says more than `{}` is refused with 400.'] : [];
  const editors = scopes.includes('catalog:write') ? 'For catalog editors. ' : '';
  return [editors + description, [...rights, ...ceilings, ...ofBody].join(' ')].join('\n\n');
}
