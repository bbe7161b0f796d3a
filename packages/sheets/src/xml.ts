import { SaxesParser } from 'saxes';
import { Fault } from './fault.ts';

/**
 * Receives the events of an XML part. Names come without the prefix of the root; names of other vocabularies keep their
 * prefix.
 */
export interface XmlListener {
  /** @param depth - 1 for the root. */
  open(name: string, attributes: Readonly<Record<string, string>>, depth: number): void;
  /** @returns Whether the shortcut may continue behind this element. */
  close(depth: number): boolean;
  /** Text may arrive in pieces. */
  text(text: string): void;
  /** Recognises content that need not be parsed. */
  readonly shortcut?: Shortcut;
}

/** Reads content in a known form right after an end tag, without the parser. */
export interface Shortcut {
  /** The end tag, such as `</c>`. */
  readonly behind: string;
  /** Matches one whole element in that form; sticky. */
  readonly plain: RegExp;
  /** Called with each match. What matches is not parsed. */
  take(match: RegExpExecArray): void;
}

/** The parts of a spreadsheet that are read here are at most eight levels deep. */
const MAX_DEPTH = 32;

/**
 * Parses XML from a stream.
 *
 * @throws Fault, or an error of the parser or decoder: the part is then damaged.
 */
export async function readXml(bytes: AsyncIterable<Uint8Array>, listener: XmlListener): Promise<void> {
  const { write, end } = createFeed(listener);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new Fault('not_utf8');
    }
  };
  for await (const chunk of bytes) write(decode(chunk));
  write(decode());
  end();
}

/** How many characters are buffered in search of the end tag before a shortcut: a few cells. */
const MAX_WAITING = 16_384;

interface Feed {
  write(text: string): void;
  end(): void;
}

/** Passes text to the parser, except what the shortcut consumes. */
function createFeed(listener: XmlListener): Feed {
  let isBehindTag = false;
  const parser = createParser(listener, (mayContinue) => {
    isBehindTag = mayContinue;
  });
  const parse = (text: string) => {
    parser.write(text);
    isBehindTag = false;
  };
  const end = () => void parser.close();
  const { shortcut } = listener;
  if (!shortcut) return { write: parse, end };
  const { behind, plain, take } = shortcut;
  /** Takes consecutive elements, and returns where they end. */
  const takePlain = (text: string, from: number): number => {
    for (let at = from; ; at = plain.lastIndex) {
      plain.lastIndex = at;
      const match = plain.exec(text);
      if (!match) return at;
      take(match);
    }
  };
  let waiting = '';
  return {
    write(text) {
      const all = waiting + text;
      let at = 0;
      for (;;) {
        if (isBehindTag) at = takePlain(all, at);
        const next = all.indexOf(behind, at);
        if (next < 0) break;
        parse(all.slice(at, next));
        // Also called with the last character of a piece when a tag ends in it. In a comment, for example, no tag ends.
        parser.write(behind);
        at = next + behind.length;
      }
      waiting = all.slice(at);
      if (waiting.length < MAX_WAITING) return;
      parse(waiting);
      waiting = '';
    },
    end() {
      parse(waiting);
      end();
    },
  };
}

type Plain = { xmlns: false; position: false };

/** @param onClose - Called at the end of each element with what the listener returned. */
function createParser(listener: XmlListener, onClose: (mayContinue: boolean) => void): SaxesParser<Plain> {
  // Namespaces are not resolved: that would double the time, and the path in the tree identifies elements as well.
  const parser = new SaxesParser<Plain>({ xmlns: false, position: false });
  let depth = 0;
  let prefix = '';
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw new Fault('not_utf8');
  });
  parser.on('doctype', () => {
    throw new Fault('doctype');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new Fault('too_deep');
    if (depth === 1) prefix = name.slice(0, name.indexOf(':') + 1);
    const own = prefix === '' ? name : name.startsWith(prefix) ? name.slice(prefix.length) : `:${name}`;
    listener.open(own, attributes, depth);
  });
  parser.on('closetag', () => {
    onClose(listener.close(depth));
    depth -= 1;
  });
  parser.on('text', (text) => listener.text(text));
  parser.on('cdata', (text) => listener.text(text));
  return parser;
}

/** Tracks whether the parser is on a given path of element names. */
export interface Path {
  /** Whether this element continues the path. */
  enter(depth: number, isNext: boolean): boolean;
  /** Whether the element that ends is part of the path. */
  leave(depth: number): boolean;
}

export function createPath(): Path {
  let matched = 0;
  return {
    enter(depth, isNext) {
      if (depth !== matched + 1 || !isNext) return false;
      matched = depth;
      return true;
    },
    leave(depth) {
      if (depth !== matched) return false;
      matched = depth - 1;
      return true;
    },
  };
}

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Decodes the escapes of spreadsheets for characters that XML cannot contain: `_x000D_` is a carriage return. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(ESCAPED, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
