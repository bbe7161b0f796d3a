import { compare, exact } from './rational.mjs';

const LINE_WIDTH = 120;

/**
 * JSON text with everything on one line that fits on one line.
 *
 * @param {any} value
 * @param {{ indent?: string, used?: number }} [options]  `used`: characters taken before the value and after it.
 * @returns {string}
 */
export function toText(value, { indent = '', used = 0 } = {}) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) return open + close;
  const inline = oneLine(value);
  if (indent.length + used + inline.length <= LINE_WIDTH) return inline;
  const inner = `${indent}  `;
  const lines = entries.map(([key, entry], index) => {
    const label = isList ? '' : `${JSON.stringify(key)}: `;
    const comma = index < entries.length - 1 ? 1 : 0;
    return `${inner}${label}${toText(entry, { indent: inner, used: label.length + comma })}`;
  });
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** @type {(value: any) => string} */
function oneLine(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${oneLine(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/**
 * Number literals of a JSON text that a double would not give back as written. With none of them, the exact value of a
 * parsed number is the value of its literal.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function lossyLiterals(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
  return tokens.filter((token) => !token.startsWith('"') && compare(exact(token), exact(Number(token))) !== 0);
}
