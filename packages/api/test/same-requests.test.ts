import type { Command, Upload } from '@tarifario/core/service';
import { filledWorld } from '@tarifario/testkit/api/sample';
import { type CallInput, createWorld, type SentFormParts, type World } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { endOf, NAME, REPLAYED } from './named-calls.ts';

const ANNOUNCED = { kind: 'file', fileName: 'x', sizeBytes: null, firmId: null, status: 'pending' } as const;
const announce: Command<null, Upload>['run'] = (writer, { accountId }) => writer.uploads.insert(accountId, ANNOUNCED);

describe('requests are the same or not', () => {
  const planted = defineOperation({
    id: 'planted',
    method: 'POST',
    path: '/v1/planted',
    summary: 'Planted',
    description: 'Adds a firm.',
    anyKey: true,
    replayable: true,
    query: { a: z.string().optional(), b: z.string().optional() },
    body: z.unknown(),
    examples: [],
    tagged: true,
    command: { find: async () => null, run: announce },
    input: () => null,
    output: { shape: z.unknown(), toWire: ({ id }) => ({ id, text: 'ñ', none: null, list: [0.1, -0] }) },
  });
  const send = (world: World, input: CallInput) => world.send(planted, { ...input, idempotencyKey: NAME });
  const bytes = (...values: number[]) => new Uint8Array(values);
  const text = (content: string) => new TextEncoder().encode(content);
  const form = (fields: SentFormParts['fields'], changes: Partial<SentFormParts> = {}): CallInput => {
    return { form: { fields: fields ?? {}, bytes: bytes(1, 2), ...changes } };
  };

  it.each<[string, CallInput, CallInput]>([
    ['a query in another order', { query: 'a=1&b=2' }, { query: 'b=2&a=1' }],
    ['a number in another notation', { body: JSON.parse('[1.0]') }, { body: JSON.parse('[1]') }],
    ['a file with the same bytes', { body: { file: bytes(1, 2) } }, { body: { file: bytes(1, 2) } }],
    ['fields of a form in another order', form({ a: '1', b: '2' }), form({ b: '2', a: '1' })],
  ])('A-53: the same: %s', async (_what, one, other) => {
    const world = await createWorld();
    const first = await send(world, one);
    expect(first).toMatchObject({ status: 200, headers: { ETag: expect.any(String) } });
    const second = await send(world, other);
    expect(JSON.stringify(second)).toBe(JSON.stringify({ ...first, headers: { ...first.headers, ...REPLAYED } }));
  });

  it.each<[string, CallInput, CallInput]>([
    ['names and values of a query exchanged', { query: 'a=b' }, { query: 'b=a' }],
    ['an order of a list', { body: ['a', 'b'] }, { body: ['b', 'a'] }],
    ['a list in a list', { body: [['a'], 'b'] }, { body: [['a', 'b']] }],
    ['a text that looks like a list', { body: ['a,b'] }, { body: ['a', 'b'] }],
    ['a number and its text', { body: [1] }, { body: ['1'] }],
    ['null and nothing', { body: { a: null } }, { body: {} }],
    ['no body and null', { body: undefined }, { body: null }],
    ['an empty list and an empty object', { body: [] }, { body: {} }],
    ['one byte of a file', { body: { file: bytes(1, 2) } }, { body: { file: bytes(1, 3) } }],
    ['a field of a form', form({ a: '1' }), form({ a: '2' })],
    ['a field of a form that lacks', form({ a: '1' }), form({})],
    ['a field of a form that is sent in another order', form({ a: ['1', '2'] }), form({ a: ['2', '1'] })],
    ['the name of a file', form({}), form({}, { fileName: 'otra.xlsx' })],
    ['one byte of a file in a form', form({}), form({}, { bytes: bytes(1, 3) })],
    ['a file and its numbers', { body: { file: bytes(1) } }, { body: { file: { 0: 1 } } }],
    ['a file and a text, or a file that looks like both', { body: [bytes(65), 'x'] }, { body: [text('A,"x"')] }],
  ])('A-53: not the same: %s', async (_what, one, other) => {
    const world = await createWorld();
    expect((await send(world, one)).status).toBe(200);
    expect(endOf(await send(world, other))).toBe('422 idempotency_mismatch');
    expect((await send(world, one)).headers).toMatchObject(REPLAYED);
  });

  it('the same name at another operation is another request', async () => {
    const { world, calls } = await filledWorld();
    const input = { ...calls.toggleClient, idempotencyKey: NAME };
    await world.call('toggleClient', input);
    expect(endOf(await world.call('toggleCompany', input))).toBe('422 idempotency_mismatch');
  });
});
