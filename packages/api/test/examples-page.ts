import { EXAMPLE_PASSWORD, fillExampleWorld } from '@tarifario/testkit/api/example-world';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { createWorld, type Progress, type World } from '@tarifario/testkit/api/world';
import { bytesAfter, newStore } from '@tarifario/testkit/new-store';
import { type Operation, operations } from '../src/index.ts';
import type { Example } from '../src/openapi/example.ts';
import { refusalExamples } from '../src/openapi/refusals.ts';

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

/** When something happened depends on how often the clock was looked at. Ids of events are random. */
function alwaysAlike(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(
    text
      .replaceAll(/"(created_at|updated_at|changed_at|finished_at)":"[^"]+"/g, '"$1":"2026-01-01T00:00:23.000Z"')
      .replaceAll(/"(msg_\d+)_\d+"/g, '"$1_254395071263754"'),
  );
}

/** What the service answers to an example. */
export interface Answered {
  readonly operation: Operation;
  readonly example: Example;
  readonly status: number;
  readonly body?: unknown;
  readonly bugs: readonly unknown[];
}

async function answerTo(operation: Operation, example: Example): Promise<Answered> {
  const { params = {}, query, body, form } = example;
  const world = await filledWorld();
  const paramTexts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const asForm = form && { fields: form.fields ?? {}, bytes: fakeFile(form.sheets) };
  const sent = { params: paramTexts, query: textsOf(query), body };
  const received = await world.call(operation.id, asForm ? { ...sent, form: asForm } : sent);
  return { operation, example, status: received.status, body: received.body, bugs: world.bugs };
}

/** The answers to all examples of all operations. */
export async function answersToExamples(): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const operation of operations) {
    for (const example of operation.examples) answers.push(await answerTo(operation, example));
  }
  return answers;
}

/** A call with its answer. An answer that would be too long and a file are left out. */
function shown({ operation, example, status, body }: Answered): object {
  const { isLong, form: _form, ...sent } = example;
  const isShown = operation.contentType === 'application/json' && !isLong && body !== undefined;
  return { ...sent, status, ...(isShown && { answer: alwaysAlike(body) }) };
}

/**
 * What is served at the address of the examples: by `operationId` the calls of each operation with their answers, which
 * would be a fifth of the document, and an answer for each code of a refusal. With lines, for who reads what moved.
 */
export function examplesPage(answers: readonly Answered[]): string {
  const byOperation = Map.groupBy(answers, ({ operation }) => operation.id);
  const operations = Object.fromEntries([...byOperation].map(([id, examples]) => [id, examples.map(shown)]));
  // Bytes of proposals move with every answer, which they have whole.
  const plain = (name: string, value: unknown) => (name === 'proposals_bytes' ? 38_500 : value);
  return `${JSON.stringify({ operations, refusals: refusalExamples() }, plain, 2)}\n`;
}
