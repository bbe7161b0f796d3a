import type { NumberFormat } from '@tarifario/core/service';
import { createPath, readXml } from './xml.ts';

/** Formats with a number of their own (ECMA-376, 18.8.30). */
const PERCENTS: readonly string[] = ['9', '10'];
const DATES = /^(1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/;

/**
 * What the numbers of each cell format are, by its place, where that is not just numbers. Which digits are shown says
 * nothing about the value.
 */
export async function readNumberFormats(bytes: AsyncIterable<Uint8Array>): Promise<readonly (NumberFormat | null)[]> {
  const codes = new Map<string, NumberFormat | null>();
  const formats: (NumberFormat | null)[] = [];
  const path = createPath();
  await readXml(bytes, {
    open(name, { numFmtId = '', formatCode = '' }, depth) {
      const isNext =
        depth === 1 ? name === 'styleSheet' : depth === 2 ? name === 'numFmts' || name === 'cellXfs' : depth === 3;
      if (!path.enter(depth, isNext) || depth !== 3) return;
      if (name === 'numFmt') codes.set(numFmtId, formatOf(formatCode));
      else if (name === 'xf') formats.push(codes.has(numFmtId) ? (codes.get(numFmtId) ?? null) : builtIn(numFmtId));
    },
    close: path.leave,
    text() {},
  });
  return formats;
}

function builtIn(id: string): NumberFormat | null {
  if (PERCENTS.includes(id)) return 'percent';
  return DATES.test(id) ? 'date' : null;
}

/** By the code without texts, escaped signs, and what stands in brackets, but for spans of time. */
function formatOf(code: string): NumberFormat | null {
  const bare = code.replaceAll(/"[^"]*"|[\\_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (bare.includes('%')) return 'percent';
  return /[dmyhs]/i.test(bare.replaceAll(/general|estándar/gi, '')) ? 'date' : null;
}
