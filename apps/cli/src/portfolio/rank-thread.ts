import { parentPort, workerData } from 'node:worker_threads';
import type { CustomerRecord } from '@tarifario/api/customer-table';
import type { CustomerRow } from './customer-file.ts';
import { createRanker, type RankerSettings } from './ranker.ts';
import { type OutputForm, textOf } from './record-text.ts';

/** The data that a thread is started with. */
export interface RankThreadData {
  readonly settings: RankerSettings;
  readonly form: OutputForm;
  /** Whether each record is returned with its saving. */
  readonly withSavings: boolean;
}

/** Some rows ranked and written. */
export interface Piece {
  /** The output as bytes, which can be transferred, while text would be copied. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly errorCount: number;
  /** Where the bytes of each record that has a saving are, in the order of the file. */
  readonly savings: readonly RecordSaving[];
}

/** What the best offer of a customer saves. */
export interface RecordSaving {
  readonly eur: number;
  readonly from: number;
  readonly to: number;
}

/** Ranks rows and formats the answers, in this thread. */
export function createPieceMaker({
  settings,
  form,
  withSavings,
}: RankThreadData): (rows: readonly CustomerRow[]) => Piece {
  const rank = createRanker(settings);
  const encoder = new TextEncoder();
  return (rows) => {
    const records = rank(rows);
    const errorCount = records.filter((record) => 'error' in record).length;
    if (!withSavings) return { bytes: encoder.encode(textOf(records, form)), errorCount, savings: [] };
    const saving = records.filter((record) => savingIn(record) !== null);
    const texts = saving.map((record) => encoder.encode(textOf([record], form)));
    let to = 0;
    const savings = saving.map((record, index) => {
      const from = to;
      to += texts[index]?.length ?? 0;
      return { eur: savingIn(record) ?? 0, from, to };
    });
    const bytes = new Uint8Array(to);
    for (const [index, { from }] of savings.entries()) bytes.set(texts[index] ?? [], from);
    return { bytes, errorCount, savings };
  };
}

/** The saving of the first of the best offers, EUR; `null` where there is no offer, or no present contract is known. */
function savingIn(record: CustomerRecord): number | null {
  return 'error' in record ? null : (record.best[0]?.ahorro?.eur ?? null);
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
