import { operationOf } from '@tarifario/testkit/api/world';
import { expect, it } from 'vitest';
import { checkOperations, createDispatch, type Operation, operations } from '../src/index.ts';

const good = operationOf('getAccount');
const planted = (changes: Partial<Operation>): Operation[] => [
  ...operations,
  { ...good, id: 'planted', path: '/v1/planted', ...changes },
];

it('every operation of the table says who may call it', () => {
  expect(() => checkOperations(operations)).not.toThrow();
  expect(() => checkOperations(planted({}))).not.toThrow();
});

it.each([
  ['planted does not say once who may call it', { anyKey: false }],
  ['planted does not say once who may call it', { fullAccess: true }],
  ['planted does not say once who may call it', { scopes: ['offers:read'] }],
  ['planted is outside /v1', { path: '/planted' }],
  ['planted is outside /v1', { path: '/v1planted' }],
  ['the id getAccount comes twice', { id: 'getAccount' }],
  ['GET /v1/account comes twice', { path: '/v1/account' }],
  ['GET /v1/offers/{} comes twice', { path: '/v1/offers/{offer_id}' }],
  ['the tool get_offer comes twice', { mcp: 'get_offer', anyKey: false, scopes: ['offers:read'] }],
  ['planted is not fit for a tool', { mcp: 'planted', anyKey: false, fullAccess: true }],
  ['planted is not fit for a tool', { mcp: 'planted', anyKey: false, scopes: ['offers:read', 'offers:write'] }],
  ['planted is not fit for a tool', { mcp: 'planted', anyKey: false, scopes: ['offers:read'], replayable: true }],
  ['planted is not fit for a tool', { mcp: 'planted', anyKey: false, scopes: ['offers:read'], limits: ['bulk_patch'] }],
  ['planted is not fit for a tool', { mcp: 'planted', anyKey: false, scopes: ['offers:read'], output: null }],
  [
    'planted is not fit for a tool',
    { mcp: 'planted', anyKey: false, scopes: ['offers:read'], contentType: 'text/csv' },
  ],
] as const)('A-25, A-47: an operation for which %s is refused', (finding, changes) => {
  const rows = planted(changes);
  expect(() => checkOperations(rows)).toThrow(new RangeError(`operations: ${finding}`));
});

it('A-25: the service does not start with such an operation', () => {
  // What it is given is not looked at before the table is.
  const deps: Parameters<typeof createDispatch>[0] = JSON.parse('{}');
  expect(() => createDispatch(deps, planted({ anyKey: false }))).toThrow('does not say once who may call it');
  expect(() => createDispatch(deps)).not.toThrow();
});
