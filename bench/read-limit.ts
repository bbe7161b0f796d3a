import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sideBySide } from './measure.ts';

/** Bytes of an offer that a ranking has to touch: twelve prices, services, two commissions, and a mask of 32 bits. */
const DOUBLES = 15;

export interface ReadLimit {
  readonly micros: number;
  readonly by: string;
}

/**
 * How long it takes to read the bytes of so many offers and do nothing with them: with C where gcc is (`-O3
 * -march=native`, so with the widest registers of this machine), else with the best loop of JavaScript.
 */
export async function readLimit(offerCount: number): Promise<ReadLimit> {
  return readLimitInC(offerCount) ?? { micros: await readLimitInJavaScript(offerCount), by: 'JavaScript' };
}

function readLimitInC(offerCount: number): ReadLimit | null {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-limit-'));
  const program = join(folder, 'read-limit');
  const source = fileURLToPath(new URL('programs/read-limit.c', import.meta.url));
  const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'pipe', 'ignore'] };
  try {
    execFileSync('gcc', ['-O3', '-march=native', '-ffast-math', '-o', program, source], quiet);
    return { micros: Number(execFileSync(program, [String(offerCount)], quiet).toString()), by: 'C' };
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readLimitInJavaScript(offerCount: number): Promise<number> {
  const columns = new Float64Array(DOUBLES * offerCount).fill(0.5);
  const mask = new Int32Array(offerCount).fill(1);
  const read = () => {
    let [a, b, c, d, bits] = [0, 0, 0, 0, 0];
    for (let i = 0; i + 3 < columns.length; i += 4) {
      a += columns[i] ?? 0;
      b += columns[i + 1] ?? 0;
      c += columns[i + 2] ?? 0;
      d += columns[i + 3] ?? 0;
    }
    for (let i = 0; i < mask.length; i++) bits = (bits + (mask[i] ?? 0)) | 0;
    return a + b + c + d + bits;
  };
  return (await sideBySide({ read })).read;
}
