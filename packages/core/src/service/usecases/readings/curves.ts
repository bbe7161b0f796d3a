import { type Curve, type CurveTerms, createCurveReader } from '../../../engine/consumption/curve.ts';
import type { Caller } from '../../access/caller.ts';
import type { Workbooks } from '../../ports/workbooks.ts';
import type { Deps } from '../requests/deps.ts';
import { resolveFirmId } from '../requests/record-access.ts';
import { readParts } from '../uploads/unreadable-files.ts';

/**
 * Reads the curve of a meter by period and month. Nothing of it is stored.
 *
 * @param file - A CSV; see `createCurveReader`.
 * @throws DomainError `invalid_request` for a file that cannot be read, `too_large`, `unavailable`, and `business_rule`
 *   that names the row and the column of what is wrong with it.
 * @see docs/assumptions.md, A-80
 */
export async function readCurve(
  { workbooks }: { readonly workbooks: Pick<Workbooks, 'read'> },
  file: Uint8Array | string,
  terms: CurveTerms,
): Promise<Curve> {
  return readParts(workbooks, createCurveReader(terms), { bytes: file, form: 'curve' });
}

/** As `readCurve`, for a caller. @throws DomainError also `foreign_firm`. */
export async function readCurveForCaller(
  deps: Deps,
  caller: Caller,
  input: { readonly firmId: number | null; readonly file: Uint8Array | string; readonly terms: CurveTerms },
): Promise<Curve> {
  await deps.store.read((reader) => resolveFirmId(reader, caller, input.firmId));
  return readCurve(deps, input.file, input.terms);
}
