import { createHash } from 'node:crypto';
import { REFUSAL_CODES } from '@tarifario/core/service';
import { readContract } from '@tarifario/testkit/api/contract';
import { asRecord } from '@tarifario/testkit/api/world';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument, operations } from '../src/index.ts';
import { type Answered, answersToExamples, examplesPage } from './examples-page.ts';

const contract = readContract(JSON.parse(JSON.stringify(openApiDocument())));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

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
  let answers: readonly Answered[] = [];
  beforeAll(async () => {
    answers = await answersToExamples();
  });

  it('are answered as the document says, without a bug', () => {
    for (const { operation, example, status, body, bugs } of answers) {
      const about = `${operation.id}: ${example.summary}`;
      expect(bugs, about).toEqual([]);
      expect(operation.success, `${about}: ${JSON.stringify(body)}`).toContain(status);
      if (operation.contentType !== 'application/json') continue;
      const row = contract.rows.find(({ operation: { operationId } }) => operationId === operation.id);
      if (!row) throw new Error(`${operation.id} is not in the document`);
      const text = body === undefined ? '' : JSON.stringify(body);
      expect(contract.problemsOf(row, { status, text, header: () => 'application/json' }), about).toEqual([]);
    }
  });

  it('show every success of every operation', () => {
    const byOperation = Map.groupBy(answers, ({ operation }) => operation);
    for (const [{ id, success }, examples] of byOperation) {
      const statuses = examples.map(({ status }) => status);
      expect(statuses, id).toEqual(expect.arrayContaining([...success]));
    }
  });

  // After a change that is meant: `npx vitest run packages/api/test/openapi-examples.test.ts -u`, then read what moved.
  it('and the document are byte for byte what they were', async () => {
    const page = examplesPage(answers);
    // The file that is served, which `npm run build` makes.
    await expect(page).toMatchFileSnapshot('../dist/openapi-examples.json');
    const served = JSON.stringify(JSON.parse(page));
    expect({ document: sha256(JSON.stringify(openApiDocument())), examples: sha256(served) }).toMatchInlineSnapshot(`
      {
        "document": "07e1150e1887901fee07b4e9411f3dbf4e21922a24ff6fa442e0b0eb59b03463",
        "examples": "f81444531134e198d1f1918365a86da85501ec5626bd3f56bd14b0bc817902e8",
      }
    `);
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

  it('A-161: are at their address with the answers of all that are not too long', () => {
    const page = JSON.parse(examplesPage(answers));
    expect(Object.keys(page.operations)).toEqual(operations.map(({ id }) => id));
    const shown = Object.values<object[]>(page.operations).flat();
    expect(shown).toHaveLength(answers.length);
    for (const [index, { operation, example, body }] of answers.entries()) {
      const { isLong, form, ...sent } = example;
      expect(shown[index], operation.id).toMatchObject(JSON.parse(JSON.stringify(sent)));
      const isShown = operation.contentType === 'application/json' && body !== undefined && !isLong;
      expect('answer' in Object(shown[index]), operation.id).toBe(isShown);
    }
    for (const [code, body] of Object.entries(page.refusals)) expect(body).toMatchObject({ detail: { code } });
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
