import { parentPort, workerData } from 'node:worker_threads';
import type { CustomerRow } from './customer-file.ts';
import { createRanker, type RankerSettings } from './ranker.ts';
import { type OutputForm, textOf } from './record-text.ts';

/** What a thread is started with. */
export interface RankThreadData {
  readonly settings: RankerSettings;
  readonly form: OutputForm;
}

/** Some rows ranked and written. */
export interface Piece {
  /** As they are in the file: handed over whole, where a text would be copied. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly errorCount: number;
}

/** Ranks rows and writes what they are answered, in this thread. */
export function createPieceMaker({ settings, form }: RankThreadData): (rows: readonly CustomerRow[]) => Piece {
  const rank = createRanker(settings);
  const encoder = new TextEncoder();
  return (rows) => {
    const records = rank(rows);
    return {
      bytes: encoder.encode(textOf(records, form)),
      errorCount: records.filter((record) => 'error' in record).length,
    };
  };
}

function serve(port: NonNullable<typeof parentPort>, data: RankThreadData): void {
  const make = createPieceMaker(data);
  port.on('message', (rows: readonly CustomerRow[]) => {
    const piece = make(rows);
    port.postMessage(piece, [piece.bytes.buffer]);
  });
}

const isThread = typeof workerData === 'object' && workerData !== null && 'settings' in workerData;
if (parentPort !== null && isThread) serve(parentPort, workerData);
