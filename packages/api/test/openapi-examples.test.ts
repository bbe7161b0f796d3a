import { REFUSAL_CODES } from '@tarifario/core/service';
import { readContract } from '@tarifario/testkit/api/contract';
import { EXAMPLE_PASSWORD, fillExampleWorld } from '@tarifario/testkit/api/example-world';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { asRecord, createWorld, type Progress, type World } from '@tarifario/testkit/api/world';
import { bytesAfter, newStore } from '@tarifario/testkit/new-store';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Operation, openApiDocument, openApiExamples, operations } from '../src/index.ts';
// As the document has them: the first test of this file compares them with what the service answers.
import ANSWERS from '../src/openapi/answers.json' with { type: 'json' };
import type { Example } from '../src/openapi/example.ts';

const contract = readContract(JSON.parse(JSON.stringify(openApiDocument())));

let filledOnce: ReturnType<typeof bytesAfter<Progress>> | undefined;

/** A copy, because filling takes longer. */
async function filledWorld(): Promise<World> {
  filledOnce ??= bytesAfter(async (empty) => {
    const world = await createWorld(empty);
    const passwordHash = `$fake$${EXAMPLE_PASSWORD}`;
    await fillExampleWorld({ ...world, accountId: world.account.id, email: 'hola@energiaclara.example', passwordHash });
    return world.progress();
  });
  const { bytes, answer: progress } = await filledOnce;
  return await createWorld(await newStore(bytes), undefined, { progress });
}

function textsOf(values: Example['query'] = {}): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

/** When something happened depends on how often the clock was looked at. */
function atOneInstant(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(
    text.replaceAll(/"(created_at|updated_at|changed_at|finished_at)":"[^"]+"/g, '"$1":"2026-01-01T00:00:23.000Z"'),
  );
}

interface Answered {
  readonly operation: Operation;
  readonly example: Example;
  readonly status: number;
  readonly body?: unknown;
}

/** What the service answers to an example. */
async function answerTo(operation: Operation, example: Example): Promise<Answered> {
  const { id, contentType, success } = operation;
  const { params = {}, query, body, form } = example;
  const world = await filledWorld();
  const paramTexts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const asForm = form && { fields: form.fields ?? {}, bytes: fakeFile(form.sheets) };
  const sent = { params: paramTexts, query: textsOf(query), body };
  const received = await world.call(id, asForm ? { ...sent, form: asForm } : sent);
  const about = `${id}: ${example.summary}`;
  expect(world.bugs, about).toEqual([]);
  const { status } = received;
  expect(success, `${about}: ${JSON.stringify(received.body)}`).toContain(status);
  const answered = { operation, example, status, body: received.body };
  if (contentType !== 'application/json') return answered;
  const row = contract.rows.find(({ operation: { operationId } }) => operationId === id);
  if (!row) throw new Error(`${id} is not in the document`);
  const text = received.body === undefined ? '' : JSON.stringify(received.body);
  expect(contract.problemsOf(row, { status, text, header: () => 'application/json' }), about).toEqual([]);
  return answered;
}

/** An answer as the document shows it. */
function recorded({ operation, example, status, body }: Answered) {
  const isShown = operation.contentType === 'application/json' && !example.isLong && body !== undefined;
  return isShown ? { status, answer: atOneInstant(body) } : { status };
}

/** The records in an answer. An export is JSON lines in this world: its form, its columns, its rows. */
function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value === 'string' && value.startsWith('{')) {
    const lines = value.trimEnd().split('\n');
    const [, columns = [], ...rows] = lines.map((line): unknown[] => JSON.parse(line));
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [String(column), row[index]])));
  }
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [asRecord(value)]), ...Object.values(value).flatMap(recordsIn)];
}

/** The ids in the paths of the examples. */
const SHARED_IDS: Readonly<Record<string, number>> = {
  ...{ '/v1/clients/{id}': 1, '/v1/companies/{id}': 1, '/v1/proposals/{id}': 1, '/v1/uploads/{id}': 1 },
  ...{ '/v1/offers/{id}': 1, '/v1/catalog/offers/{id}': 5, '/v1/catalog/companies/{id}': 3 },
  '/v1/webhooks/{id}': 1,
  '/v1/keys/{id}': 2,
  // Only an indexed offer has months.
  ...{ '/v1/offers/{id}/indexed-prices': 3, '/v1/catalog/offers/{id}/indexed-prices': 6 },
};
/** A member that no other record has, and what reads the records with it that all examples show. */
const READERS = [
  ['offer_name', 'getOffer', 'getCatalogOffer'],
  ['logo_url', 'getCompany', 'getCatalogCompany'],
  ['image_url', 'getClient'],
] as const;
/** These are about another record: a new one, an upload that failed, and one that was checked. */
const OF_OTHERS = /^create|^(retry|apply)Upload$/;

/** Whether a record shows a member as its detail does. Objects inside are looked at alone; an export has lists as text. */
function isSame(shown: unknown, inDetail: unknown): boolean {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject(shown) || isObject(inDetail) || (Array.isArray(inDetail) && typeof shown === 'string')) return true;
  return JSON.stringify(shown) === JSON.stringify(inDetail);
}

describe('the examples of the document', () => {
  const answers: Answered[] = [];
  beforeAll(async () => {
    for (const operation of operations) {
      for (const example of operation.examples) answers.push(await answerTo(operation, example));
    }
  });

  it('show every success of every operation, answered as recorded', async () => {
    const byOperation = Map.groupBy(answers, ({ operation }) => operation);
    for (const [{ id, success }, examples] of byOperation) {
      const statuses = examples.map(({ status }) => status);
      expect(statuses, id).toEqual(expect.arrayContaining([...success]));
    }
    const all = Object.fromEntries([...byOperation].map(([{ id }, examples]) => [id, examples.map(recorded)]));
    // After a change of the answers: the same command with -u, and read what moved.
    // Bytes of proposals move with every answer, which they have whole.
    const text = JSON.stringify(all, (name, value: unknown) => (name === 'proposals_bytes' ? 38_500 : value), 2);
    await expect(`${text}\n`).toMatchFileSnapshot('../src/openapi/answers.json');
  });

  it('show one record of each noun, with the members of its detail, in the first answer of every operation', () => {
    const firsts = new Map(answers.toReversed().map((answered) => [answered.operation.id, answered]));
    const withOffers: string[] = [];
    for (const [id, { operation, example, body }] of firsts) {
      if (OF_OTHERS.test(id)) continue;
      const place = /^.*{id}(?:.indexed-prices)?/.exec(operation.path)?.[0];
      if (place) expect(example.params?.id, id).toBe(SHARED_IDS[place]);
      const changed = operation.method === 'GET' ? [] : ['updated_at', 'is_active', ...Object.keys(example.body ?? {})];
      for (const [member, ...readers] of READERS) {
        const shown = recordsIn(body).filter((record) => member in record);
        if (shown.length === 0) continue;
        const details = readers.map((reader) => asRecord(firsts.get(reader)?.body));
        const pairs = details.flatMap((detail) =>
          shown.filter((record) => (record.id ?? record.offer_id) === detail.id).map((record) => ({ record, detail })),
        );
        expect(pairs, `${id} shows the record with ${member} that all show`).not.toEqual([]);
        for (const { record, detail } of pairs) {
          const compared = Object.keys(record).filter((name) => name in detail && !changed.includes(name));
          const others = compared.filter((name) => !isSame(record[name], detail[name]));
          expect(others, id).toEqual([]);
        }
        if (member === 'offer_name') withOffers.push(id);
      }
    }
    const expected = ['listOffers', 'getOffer', 'updateOffer', 'compareOffers', 'rankOffers', 'exportOffers'];
    expect(withOffers).toEqual(expect.arrayContaining(expected));
  });

  it('A-161: are at their address with the answers of all, as recorded', () => {
    const page = openApiExamples();
    expect(Object.keys(page.operations)).toEqual(operations.map(({ id }) => id));
    for (const { id, examples } of operations) {
      const answered: readonly object[] = (ANSWERS as Readonly<Record<string, object[]>>)[id] ?? [];
      const expected = examples.map(({ isLong: _, form: __, ...sent }, index) => ({ ...sent, ...answered[index] }));
      expect(JSON.parse(JSON.stringify(page.operations[id])), id).toEqual(JSON.parse(JSON.stringify(expected)));
    }
    for (const [code, body] of Object.entries(page.refusals)) expect(body.detail.code).toBe(code);
    expect(Object.keys(page.refusals)).toEqual(expect.arrayContaining([...REFUSAL_CODES, 'internal_error']));
  });

  it('of each operation are in the document unchanged', () => {
    for (const { method, path, operation } of contract.rows) {
      const [first] = operations.find(({ id }) => id === operation.operationId)?.examples ?? [];
      const shown = operation.requestBody?.content['application/json']?.examples ?? {};
      expect(Object.values(shown)[0]?.value, `${method} ${path}`).toEqual(first?.body);
      const parameters = Object.fromEntries((operation.parameters ?? []).map(({ name, example }) => [name, example]));
      expect(parameters).toMatchObject(asRecord({ ...first?.params, ...first?.query }));
    }
  });
});
