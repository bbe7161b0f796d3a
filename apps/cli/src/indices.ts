import { indexList } from '@tarifario/api';
import { INDEX_NAME, type IndexDay, importIndex } from '@tarifario/core/service';
import { type Run, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { indexDaysIn } from './index-files.ts';

/** Stores the prices of some files, all or none. */
export const importIndices: Run = async (args) => {
  const index = args.required('as');
  if (!INDEX_NAME.test(index)) throw new UsageError('--as must be capital letters and digits, - and _, at most 32');
  const choice = { geo: args.value('geo'), series: args.value('serie') };
  const files: (readonly IndexDay[])[] = [];
  for (const file of args.operands) files.push(await indexDaysIn(file, { index, choice }));
  return withDatabase(async ({ store, clock }) => {
    const done = await importIndex({ store, at: clock.now() }, index, files);
    const { from, to, hours, newHours, changedHours, incompleteDays } = done;
    const counts = { horas: hours, nuevas: newHours, cambiadas: changedHours };
    return { json: { indice: index, desde: from, hasta: to, ...counts, huecos: incompleteDays } };
  });
};

/** The indices of the installation. */
export const listIndices: Run = () =>
  withDatabase(async ({ store }) => {
    const { indices } = indexList.toWire(await store.read((reader) => reader.indices.list()));
    return { json: indices, records: indices };
  });
