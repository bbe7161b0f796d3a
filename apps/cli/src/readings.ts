import { curve, invoiceReading } from '@tarifario/api';
import {
  COMMUNITIES,
  type Curve,
  type CurveTerms,
  checkedInvoice,
  MEASURED_TARIFFS,
  readCurve,
  TERRITORIES,
} from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/runtime';
import { CommandError, oneOf, type Run } from './command.ts';
import { bytesOf } from './input-files.ts';
import { serviceOf } from './service-asked.ts';
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
  if (ask === null) return { json: curve.toWire(await curveOf(file, terms)) };
  const { tariff, territory, community } = terms;
  const place = { tariff_type: tariff, territory, ...(community && { community }) };
  const body = { file: new Blob([await curveBytes(file)]) };
  return { json: await ask((service) => service.readConsumption({ ...place, body })) };
};

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

export async function curveOf(file: string, terms: CurveTerms): Promise<Curve> {
  const bytes = await curveBytes(file);
  const workbooks = createWorkbookReader();
  try {
    return await readCurve({ workbooks }, bytes, terms);
  } finally {
    workbooks.close();
  }
}
