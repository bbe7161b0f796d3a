import { startChild } from '../child.ts';
import { line, type Row } from '../line.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];

/** One list of a size, in a process of its own. */
async function rankingMicros(offerCount: number): Promise<number> {
  const child = startChild('large-ranking', { args: [String(offerCount)], heapMb: 6_000 });
  try {
    return (await child.ask<{ readonly whole: number }>('times')).whole;
  } finally {
    await child.end();
  }
}

/**
 * A whole ranking of one list that is ready, each size in a process of its own, against ten times what a tenth of it
 * takes. A million offers do not fit the caches of the processor, where a hundred thousand still do: reading their
 * bytes alone takes some 2.7 times as long an offer (see "Ranking in memory").
 */
export const growthLine = line({
  name: 'Growth of one list',
  run: async () => {
    const rows: Row[] = [];
    let tenth: number | null = null;
    for (const size of SIZES) {
      const micros = await rankingMicros(size);
      const what = `${size.toLocaleString('en')} offers`;
      const peer = `ten times ${(size / 10).toLocaleString('en')}`;
      if (tenth !== null) {
        rows.push({
          what,
          oursMicros: micros,
          peer,
          peerMicros: 10 * tenth,
          ratio: 'ours/theirs',
          goal: null,
        });
      }
      tenth = micros;
    }
    return rows;
  },
});
