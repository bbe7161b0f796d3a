import { checkName, checkUrl, cleanName, foldName } from '@tarifario/core';
import { expect, test } from 'vitest';

const isName = (name: string, maxLength?: number) => checkName('name', name, maxLength).length === 0;
const isUrl = (url: string) => checkUrl('logoUrl', url).length === 0;

test('A-02: a name has 1 to 200 characters, counted as people see them and without outer space', () => {
  expect(['a', 'x'.repeat(200), '𝒳'.repeat(200), `  ${'x'.repeat(200)}\n`].map((name) => isName(name))).not.toContain(
    false,
  );
  expect(['', '   ', '\t', 'x'.repeat(201), '𝒳'.repeat(201)].map((name) => isName(name))).not.toContain(true);
  expect([isName('x'.repeat(32), 32), isName('x'.repeat(33), 32)]).toEqual([true, false]);
});

test('A-02: a name holds no character that changes a text without being seen, and no half of one', () => {
  const unseen = {
    'a control': '\u0000',
    'a line break': '\n',
    'a control of the second block': '\u0085',
    'a zero-width space': '\u200b',
    'a zero-width joiner': '\u200d',
    'a soft hyphen': '\u00ad',
    'a right-to-left override': '\u202e',
    'a right-to-left isolate': '\u2067',
    'a byte order mark': '\ufeff',
    'a tag': '\u{e0041}',
    'a line separator': '\u2028',
    'a private character': '\ue000',
    'half a character': '\ud800',
  };
  for (const [what, character] of Object.entries(unseen)) expect(isName(`a${character}b`), what).toBe(false);
  expect(['Energía', 'Ñandú & Cía. (20%)', '漢字', 'a b', '<b>'].map((name) => isName(name))).not.toContain(false);
});

test('A-02: a name is stored composed and without outer space', () => {
  expect(cleanName('  Energi\u0301a ')).toBe('Energía');
});

test('A-51: names are compared without case and outer space, with their accents', () => {
  expect(foldName(' ENERGI\u0301A ')).toBe(foldName('energía'));
  expect(foldName('energia')).not.toBe(foldName('energía'));
});

test('A-02: a picture has an https address of at most 2 048 characters without user info', () => {
  const start = 'https://example.com/';
  const sound = [
    start,
    'https://example.com',
    'HTTPS://a.es?x#y',
    'https://a-b.es:65535/logo-energía.png?w=1&h=%C3%B1#1',
    start + 'x'.repeat(2048 - start.length),
  ];
  expect(sound.map(isUrl)).not.toContain(false);
  expect(checkUrl('logoUrl', null)).toEqual([]);
  const refused = [
    '',
    'http://example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    '//example.com/a.png',
    'https://',
    'https:///a.png',
    'https://"><script>',
    'https://example.com/x"<>',
    "https://example.com/'onerror=",
    'https://:80/x',
    'https://%/',
    'https://a..b/',
    'https://-a.es/',
    'https://a-.es/',
    'https://example.com:0/',
    'https://example.com:65536/',
    'https://example.com/%',
    'https://example.com/%zz',
    'https://example.com/`x`',
    'https://user@example.com/',
    'https://user:word@example.com/',
    'https://example.com/a b',
    'https://example.com\\@other.es/',
    'https://example.com/\u202e',
    ' https://example.com/',
    start + 'x'.repeat(2049 - start.length),
  ];
  for (const url of refused) expect(isUrl(url), url).toBe(false);
});
