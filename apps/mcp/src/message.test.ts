import { describe, expect, it } from 'vitest';
import { readMessage } from './message.ts';

describe('a message', () => {
  it.each([
    [
      { id: 1, method: 'ping' },
      { id: 1, method: 'ping', params: {} },
    ],
    [
      { id: 1, method: 'ping', params: null },
      { id: 1, method: 'ping', params: {} },
    ],
    [
      { id: 'a', method: 'x', params: { y: 1 } },
      { id: 'a', method: 'x', params: { y: 1 } },
    ],
    [
      { id: '', method: '' },
      { id: '', method: '', params: {} },
    ],
    [
      { id: 0, method: 'ping', result: 1 },
      { id: 0, method: 'ping', params: {} },
    ],
  ])('%j is a request', (json, expected) => {
    expect(readMessage({ jsonrpc: '2.0', ...json })).toEqual({ kind: 'request', ...expected });
  });

  it.each([
    { method: 'notifications/initialized', params: {} },
    { method: 'notifications/cancelled', params: { requestId: 1 } },
    { method: 'tools/call', params: { name: 'list_offers' } },
  ])('%j is a notification', (json) => {
    expect(readMessage({ jsonrpc: '2.0', ...json })).toEqual({ kind: 'notification', ...json });
  });

  it.each([
    { id: 1, result: {} },
    { id: 'a', error: { code: 1, message: 'x' } },
  ])('%j is a response', (json) => {
    expect(readMessage({ jsonrpc: '2.0', ...json })).toEqual({ kind: 'response' });
  });

  it.each([
    ['a list', [], null, -32600],
    ['a list of one', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], null, -32600],
    ['null', null, null, -32600],
    ['text', 'ping', null, -32600],
    ['nothing', {}, null, -32600],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, null, -32600],
    ['no version', { id: 1, method: 'ping' }, null, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, null, -32600],
    ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, null, -32600],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, null, -32600],
    ['a method that is none', { jsonrpc: '2.0', id: 7, method: 5 }, 7, -32600],
    ['an id alone', { jsonrpc: '2.0', id: 7 }, 7, -32600],
    ['neither id nor method', { jsonrpc: '2.0', result: 1 }, null, -32600],
    ['params in a list', { jsonrpc: '2.0', id: 7, method: 'ping', params: [] }, 7, -32602],
    ['params that are text', { jsonrpc: '2.0', id: 7, method: 'ping', params: 'x' }, 7, -32602],
  ])('%s is refused', (_what, json, id, code) => {
    expect(readMessage(json)).toEqual({
      kind: 'refused',
      refusal: { jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(/^[\w .,:-]+$/) } },
    });
  });
});
