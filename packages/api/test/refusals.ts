import { asRecord, type CallInput, type World } from '@tarifario/testkit/api/world';
import { expect } from 'vitest';

/** A refusal in the form that all have, by its code and the paths that it names. */
export async function refusalOf(world: Pick<World, 'call'>, id: string, input: CallInput) {
  const { status, body } = await world.call(id, input);
  const { detail } = asRecord(body);
  const { code, message, errors, ...rest } = asRecord(detail);
  expect(Object.keys(asRecord(body))).toEqual(['detail']);
  expect(rest).toEqual({});
  expect(typeof message).toBe('string');
  const entries = Array.isArray(errors) ? errors.map((entry) => asRecord(entry)) : [];
  return { status, code, paths: entries.map((entry) => entry.path), errors: entries };
}

export const malformed = (...paths: string[]) => ({ status: 400, code: 'invalid_request', paths });
export const against = (...paths: string[]) => ({ status: 422, code: 'business_rule', paths });
