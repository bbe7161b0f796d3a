import { describe, expect, it } from 'vitest';
import { type Operation, openApiDocument, operations } from '../src/index.ts';
import type { Example } from '../src/openapi/example.ts';
import { readContract } from './contract.ts';
import { EXAMPLE_PASSWORD, fillExampleWorld } from './example-world.ts';
import { fakeFile } from './workbooks.ts';
import { asRecord, createWorld, type World } from './world.ts';

const contract = readContract(JSON.parse(JSON.stringify(openApiDocument())));

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
function atOneInstant(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(
    text.replaceAll(/"(created_at|updated_at|finished_at)":"[^"]+"/g, '"$1":"2026-01-01T00:00:23.000Z"'),
  );
}

/** What the service answers to an example, as the document shows it. */
async function recordedAnswer({ id, contentType, success }: Operation, example: Example) {
  const { params = {}, query, body, form, isLong = false } = example;
  const world = await filledWorld();
  const paramTexts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const asForm = form && { fields: form.fields ?? {}, bytes: fakeFile(form.sheets) };
  const sent = { params: paramTexts, query: textsOf(query), body };
  const received = await world.call(id, asForm ? { ...sent, form: asForm } : sent);
  const about = `${id}: ${example.summary}`;
  expect(world.bugs, about).toEqual([]);
  expect(success, `${about}: ${JSON.stringify(received.body)}`).toContain(received.status);
  const { status } = received;
  if (contentType !== 'application/json') return { status };
  const row = contract.rows.find(({ operation }) => operation.operationId === id);
  if (!row) throw new Error(`${id} is not in the document`);
  const text = received.body === undefined ? '' : JSON.stringify(received.body);
  expect(contract.problemsOf(row, { status, text, header: () => 'application/json' }), about).toEqual([]);
  return isLong || received.body === undefined ? { status } : { status, answer: atOneInstant(received.body) };
}

describe('the examples of the document', () => {
  it('show every success of every operation, answered as recorded', async () => {
    const recorded: Record<string, readonly { readonly status: number; readonly answer?: unknown }[]> = {};
    for (const operation of operations) {
      const found = [];
      for (const example of operation.examples) found.push(await recordedAnswer(operation, example));
      recorded[operation.id] = found;
      const statuses = found.map(({ status }) => status);
      expect(statuses, operation.id).toEqual(expect.arrayContaining([...operation.success]));
    }
    // After a change of the answers: the same command with -u, and read what moved.
    await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot('../src/openapi/answers.json');
  });

  it('are in the document unchanged', () => {
    for (const { method, path, operation } of contract.rows) {
      const [first] = operations.find(({ id }) => id === operation.operationId)?.examples ?? [];
      const shown = operation.requestBody?.content['application/json']?.examples ?? {};
      expect(Object.values(shown)[0]?.value, `${method} ${path}`).toEqual(first?.body);
      const parameters = Object.fromEntries((operation.parameters ?? []).map(({ name, example }) => [name, example]));
      expect(parameters).toMatchObject(asRecord({ ...first?.params, ...first?.query }));
    }
  });
});
