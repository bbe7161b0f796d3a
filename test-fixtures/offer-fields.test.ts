import { FIELD_LIST, fieldPartsOf, initialOf, type TermsField } from '@tarifario/core/service';
import { expect, test } from 'vitest';

/** A field as a person reviews it; of each value its name on the wire, its column, and its English and Spanish text. */
function described(field: TermsField) {
  const { kind, section, supply } = field;
  const bounds = 'bounds' in field ? field.bounds : null;
  const monthly = 'monthlyBounds' in field ? field.monthlyBounds : undefined;
  const words = 'names' in field ? field.names : 'types' in field ? field.types : null;
  return {
    kind,
    section,
    supply,
    initial: JSON.stringify(initialOf(field)),
    ...(bounds ? { bounds: `${bounds.min} to ${bounds.max} ${bounds.unit}, ${bounds.unidad}` } : {}),
    ...(monthly ? { monthlyBounds: `${monthly.min} to ${monthly.max} ${monthly.unit}, ${monthly.unidad}` } : {}),
    ...('maxLength' in field ? { maxLength: field.maxLength } : {}),
    ...(words ? { words: words.join(' ') } : {}),
    values: Object.fromEntries(
      fieldPartsOf(field).map(({ path, wire, column, en, es }) => [
        path,
        [wire, column, en ?? '-', es ?? '-'].join(' | '),
      ]),
    ),
  };
}

test('the table of offer fields: what was reviewed, with every name, default, bound and text', async () => {
  const fields = Object.fromEntries(FIELD_LIST.map((field) => [field.name, described(field)]));
  await expect(`${JSON.stringify(fields, null, 2)}\n`).toMatchFileSnapshot('offer-fields.json');
});
