import { SaxesParser } from 'saxes';
import { Fault } from './fault.ts';

/** Takes part in reading an XML part. Names come without the prefix of the root; those of other vocabularies keep theirs. */
export interface XmlListener {
  /** @param depth - 1 for the root. */
  open(name: string, attributes: Readonly<Record<string, string>>, depth: number): void;
  close(depth: number): void;
  /** A text may come in pieces. */
  text(text: string): void;
  /** What need not be parsed. */
  readonly shortcut?: Shortcut;
}

/** Takes what it knows by its looks, where the parser stands right behind an end tag. */
export interface Shortcut {
  /** The end tag, such as `</c>`. */
  readonly behind: string;
  /**
   * Asked right behind an end tag that was parsed, or was taken: the parser need not see what it takes.
   *
   * @returns Where what it took ends; `from`: it took nothing. Nothing is taken in part.
   */
  take(text: string, from: number): number;
}

/** No part of a spreadsheet that is read here goes deeper than eight. */
const MAX_DEPTH = 32;

/**
 * Reads XML as it comes.
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

/** Characters that may wait for the end tag behind which there is a shortcut: some cells. */
const MAX_WAITING = 16_384;

interface Feed {
  write(text: string): void;
  end(): void;
}

/** Gives texts to the parser, but for what the shortcut takes. */
function createFeed(listener: XmlListener): Feed {
  let isBehindTag = false;
  const parser = createParser(listener, () => {
    isBehindTag = true;
  });
  const parse = (text: string) => {
    parser.write(text);
    isBehindTag = false;
  };
  const end = () => void parser.close();
  const { shortcut } = listener;
  if (!shortcut) return { write: parse, end };
  const { behind, take } = shortcut;
  let waiting = '';
  return {
    write(text) {
      const all = waiting + text;
      let at = 0;
      for (;;) {
        if (isBehindTag) at = take(all, at);
        const next = all.indexOf(behind, at);
        if (next < 0) break;
        parse(all.slice(at, next));
        // Alone: when a tag ends in it, then with its last character. In a comment, say, none does.
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

/** @param onClose - Called at the end of each element, after the listener. */
function createParser(listener: XmlListener, onClose: () => void): SaxesParser<Plain> {
  // Namespaces are not resolved: it would double the time, and a position in the tree says as much as a namespace.
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
    listener.close(depth);
    depth -= 1;
    onClose();
  });
  parser.on('text', (text) => listener.text(text));
  parser.on('cdata', (text) => listener.text(text));
  return parser;
}

/** Follows a path of names down the tree, and back. */
export interface Path {
  /** Whether this element goes on with the path; if so, its children may. */
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

/** Undoes how spreadsheets write what XML cannot hold: `_x000D_` is a carriage return. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(ESCAPED, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
