import { readFileSync } from 'node:fs';
import { bulkSheetFor } from '@tarifario/core/service';
import { type ApiDocument, type DocumentedOperation, readContract } from '@tarifario/testkit/api/contract';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { openApiDocument, operations } from '../src/index.ts';

const json = JSON.stringify(openApiDocument());
const document: ApiDocument = JSON.parse(json);
const contract = readContract(document);

function rowOf(operationId: string) {
  const row = contract.rows.find(({ operation }) => operation.operationId === operationId);
  if (!row) throw new Error(`${operationId} is not in the document`);
  return row;
}

function statusesOf({ responses }: DocumentedOperation): string {
  return Object.keys(responses).join(' ');
}

/** Every schema that parts of the document have or refer to. */
function schemasIn(start: unknown): readonly AnySchemaObject[] {
  const schemas = new Set<object>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || schemas.has(part)) return;
    schemas.add(part);
    if ('$ref' in part) look(contract.resolve(part));
    for (const [name, value] of Object.entries(part)) if (!/^examples?$/.test(name)) look(value);
  };
  look(start);
  return [...schemas].filter((part) => 'type' in part || 'properties' in part);
}

describe('the document', () => {
  it('is the same on every call', () => {
    expect(JSON.stringify(openApiDocument())).toBe(json);
  });

  it('A-161: has at most 20 kB of examples, none above 1 kB, and says where the others are', () => {
    const sizes: number[] = [];
    const look = (part: unknown, isOfSchemas = false): void => {
      if (typeof part !== 'object' || part === null) return;
      for (const [name, value] of Object.entries(part)) {
        if (isOfSchemas || !/^examples?$/.test(name)) look(value, name === 'properties');
        else if (name === 'examples')
          sizes.push(...Object.values(Object(value)).map((one) => JSON.stringify(one).length));
        else sizes.push(JSON.stringify(value).length);
      }
    };
    look(document);
    expect(sizes.length).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(20 * 1024);
    expect(document).toMatchObject({
      info: { contact: { name: expect.any(String), url: '/v1/about' } },
      externalDocs: { url: '/openapi-examples.json' },
    });
    expect(Object(document.info).description).toContain('`/openapi-examples.json`');
  });

  it('has no empty list of examples', () => {
    expect(json).not.toContain('"examples":{}');
  });

  it('has every operation of the table and no other', () => {
    const inDocument = contract.rows.map(({ method, path, operation }) => `${operation.operationId} ${method} ${path}`);
    const inTable = operations.map(({ id, method, path }) => `${id} ${method} ${path}`);
    expect(inDocument.toSorted()).toEqual(inTable.toSorted());
  });

  it.each([
    ['getOffer', '200 304 400 401 403 404 429 500 503'],
    ['rankOffers', '200 400 401 403 404 408 413 415 422 429 500 503'],
    ['createClient', '201 400 401 403 408 409 413 415 422 429 500 503'],
    ['upsertIndexedPrice', '200 201 400 401 403 404 408 409 412 413 415 422 429 500 503'],
    ['changePassword', '204 400 401 403 408 409 413 415 422 429 500 503'],
    ['updateAccount', '200 400 401 403 408 409 413 415 422 429 500 503'],
    ['updateClient', '200 400 401 403 404 408 409 412 413 415 422 429 500 503'],
    ['deleteOffer', '200 400 401 403 404 412 429 500 503'],
    ['cancelUpload', '200 400 401 403 404 409 429 500 503'],
    ['createUpload', '201 202 400 401 403 408 409 413 415 422 429 500 503'],
    ['bulkUpdateOffers', '200 400 401 403 408 409 413 415 422 429 500 503'],
    ['bulkTemplateOffers', '200 304 400 401 403 409 429 500 503'],
  ])('names every status of %s', (id, statuses) => {
    expect(statusesOf(rowOf(id).operation)).toBe(statuses);
  });

  it('says which codes a status has, and only where they can occur', () => {
    const codesOf = (id: string, status: string) => {
      const text = JSON.stringify(rowOf(id).operation.responses[status]);
      const [, codes = ''] = /"code":\{"enum":\[([^\]]*)\]/.exec(text) ?? [];
      return codes === '' ? [] : codes.replaceAll('"', '').split(',');
    };
    const ofAnyKey = ['account_inactive', 'firm_inactive', 'foreign_firm'];
    expect(codesOf('getAccount', '403')).toEqual(ofAnyKey);
    expect(codesOf('rankOffers', '403').toSorted()).toEqual(
      [...ofAnyKey, 'missing_scope', 'weight_needs_commissions'].toSorted(),
    );
    expect(codesOf('updateAccount', '409')).toEqual([]);
    expect(rowOf('updateAccount').operation.responses['409']).toEqual({
      $ref: '#/components/responses/DuplicateEmail',
    });
  });

  it('shows Idempotency-Key, its refusals and the header of a replay where the header is used, and nowhere else', () => {
    const parameter = { $ref: '#/components/parameters/IdempotencyKey' };
    const shown = operations.map(({ id, success }) => {
      const { parameters = [], responses } = rowOf(id).operation;
      const mark = JSON.stringify(success.map((status) => responses[String(status)]));
      const codes = JSON.stringify([responses['409'], responses['422']]).match(/idempotency_\w+|Idempotency\w+/g);
      const hasHeader = JSON.stringify(parameters).includes(JSON.stringify(parameter));
      return [
        id,
        hasHeader,
        mark.includes('Idempotent-Replayed'),
        new Set(codes?.map((code) => code.toLowerCase())).size > 0,
      ];
    });
    expect(shown).toEqual(operations.map(({ id, replayable }) => [id, replayable, replayable, replayable]));
    expect(document.components.parameters?.IdempotencyKey).toMatchObject({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { minLength: 1, maxLength: 255 },
    });
  });

  it('forbids further members in requests and allows them in answers, because later versions may add some', () => {
    const of = (parts: (operation: DocumentedOperation) => unknown) =>
      schemasIn(contract.rows.map(({ operation }) => parts(operation)));
    const [sent, answered] = [
      of(({ parameters, requestBody }) => [parameters, requestBody]),
      of((row) => row.responses),
    ];
    const isClosed = ({ additionalProperties }: AnySchemaObject) => additionalProperties === false;
    expect(sent.filter((schema) => schema.properties && !isClosed(schema))).toEqual([]);
    expect(answered.filter(isClosed)).toEqual([]);
    expect([sent.length, answered.length].every((count) => count > 100)).toBe(true);
  });

  it('has no `default` in a body that is sent, because generators of types require such a member', () => {
    const sent = schemasIn(contract.rows.map(({ operation }) => operation.requestBody));
    expect(sent.filter((schema) => 'default' in schema)).toEqual([]);
    expect(document.components.schemas?.RankingQuestion).toMatchObject({
      properties: { limit: { description: 'Results at most. Default: `50`.' } },
    });
  });

  it('has tests that notice a member of an answer that it does not name', () => {
    const row = rowOf('listClients');
    const problems = (body: unknown) =>
      contract.problemsOf(row, { status: 200, text: JSON.stringify(body), header: () => 'application/json' });
    const page = JSON.parse(readFileSync(new URL('../dist/openapi-examples.json', import.meta.url), 'utf8'));
    const value = page.operations.listClients[0].answer;
    expect(problems(value)).toEqual([]);
    expect(problems({ ...value, leak: 1 })).toEqual(['the body must NOT have additional properties']);
    const results = value.results.map((result: object) => ({ ...result, leak: 1 }));
    expect(problems({ ...value, results })).toContain('/results/0 must NOT have additional properties');
  });

  it('has no broken reference and no unused component', () => {
    const referred = new Set([...json.matchAll(/"#\/components\/([\w/-]+)"/g)].map((match) => match[1]));
    const { securitySchemes, ...components } = document.components;
    const defined = Object.entries(components).flatMap(([kind, things]) =>
      Object.keys(things).map((name) => `${kind}/${name}`),
    );
    expect([...referred].toSorted()).toEqual(defined.toSorted());
    expect(securitySchemes).toEqual({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: expect.any(String) },
      Bearer: { type: 'http', scheme: 'bearer', description: expect.any(String) },
    });
  });

  it('distinguishes offers by their supply type', () => {
    for (const name of ['Offer', 'OfferDetail', 'RankedOffer']) {
      expect(document.components.schemas?.[name]).toMatchObject({
        oneOf: [{ $ref: expect.stringContaining('Electricity') }, { $ref: expect.stringContaining('Gas') }],
        discriminator: { propertyName: 'supply_type', mapping: { LUZ: expect.any(String), GAS: expect.any(String) } },
      });
    }
  });

  it('has a name for the answer of each operation, or for the records of its list', () => {
    // Only one operation reports the results of a batch.
    const unique = ['bulkPatchOffers'];
    const nameless = operations.filter(({ id, success, output, contentType }) => {
      if (output === null || contentType !== 'application/json') return false;
      const response = rowOf(id).operation.responses[String(success[0])];
      return !/"schema":(\{"\$ref"|.*"results":\{"type":"array","items":\{"\$ref")/.test(JSON.stringify(response));
    });
    expect(nameless.map(({ id }) => id)).toEqual(unique);
  });

  it('says where a file is sent, and where one is answered', () => {
    const bodyTypes = (id: string) => Object.keys(rowOf(id).operation.requestBody?.content ?? {});
    expect(bodyTypes('createUpload')).toEqual(['application/json', 'multipart/form-data']);
    expect(bodyTypes('bulkUpdateCatalogOffers')).toEqual(['multipart/form-data']);
    expect(bodyTypes('bulkPatchOffers')).toEqual(['application/json']);
    const { content } = rowOf('bulkUpdateOffers').operation.requestBody ?? {};
    expect(content?.['multipart/form-data']?.schema).toEqual({
      type: 'object',
      properties: { file: { type: 'string', format: 'binary', description: expect.any(String) } },
      required: ['file'],
      additionalProperties: false,
    });
    for (const id of ['bulkTemplateOffers', 'bulkTemplateIndexedCatalogOffers']) {
      expect(rowOf(id).operation.responses['200']).toMatchObject({
        headers: { 'Content-Disposition': expect.anything() },
        content: {
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
            schema: { type: 'string', format: 'binary' },
          },
        },
      });
    }
    const refused = JSON.stringify(rowOf('bulkUpdateOffers').operation.responses['422']);
    expect(refused).toContain('"sheet":"ofertas"');
    const queued = JSON.stringify(rowOf('createUpload').operation.responses['422']);
    expect(queued).toContain('business_rule');
    expect(queued).not.toContain('"sheet"');
  });

  it('says which amounts a ranking leaves out, and for which period the others are', () => {
    const { description } = rowOf('rankOffers').operation;
    expect(description).toMatch(/taxes \(VAT, IGIC or IPSI, .*\) and the rental of the meter are excluded/i);
    expect(description).toContain('Cost is in EUR over the calculation period');
    expect(description).toContain('Commission is in EUR per contract-year');
  });

  it('says who may call and how often', () => {
    const { description, 'x-scopes': scopes } = rowOf('recommendOffers').operation;
    expect(description).toContain('Needs `offers:read` and `commissions:read`.');
    expect(scopes).toEqual(['offers:read', 'commissions:read']);
    expect(rowOf('getAccount').operation.description).toContain('Any key may call this.');
    expect(rowOf('updateAccount').operation).toMatchObject({ 'x-scopes': [], 'x-full-access': true });
    const password = rowOf('changePassword').operation;
    expect(password.description).toContain('Needs a key with full access');
    expect(password.description).toContain('At most 5 calls in 5 minutes per account');
    expect(password['x-rate-limits']).toEqual([{ name: 'password', points: 5, window_seconds: 300, per: 'account' }]);
  });

  it('repeats a parameter with many values, and bounds whole numbers only where we do', () => {
    const ids = rowOf('compareOffers').operation.parameters?.find(({ name }) => name === 'ids');
    expect(ids).toMatchObject({ in: 'query', required: true, style: 'form', explode: true });
    expect(json).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('is written in ASCII characters', () => {
    expect(json).not.toMatch(/[\u2010-\u2015\u2018-\u201f\u2026]/);
  });
});

describe('the notes on fields', () => {
  /** Every named schema of the document: properties with the name of their parent, and parameters. */
  function named(
    part: unknown,
    parent = '',
  ): { readonly name: string; readonly schema: object; readonly at: object }[] {
    if (Array.isArray(part)) return part.flatMap((entry) => named(entry, parent));
    if (typeof part !== 'object' || part === null) return [];
    const own =
      'in' in part && 'name' in part && 'schema' in part
        ? [{ name: `.${part.name}`, schema: Object(part.schema), at: part }]
        : [];
    const inner = Object.entries(part).flatMap(([keyword, value]) => {
      if (keyword === 'examples') return [];
      if (keyword === 'schemas') return Object.entries(value).flatMap(([name, schema]) => named(schema, name));
      if (keyword !== 'properties') return named(value, parent);
      return Object.entries(value).flatMap(([name, schema]) => [
        { name: `${parent}.${name}`, schema: Object(schema), at: Object(schema) },
        ...named(schema, name),
      ]);
    });
    return [...own, ...inner];
  }
  const all = named(document);

  const sheetOf = {
    NewOffer: 'ofertas',
    OfferChanges: 'ofertas',
    OfferUpdates: 'ofertas',
    NewMonth: 'precios_indexados',
  };
  it.each(Object.entries(sheetOf))('give the bounds of the stored numbers of %s', (name, sheet) => {
    const columns = bulkSheetFor('own', sheet)?.columns ?? [];
    const bounded = columns.flatMap(({ header, min, max }) =>
      min !== null && max !== null ? [[`${name}.${header}`, min, max] as const] : [],
    );
    expect(bounded.length).toBeGreaterThan(10);
    for (const [path, min, max] of bounded) {
      const parameter = all.find((entry) => entry.name === path);
      expect(parameter?.schema, path).toMatchObject({
        description: expect.stringContaining(` From ${min} to ${max}.`),
      });
    }
  });

  it('give the longest name', () => {
    for (const body of ['NewOffer', 'OfferChanges', 'OfferUpdates']) {
      const noteOf = (field: string) => all.find(({ name }) => name === `${body}.${field}`)?.schema;
      expect(noteOf('offer_name')).toMatchObject({ description: '1 to 200 characters.' });
      expect(noteOf('tariff_type')).toMatchObject({ description: expect.stringMatching(/\. 1 to 32 characters\.$/) });
    }
    expect(rowOf('createClient').operation.requestBody).toMatchObject({
      content: {
        'application/json': { schema: { properties: { name: { description: '1 to 200 characters.' } } } },
      },
    });
  });

  it('are on every amount, with its unit', () => {
    const isAmount = (schema: object): boolean =>
      'type' in schema && [schema.type].flat().includes('number')
        ? true
        : 'anyOf' in schema && Array.isArray(schema.anyOf) && schema.anyOf.some(isAmount);
    const bare = all.filter(({ schema, at }) => isAmount(schema) && !('description' in at));
    expect(all.filter(({ schema }) => isAmount(schema)).length).toBeGreaterThan(100);
    expect([...new Set(bare.map(({ name }) => name))]).toEqual([]);
  });
});
