import { fakeFile, type SheetsByHand, sheetsOf } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, type World } from '@tarifario/testkit/api/world';
import { expect } from 'vitest';

export const FORMATS = ['own', 'catalog'] as const;
export type Format = (typeof FORMATS)[number];
export const UPDATE = { own: 'bulkUpdateOffers', catalog: 'bulkUpdateCatalogOffers' } as const;
export const TEMPLATES = {
  own: ['bulkTemplateOffers', 'bulkTemplateIndexedOffers'],
  catalog: ['bulkTemplateCatalogOffers', 'bulkTemplateIndexedCatalogOffers'],
} as const;

/** Calls about files, of a world that each test makes anew. */
export function bulkCalls(world: () => World) {
  /** Answers of a bulk update whose file has these sheets. */
  const update = (format: Format, sheets: SheetsByHand, input: CallInput = {}) =>
    world().call(UPDATE[format], { ...input, form: { bytes: fakeFile(sheets) } });

  const applied = async (format: Format, sheets: SheetsByHand, input: CallInput = {}) => {
    const { status, body } = await update(format, sheets, input);
    expect({ status, body }).toMatchObject({ status: 200 });
    return asRecord(body);
  };

  const templateOf = async (operation: string, input: CallInput = {}): Promise<SheetsByHand> => {
    const { status, body } = await world().call(operation, input);
    expect(status).toBe(200);
    return sheetsOf(new TextEncoder().encode(String(body)));
  };

  return { update, applied, templateOf };
}
