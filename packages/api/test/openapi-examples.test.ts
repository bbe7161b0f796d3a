import { describe, expect, it } from 'vitest';
import { openApiDocument, operations } from '../src/index.ts';
import type { Example } from '../src/openapi/example.ts';
import { EXAMPLES } from '../src/openapi/examples.ts';
import { readContract } from './contract.ts';
import { EXAMPLE_PASSWORD, fillExampleWorld } from './example-world.ts';
import { fakeFile } from './workbooks.ts';
import { asRecord, createWorld, operationOf, type World } from './world.ts';

const contract = readContract(JSON.parse(JSON.stringify(openApiDocument())));
const calls = Object.entries(EXAMPLES).flatMap(([id, list]) => list.map((example) => ({ id, example })));

async function filledWorld(): Promise<World> {
  const world = await createWorld();
  const passwordHash = `$fake$${EXAMPLE_PASSWORD}`;
  await fillExampleWorld({ ...world, accountId: world.account.id, email: 'hola@energiaclara.example', passwordHash });
  return world;
}

function textsOf(values: Example['query'] = {}): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

/** When something happened depends on how often the clock was looked at. */
function withoutInstants(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(text.replaceAll(/"(created_at|updated_at|finished_at)":"[^"]+"/g, '"$1":"..."'));
}

describe('the examples of the document', () => {
  it('show a success of every operation, and nothing else', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
    for (const { id, success } of operations) {
      const statuses = (EXAMPLES[id] ?? []).map(({ status }) => status);
      expect(statuses.toSorted(), id).toEqual(expect.arrayContaining([...success]));
    }
  });

  it.each(calls)('$id: $example.summary', async ({ id, example }) => {
    const { params = {}, query, body, form, status, answer } = example;
    const world = await filledWorld();
    const paramTexts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
    const asForm = form && { fields: form.fields ?? {}, bytes: fakeFile(form.sheets) };
    const sent = { params: paramTexts, query: textsOf(query), body };
    const received = await world.call(id, asForm ? { ...sent, form: asForm } : sent);
    expect(world.bugs).toEqual([]);
    expect({ status: received.status, body: received.status === status ? null : received.body }).toEqual({
      status,
      body: null,
    });
    if (operationOf(id).contentType !== 'application/json') return;
    const row = contract.rows.find(({ operation }) => operation.operationId === id);
    if (!row) throw new Error(`${id} is not in the document`);
    const text = received.body === undefined ? '' : JSON.stringify(received.body);
    const problems = contract.problemsOf(row, { status, text, header: () => 'application/json' });
    expect(problems).toEqual([]);
    if (answer !== undefined) expect(withoutInstants(received.body)).toEqual(withoutInstants(answer));
  });

  it('are in the document as they are made', () => {
    for (const { method, path, operation } of contract.rows) {
      const [first] = EXAMPLES[operation.operationId] ?? [];
      const shown = operation.requestBody?.content['application/json']?.examples ?? {};
      expect(Object.values(shown)[0]?.value, `${method} ${path}`).toEqual(first?.body);
      const parameters = Object.fromEntries((operation.parameters ?? []).map(({ name, example }) => [name, example]));
      expect(parameters).toMatchObject(asRecord({ ...first?.params, ...first?.query }));
    }
  });
});
