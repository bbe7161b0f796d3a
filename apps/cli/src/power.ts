import { fromWirePower, powerAdvice } from '@tarifario/api';
import { answerPower } from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/runtime';
import { CommandError, type Run, UsageError } from './command.ts';
import { fromFile, readJson } from './input-files.ts';
import { curveBytes } from './readings.ts';
import { operatorTables } from './taxes.ts';

/** The contracted power that costs least. */
export const power: Run = async (args) => {
  const [operand, curve] = [args.value('FILE'), args.value('curve')];
  if (operand === null && curve === null) throw new UsageError('power needs FILE, or --curve with --question');
  const file = operand ?? args.required('question');
  const json = await readJson(file);
  const bytes = curve === null ? null : await curveBytes(curve);
  const { offerId, ...input } = fromFile(file, () => fromWirePower(json, bytes));
  if (offerId !== null) throw new CommandError(`${file}: offer_id is of an account: send precios`);
  const workbooks = createWorkbookReader();
  try {
    return { json: powerAdvice.toWire(await answerPower({ workbooks, ...operatorTables() }, input)) };
  } finally {
    workbooks.close();
  }
};
