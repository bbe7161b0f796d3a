import { inflateSync } from 'node:zlib';

/** An object of a PDF file: its dictionary, and its stream as text of bytes. */
interface PdfObject {
  readonly dictionary: string;
  readonly stream: string;
}

/**
 * The texts of a PDF as Chromium writes it, a text for each page, without any space: words are placed and not spaced.
 * It reads no other PDF: fonts are named after their objects, and all texts are hexadecimal.
 */
export function textsOfPdf(bytes: Buffer): readonly string[] {
  const objects = objectsOf(bytes);
  const streamOf = (dictionary: string, name: string) => {
    const [, id = ''] = new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary) ?? [];
    return objects.get(id)?.stream ?? '';
  };
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\b/.test(dictionary));
  return pages.map(({ dictionary }) => {
    let glyphs: ReadonlyMap<number, string> = new Map();
    let text = '';
    for (const [, font, shown = ''] of streamOf(dictionary, 'Contents').matchAll(/\/F(\d+) \S+ Tf|<([\dA-F]+)> Tj/g)) {
      if (font !== undefined) glyphs = glyphsOf(streamOf(objects.get(font)?.dictionary ?? '', 'ToUnicode'));
      for (const code of shown.match(/.{4}/g) ?? []) text += glyphs.get(Number.parseInt(code, 16)) ?? '\ufffd';
    }
    return text.replaceAll(/\s/g, '');
  });
}

function objectsOf(bytes: Buffer): ReadonlyMap<string, PdfObject> {
  const text = bytes.toString('latin1');
  const matches = text.matchAll(/(?<=\n)(\d+) 0 obj\n(.*?)\s(?:endobj|stream\r?\n)/gs);
  return new Map(
    [...matches].map(({ 0: all, 1: id = '', 2: dictionary = '', index }) => {
      const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0);
      const stream = bytes.subarray(index + all.length, index + all.length + length);
      const isPacked = length > 0 && dictionary.includes('/FlateDecode');
      return [id, { dictionary, stream: (isPacked ? inflateSync(stream) : stream).toString('latin1') }];
    }),
  );
}

/** What each glyph of a font stands for: lines of one glyph, or of a range and what its first stands for. */
function glyphsOf(map: string): ReadonlyMap<number, string> {
  const glyphs = new Map<number, string>();
  for (const [, from = '', to = from, first = ''] of map.matchAll(/^<(\w{4})> (?:<(\w{4})> )?<(\w+)>$/gm)) {
    const units = (first.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16));
    const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    for (let code = start; code <= end; code++) {
      glyphs.set(code, String.fromCharCode(...units.slice(0, -1), (units.at(-1) ?? 0) + code - start));
    }
  }
  return glyphs;
}
