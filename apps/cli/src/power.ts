import { fromWirePower, powerAdvice } from '@tarifario/api';
import type { Tarifario } from '@tarifario/client';
import { answerPower } from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/runtime';
import { CommandError, type Run, UsageError } from './command.ts';
import { fromFile, readJson } from './input-files.ts';
import { curveBytes } from './readings.ts';
import { serviceOf } from './service-asked.ts';
import { operatorTables } from './taxes.ts';

type PowerQuestion = Parameters<Tarifario['optimizePower']>[0]['body'];

/** The contracted power that costs least. */
export const power: Run = async (args) => {
  const [operand, curve] = [args.value('FILE'), args.value('curve')];
  if (operand === null && curve === null) throw new UsageError('power needs FILE, or --curve with --question');
  const file = operand ?? args.required('question');
  const json = await readJson(file);
  const bytes = curve === null ? null : await curveBytes(curve);
  const ask = await serviceOf(args);
  if (ask !== null) {
    const sent = bytes && { file: new Blob([bytes]), question: JSON.stringify(json) };
    return { json: await ask((service) => service.optimizePower({ body: (sent ?? json) as PowerQuestion })) };
  }
  const { offerId, ...input } = fromFile(file, () => fromWirePower(json, bytes));
  if (offerId !== null) throw new CommandError(`${file}: offer_id is of an account: send precios`);
  const workbooks = createWorkbookReader();
  try {
    return { json: powerAdvice.toWire(await answerPower({ workbooks, ...operatorTables() }, input)) };
  } finally {
    workbooks.close();
  }
};
