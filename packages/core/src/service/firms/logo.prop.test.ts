import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { inWords } from '../../engine/messages/message.ts';
import { checkLogo, MAX_LOGO_BYTES } from './logo.ts';

const BEGINNINGS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
  webp: [...Buffer.from('RIFF\x04\0\0\0WEBP')],
} as const;
type Kind = keyof typeof BEGINNINGS;
const KINDS = ['png', 'jpeg', 'webp'] as const;

const uri = (kind: string, bytes: Iterable<number>) =>
  `data:image/${kind};base64,${Buffer.from([...bytes]).toString('base64')}`;
const picture = (kind: Kind, length: number) => uri(kind, Buffer.concat([Buffer.from(BEGINNINGS[kind])], length));
const faultOf = (logo: string | null) =>
  checkLogo('logo', logo).map(({ path, message }) => `${path} ${inWords(message)}`);

const KIND = 'logo must be a PNG, JPEG or WebP picture as a data: URI in base64';
const SIZE = 'logo must be a picture of at most 65536 bytes';
const BASE64 = 'logo must have its content in base64, with its padding';
const PNG = picture('png', 8);

describe('A-144: the picture of a firm', () => {
  test.each<[what: string, logo: string, fault: string]>([
    ['of an address', 'https://example.com/a.png', KIND],
    ['of nothing', '', KIND],
    ['that is SVG', uri('svg+xml', Buffer.from('<svg onload="alert(1)"/>')), KIND],
    ['that is GIF', uri('gif', Buffer.from('GIF89a')), KIND],
    ['in capitals', PNG.replace('png', 'PNG'), KIND],
    ['with a parameter', PNG.replace(';', ';charset=utf-8;'), KIND],
    ['without base64', 'data:image/png,%89PNG', KIND],
    ['after a space', ` ${PNG}`, KIND],
    ['without content', 'data:image/png;base64,', 'logo must not be empty'],
    ['in the alphabet of addresses', `${uri('jpeg', BEGINNINGS.jpeg)}_-_-`, BASE64],
    ['without its padding', PNG.replace('=', ''), BASE64],
    ['with too much padding', `${PNG}====`, BASE64],
    ['with a line break', PNG.replace('iV', 'i\nV'), BASE64],
    ['before a line break', `${PNG}\n`, BASE64],
    ['before a quotation mark', `${PNG}" onerror="alert(1)`, BASE64],
    ['with bits behind its end', PNG.replace('o=', 'p='), BASE64],
    [
      'of HTML as PNG',
      uri('png', Buffer.from('<!doctype html><script>')),
      'logo must have the content of a png picture',
    ],
    ['of JPEG as PNG', uri('png', BEGINNINGS.jpeg), 'logo must have the content of a png picture'],
    ['of PNG as WebP', uri('webp', BEGINNINGS.png), 'logo must have the content of a webp picture'],
    [
      'of sound as WebP',
      uri('webp', Buffer.from('RIFF\x04\0\0\0WAVE')),
      'logo must have the content of a webp picture',
    ],
    ['that begins and ends', uri('png', BEGINNINGS.png.slice(0, 7)), 'logo must have the content of a png picture'],
    ['that is too large by far', `data:image/png;base64,${'A'.repeat(1_000_000)}`, SIZE],
  ])('%s is refused', (_what, logo, fault) => {
    expect(faultOf(logo)).toEqual([fault]);
  });

  it('may have 65 536 bytes and not one more, or be none', () => {
    for (const kind of KINDS) {
      expect(faultOf(picture(kind, MAX_LOGO_BYTES)), kind).toEqual([]);
      for (const more of [1, 2, 3]) expect(faultOf(picture(kind, MAX_LOGO_BYTES + more)), kind).toEqual([SIZE]);
    }
    expect(faultOf(null)).toEqual([]);
  });

  it('is one exactly where its bytes begin as its type does and their base64 is the text', () => {
    const logo = fc
      .record({
        kind: fc.constantFrom(...KINDS),
        begun: fc.option(fc.constantFrom(...KINDS)),
        rest: fc.uint8Array({ maxLength: 40 }),
        cut: fc.oneof(fc.constant(12), fc.nat(12)),
        changed: fc.option(fc.tuple(fc.nat(60), fc.constantFrom('', '=', 'A', 'z', '9', '/', '-', ' ', '"', '\n'))),
      })
      .map(({ kind, begun, rest, cut, changed }) => {
        const bytes = [...BEGINNINGS[begun ?? kind].slice(0, cut), ...rest];
        const content = [...Buffer.from(bytes).toString('base64')];
        if (changed) content.splice(changed[0] % (content.length + 1), 1, changed[1]);
        return { kind, content: content.join('') };
      });
    let good = 0;
    fc.assert(
      fc.property(logo, ({ kind, content }) => {
        const bytes = Buffer.from(content, 'base64');
        const magic = Buffer.from(BEGINNINGS[kind]);
        const hasMagic =
          kind === 'webp'
            ? bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
            : bytes.subarray(0, magic.length).equals(magic);
        const isGood = bytes.toString('base64') === content && hasMagic;
        good += Number(isGood);
        expect(faultOf(`data:image/${kind};base64,${content}`).length).toBe(isGood ? 0 : 1);
      }),
      { seed: 144, numRuns: 3000 },
    );
    expect(good).toBeGreaterThan(200);
  });
});
