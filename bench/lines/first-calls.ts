import { startChild } from '../child.ts';
import { line } from '../line.ts';
import { medianOf } from '../measure.ts';

const STARTS = 5;
const FIRST = 400;
const WARM = 4_000;

/**
 * The first 400 rankings of 5,000 offers that a process makes, with their JSON, against as many after 4,000: what the
 * engine has to compile. Processor time of all threads, a new process for each round.
 */
export const firstCallsLine = line({
  name: 'First rankings of a process',
  run: async () => {
    const first: number[] = [];
    const warm: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      const child = startChild('first-calls');
      first.push(await child.ask<number>('turn', FIRST));
      await child.ask<number>('turn', WARM);
      warm.push(await child.ask<number>('turn', FIRST));
      await child.end();
    }
    const figures = { oursMicros: medianOf(first), peerMicros: medianOf(warm) };
    return [
      { what: 'one of the first 400', peer: 'one of 400, long warm', ...figures, ratio: 'ours/theirs', goal: null },
    ];
  },
});
