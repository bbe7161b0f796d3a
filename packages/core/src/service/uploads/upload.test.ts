import { expect, test } from 'vitest';
import { nextStatus, UPLOAD_STATUSES, UPLOAD_TRANSITIONS, type UploadAction } from './upload.ts';

const actions = Object.keys(UPLOAD_TRANSITIONS) as UploadAction[];
const cases = actions.flatMap((action) => UPLOAD_STATUSES.map((status) => [action, status] as const));

test.each(cases)('A-38: %s of an upload that is %s', (action, status) => {
  const { from, to } = UPLOAD_TRANSITIONS[action];
  const act = () => nextStatus({ status, hasFile: true }, action);
  if (status === from) expect(act()).toBe(to);
  else expect(act).toThrow(expect.objectContaining({ code: 'wrong_state' }));
});

test('completed and cancelled are final', () => {
  for (const { from } of Object.values(UPLOAD_TRANSITIONS)) expect(['completed', 'cancelled']).not.toContain(from);
});

test('A-38: an upload without file cannot be retried', () => {
  expect(() => nextStatus({ status: 'failed', hasFile: false }, 'retry')).toThrow(
    expect.objectContaining({ code: 'wrong_state' }),
  );
  expect(nextStatus({ status: 'pending', hasFile: false }, 'cancel')).toBe('cancelled');
});
