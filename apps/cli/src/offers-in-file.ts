import { extname } from 'node:path';
import { fromWireOffers } from '@tarifario/api';
import type { FileOffers } from '@tarifario/core/service';
import { contentOf, formOf, fromFile, type InputForm, jsonIn, shownName } from './input-files.ts';

const ENDINGS: Readonly<Record<string, InputForm>> = { '.json': 'json', '.xlsx': 'xlsx', '.csv': 'csv' };

/** Offers of a file, and whether their companies and clients have ids. */
export async function readOffers(file: string): Promise<FileOffers & { readonly hasIds: boolean }> {
  const bytes = await contentOf(file, Object.keys(ENDINGS));
  const form = ENDINGS[extname(file).toLowerCase()] ?? formOf(bytes);
  if (form === 'json') {
    const json = jsonIn(file, bytes);
    return { ...fromFile(file, () => fromWireOffers(json)), hasIds: true };
  }
  const { readOfferSheets } = await import('./offer-sheets.ts');
  return { ...(await readOfferSheets(shownName(file), bytes, form)), hasIds: false };
}
