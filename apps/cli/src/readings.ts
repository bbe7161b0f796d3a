import { curve, invoiceReading } from '@tarifario/api';
import {
  type AskedIndices,
  COMMUNITIES,
  type CurveTerms,
  checkedInvoice,
  INDEX_NAME,
  type IndexDay,
  type IndexedCurve,
  MEASURED_TARIFFS,
  readCurve,
  refuseUnknown,
  TERRITORIES,
} from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/runtime';
import { type Arguments, CommandError, oneOf, type Run, UsageError } from './command.ts';
import { indexDaysIn } from './index-files.ts';
import { bytesOf } from './input-files.ts';
import { type AskService, serviceOf } from './service-asked.ts';
import { operatorTables } from './taxes.ts';

/** The address in the QR code of an invoice, as a question. */
export const readQr: Run = async (args) => {
  const [url, ask] = [args.required('URL'), await serviceOf(args)];
  if (ask !== null) return { json: await ask((service) => service.readInvoice({ body: { url } })) };
  return { json: invoiceReading.toWire(checkedInvoice(url, operatorTables())) };
};

/** The curve of a meter by period and month. */
export const readCurveFile: Run = async (args) => {
  const [file, ask] = [args.required('FILE'), await serviceOf(args)];
  const terms = termsFrom(args.required('tariff'), args.required('territory'), args.value('community'));
  return { json: await curveReading(args, file, terms, ask) };
};

/** What a curve says, beside the indices that are asked for; `ask` is `null` where it is read here. */
export async function curveReading(args: Arguments, file: string, terms: CurveTerms, ask: AskService | null) {
  if (ask === null) return curve.toWire(await besideIndices(args, (asked) => curveOf(file, { ...terms, ...asked })));
  const { tariff, territory, community } = terms;
  const indices = args.value('indices');
  const place = { tariff_type: tariff, territory, ...(community && { community }), ...(indices && { indices }) };
  const body = { file: new Blob([await curveBytes(file)]) };
  return ask((service) => service.readConsumption({ ...place, body }));
}

/** @throws UsageError for a tariff, a territory or a community that does not exist. */
export function termsFrom(tariff: string, territory: string, community: string | null): CurveTerms {
  return {
    tariff: oneOf(MEASURED_TARIFFS, tariff, '--tariff'),
    territory: oneOf(TERRITORIES, territory, '--territory'),
    community: community === null ? null : oneOf(COMMUNITIES, community, '--community'),
  };
}

/** Its name may hold the number of a supply point: no error repeats it. */
export function curveBytes(file: string): Promise<Buffer> {
  return bytesOf(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`the file of the curve cannot be read: ${error.code ?? 'it failed'}`);
  });
}

/** Works with the indices of `--indices`, from the database, or of `--index`, from files. */
async function besideIndices<T>(
  args: Arguments,
  work: (asked: { readonly indices?: AskedIndices }) => Promise<T>,
): Promise<T> {
  const names = args.value('indices')?.split(',');
  if (names !== undefined) {
    const { withDatabase } = await import('./database.ts');
    return withDatabase(async ({ store }) => {
      await store.read((reader) => refuseUnknown(reader, names));
      const daysOf: AskedIndices['daysOf'] = (index, from, to) =>
        store.read((reader) => reader.indices.days(index, from, to));
      return work({ indices: { names, daysOf } });
    });
  }
  const sent =
    args
      .value('index')
      ?.split(',')
      .map((text) => text.split('=')) ?? [];
  if (sent.length === 0) return work({});
  const series = new Map<string, readonly IndexDay[]>();
  for (const [index = '', file = ''] of sent) {
    if (!INDEX_NAME.test(index) || file === '') throw new UsageError('--index must be NAME=FILE, several by commas');
    series.set(index, await indexDaysIn(file, { index, choice: { geo: null, series: null } }));
  }
  const daysOf: AskedIndices['daysOf'] = async (index) => series.get(index) ?? [];
  return work({ indices: { names: [...series.keys()], daysOf } });
}

export async function curveOf(file: string, terms: Parameters<typeof readCurve>[2]): Promise<IndexedCurve> {
  const bytes = await curveBytes(file);
  const workbooks = createWorkbookReader();
  try {
    return await readCurve({ workbooks }, bytes, terms);
  } finally {
    workbooks.close();
  }
}
