import { bulkSheetFor, type SheetColumn, type SheetName } from '@tarifario/core/service';

/**
 * Bodies whose fields are stored, and the sheet that has the same fields. Their bounds are rules, answered 422, so they
 * are in the descriptions and not in the schemas: what a schema forbids is answered 400.
 */
const SHEETS: Readonly<Record<string, SheetName>> = {
  NewOffer: 'ofertas',
  OfferChanges: 'ofertas',
  OfferUpdates: 'ofertas',
  NewMonth: 'precios_indexados',
};

function boundsOf({ kind, min, max }: SheetColumn): string | null {
  if (max === null) return null;
  if (kind === 'text') return `1 to ${max} characters.`;
  return min === null ? null : `From ${min} to ${max}.`;
}

/**
 * Adds the allowed values to the notes on stored fields.
 *
 * @param schemas - The named schemas of a document, which are changed.
 * @see docs/assumptions.md, A-02 and A-28
 */
export function addBounds(schemas: object): void {
  for (const [name, sheet] of Object.entries(SHEETS)) {
    const properties: unknown = Reflect.get(Object(Reflect.get(schemas, name)), 'properties');
    for (const column of bulkSheetFor('own', sheet)?.columns ?? []) {
      const property: unknown = Reflect.get(Object(properties), column.header);
      const bounds = boundsOf(column);
      if (bounds === null || typeof property !== 'object' || property === null) continue;
      const note = 'description' in property ? `${property.description} ${bounds}` : bounds;
      Object.assign(property, { description: note });
    }
  }
}
