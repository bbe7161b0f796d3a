import { expect, test } from 'vitest';
import { nextStatus, UPLOAD_STATUSES } from './upload.ts';

const ALLOWED = { retry: ['failed', 'pending'], cancel: ['pending', 'cancelled'] } as const;
const actions = ['retry', 'cancel'] as const;
const cases = actions.flatMap((action) => UPLOAD_STATUSES.map((status) => [action, status] as const));

test.each(cases)('A-38: %s of an upload that is %s', (action, status) => {
  const [from, to] = ALLOWED[action];
  const act = () => nextStatus({ status, hasFile: true }, action);
  if (status === from) expect(act()).toBe(to);
  else expect(act).toThrow(expect.objectContaining({ code: 'wrong_state' }));
});

test('A-38: an upload without file cannot be retried', () => {
  expect(() => nextStatus({ status: 'failed', hasFile: false }, 'retry')).toThrow(
    expect.objectContaining({ code: 'wrong_state' }),
  );
  expect(nextStatus({ status: 'pending', hasFile: false }, 'cancel')).toBe('cancelled');
});
