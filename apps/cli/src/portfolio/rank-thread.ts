import { parentPort, workerData } from 'node:worker_threads';
import type { CustomerRecord } from '@tarifario/api/customer-table';
import type { CustomerRow } from './customer-file.ts';
import { createRanker, type RankerSettings, type RankRows } from './ranker.ts';
import { type OutputForm, textOf } from './record-text.ts';

/** What pieces are made by. */
export interface PieceWork {
  readonly ranking: RankerSettings | RankRows;
  readonly form: OutputForm;
  /** Whether only the records that have a saving are returned, each by itself. */
  readonly onlySaving: boolean;
}

/** The data that a thread is started with. */
export interface RankThreadData extends PieceWork {
  readonly ranking: RankerSettings;
}

/** Some rows ranked and written. */
export interface Piece {
  /** The output as bytes, which can be transferred, while text would be copied. Empty where it is in `savings`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly errorCount: number;
  /** The records that have a saving, in the order of the file, where only they are requested. */
  readonly savings: readonly RecordSaving[];
}

/** What the best offer of a customer saves, and the record of the customer in the output. */
export interface RecordSaving {
  readonly eur: number;
  readonly bytes: Uint8Array;
}

/** Ranks rows and formats the answers, in this thread. */
export function createPieceMaker({
  ranking,
  form,
  onlySaving,
}: PieceWork): (rows: readonly CustomerRow[]) => Promise<Piece> {
  const rank = typeof ranking === 'function' ? ranking : createRanker(ranking);
  const encoder = new TextEncoder();
  return async (rows) => {
    const records = await rank(rows);
    const errorCount = records.filter((record) => 'error' in record).length;
    if (!onlySaving) return { bytes: encoder.encode(textOf(records, form)), errorCount, savings: [] };
    const savings = records.flatMap((record) => {
      const eur = savingIn(record);
      return eur === null ? [] : [{ eur, bytes: encoder.encode(textOf([record], form)) }];
    });
    return { bytes: new Uint8Array(), errorCount, savings };
  };
}

/**
 * The saving of the best offer, EUR, on the bill where there is one; `null` where there is no offer, or no present
 * contract is known.
 */
function savingIn(record: CustomerRecord): number | null {
  return 'error' in record ? null : (record.best[0]?.ahorro?.factura ?? record.best[0]?.ahorro?.eur ?? null);
}

function serve(port: NonNullable<typeof parentPort>, data: RankThreadData): void {
  const make = createPieceMaker(data);
  port.on('message', async (rows: readonly CustomerRow[]) => {
    const piece = await make(rows);
    port.postMessage(piece, [piece.bytes.buffer]);
  });
}

const isThread = typeof workerData === 'object' && workerData !== null && 'ranking' in workerData;
if (parentPort !== null && isThread) serve(parentPort, workerData);
