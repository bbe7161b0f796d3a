import { expect, test } from 'vitest';
import { withoutCups } from './cups.ts';
import { checkName, checkUrl, cleanName, foldName } from './text.ts';

const isName = (name: string, maxLength?: number) => checkName('name', name, maxLength).length === 0;
const isUrl = (url: string) => checkUrl('logoUrl', url).length === 0;

test('A-02: a name has 1 to 200 characters, counted as people see them, without spaces at the ends', () => {
  expect(['a', 'x'.repeat(200), '𝒳'.repeat(200), `  ${'x'.repeat(200)}\n`].map((name) => isName(name))).not.toContain(
    false,
  );
  expect(['', '   ', '\t', 'x'.repeat(201), '𝒳'.repeat(201)].map((name) => isName(name))).not.toContain(true);
  expect([isName('x'.repeat(32), 32), isName('x'.repeat(33), 32)]).toEqual([true, false]);
});

test('A-02: a name may not hold an invisible character that changes a text, or half a surrogate pair', () => {
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
    'a variation selector': '\ufe0f',
    'a variation selector of the supplement': '\u{e0100}',
    'a grapheme joiner': '\u034f',
    'a filler of Hangul': '\u3164',
    'a filler of a consonant': '\u115f',
    'a filler of half width': '\uffa0',
    'an inherent vowel of Khmer': '\u17b4',
    'a blank of Braille': '\u2800',
    'the place of an object': '\ufffc',
  };
  for (const [what, character] of Object.entries(unseen)) expect(isName(`a${character}b`), what).toBe(false);
  expect(['Energía', 'Ñandú & Cía. (20%)', '漢字', 'a b', '<b>'].map((name) => isName(name))).not.toContain(false);
});

test('A-02: a name may have one variation selector behind an emoji, which does not make it another name', () => {
  expect(['Luz \u26a1\ufe0f', '\u2600\ufe0e Solar', 'Plan 1\ufe0f\u20e3'].map((name) => isName(name))).not.toContain(
    false,
  );
  const elsewhere = ['\ufe0f', 'Luz\ufe0f', '\u26a1\ufe0f\ufe0f', 'Plan 1\ufe0f', '\u26a1 \ufe0f', '\ufe0f\u26a1'];
  expect(elsewhere.map((name) => isName(name))).not.toContain(true);
  expect(cleanName('Luz \u26a1\ufe0f')).toBe('Luz \u26a1\ufe0f');
  expect(foldName('LUZ \u26a1\ufe0f')).toBe(foldName('luz \u26a1'));
  expect(foldName('Luz\ufe0f')).not.toBe(foldName('Luz'));
});

test('A-02: a name without a visible character is refused', () => {
  const blank = ['\u3164', '\u2800\u2800', '\u034f', ' \u00a0\u3000\u2003 ', '\ufe0f', '\u115f\u1160'];
  expect(blank.map((name) => isName(name))).not.toContain(true);
});

test('A-02: a name of marks alone is refused', () => {
  expect(['\u0301', '\u20dd \u0301', 'a\u0301', '1\u20dd', '€'].map((name) => isName(name))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('A-02: a name has at most 30 marks in a row, and a text with more of them is never composed', () => {
  const marked = (count: number) => `a${'\u0301\u0323'.repeat(count / 2)}b`;
  expect([isName(marked(30)), isName(marked(32)), isName('\u0301'.repeat(31))]).toEqual([true, false, false]);
  expect(isName(`${marked(30)}${marked(30)}`)).toBe(true);
  expect(cleanName(` ${marked(32)} `)).toBe(marked(32));
});

test('A-02: no spelling of a name of 200 characters is too long', () => {
  let longest = 0;
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const spelled = character.normalize('NFD');
    const shown = [...spelled.normalize('NFC')].length;
    longest = Math.max(longest, spelled.length / shown, character.length / shown);
  }
  expect(longest).toBe(6);
  const longSpelling = '\u1f82'.normalize('NFD');
  expect(longSpelling).toHaveLength(4);
  expect([isName(longSpelling.repeat(200)), isName(longSpelling.repeat(201))]).toEqual([true, false]);
  expect(cleanName(longSpelling.repeat(255))).toBe('\u1f82'.repeat(255));
});

test('A-02: a name is stored composed and without outer space', () => {
  expect(cleanName('  Energi\u0301a ')).toBe('Energía');
});

test('A-51: names that differ in the number or the width of spaces alone are one name', () => {
  for (const space of ['  ', ' '.repeat(9), '\u00a0', '\u3000', ' \u2009 ']) {
    expect(foldName(`Energía${space}Sur`), JSON.stringify(space)).toBe('energía sur');
  }
  expect(foldName('EnergíaSur')).not.toBe(foldName('Energía Sur'));
  expect(cleanName('Energía  Sur')).toBe('Energía  Sur');
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

test('A-85: what looks like the number of a supply point is replaced, and nothing else', () => {
  const numbers = [
    'ES0021000073519284KB',
    'ES0021000073519284KB0F',
    'es0021000073519284kb1p',
    'ES 0021 0000 7351 9284 KB 0F',
    'ES-0021-0000-7351-9284-KB',
    'ES0021.0000.7351.9284.K.B',
  ];
  for (const number of numbers) {
    expect(withoutCups(`perfil.0.${number}.e1`)).toBe('perfil.0.(CUPS).e1');
    expect(withoutCups(`${number}${number}`)).toBe('(CUPS)(CUPS)');
  }
  for (const other of ['ES002100007351928KB', 'ES0021000073519284', 'precios', 'ES', `ES${' '.repeat(50_000)}`]) {
    expect(withoutCups(other)).toBe(other);
  }
});
