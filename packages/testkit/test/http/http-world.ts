import { operations } from '@tarifario/api';
import { fillSample, goodCalls, type SampleWorld } from '../api/sample.ts';
import { asRecord, type CallInput, PASSWORD } from '../api/world.ts';
import { formBytes, xlsxFile } from './forms.ts';
import { askFor, type RunningServer } from './running-server.ts';

/** A request as it goes out; a query as the text behind the question mark. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** In place of `body`: a form, as `formBytes` makes it. */
  readonly formBody?: Uint8Array<ArrayBuffer>;
}

/** An operation as a request for its path. */
export function requestOf(
  id: string,
  { params = {}, query = {}, body, form }: Omit<CallInput, 'key'> = {},
): HttpRequest {
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_braces, name) => encodeURIComponent(params[name] ?? ''));
  const text = typeof query === 'string' ? query : queryText(query);
  const search = text === '' ? '' : `?${text}`;
  const sent = form ? { formBody: formBytes(form) } : body === undefined ? {} : { body };
  return { method: operation.method, path: path + search, ...sent };
}

function queryText(query: Exclude<CallInput['query'], string | undefined>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((text): [string, string] => [name, text]),
  );
  return new URLSearchParams(pairs).toString();
}

/** A server with the sample of the api's tests, in an account of its own; `pays` as for `fillSample`. */
export async function fillServer(server: RunningServer, name: string, pays?: (base: number) => number) {
  const { store } = server.service;
  const accountId = await server.addAccount(name, { password: PASSWORD });
  const fullKey = await server.addKey(accountId, {});
  const account = await store.read((reader) => reader.accounts.get(accountId));
  if (!account) throw new Error('an account was made');
  const world: SampleWorld = {
    store,
    account,
    fullKey,
    ask: async (id, input) => asRecord(await askFor(server, input?.key ?? fullKey, requestOf(id, input))),
    newKey: (keyAccountId, rights = {}) => server.addKey(keyAccountId, rights),
    makeFile: xlsxFile,
    now: () => new Date().toISOString(),
    catalogName: (companyName) => `${companyName} ${name}`,
  };
  const sample = await fillSample(world, pays);
  return { accountId, key: fullKey, sample, calls: goodCalls(sample, xlsxFile) };
}
