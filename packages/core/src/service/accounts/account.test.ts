import { expect, it } from 'vitest';
import { say } from '../../engine/messages/message.ts';
import { checkEmail } from '../../engine/text.ts';
import { checkFileName, cleanFileName } from '../uploads/upload.ts';
import { checkAccount } from './account.ts';

it.each(['a@b.es', 'maría.del-mar+1@correo.asesoría.es', `${'a'.repeat(249)}@c.es`])(
  '%s is an e-mail address',
  (email) => {
    expect(checkEmail('email', email)).toEqual([]);
  },
);

it.each(['', 'a', '@b.es', 'a@', 'a@b', 'a@@b.es', 'a@b@c.es', 'a b@c.es', 'a@b.es\n', 'a\u200b@b.es', 'a\uD800@b.es'])(
  '%j is no e-mail address',
  (email) => {
    expect(checkEmail('email', email)).toEqual([
      { path: 'email', message: say('must be an e-mail address of at most {max} characters', { max: 254 }) },
    ]);
  },
);

it('an e-mail address has 254 characters at most', () => {
  expect(checkEmail('email', `${'a'.repeat(250)}@c.es`)).toHaveLength(1);
});

it('only the given fields of an account are checked', () => {
  expect(checkAccount({})).toEqual([]);
  expect(checkAccount({ name: '', email: 'x' }).map(({ path }) => path)).toEqual(['name', 'email']);
});

it('the name of a file is the last part of its path', () => {
  expect(cleanFileName('C:\\a\\b/c d.xlsx ')).toBe('c d.xlsx');
  expect(checkFileName('fileName', cleanFileName('a/'))).toHaveLength(1);
  expect(checkFileName('fileName', 'x'.repeat(256))).toHaveLength(1);
  expect(checkFileName('fileName', 'x'.repeat(255))).toEqual([]);
});
