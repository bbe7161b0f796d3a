import { DomainError } from '../../../engine/errors.ts';
import { type Caller, hasScope, maySeeCommissions, type Scope } from '../../access/caller.ts';
import type { RecordOwner } from '../../ports/lists.ts';
import type {
  ChangeCursor,
  ChangeKind,
  ChangePlace,
  ChangeQuery,
  MarkedPlace,
  RecordChange,
} from '../../ports/records.ts';
import type { Reader } from '../../ports/stores.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, readFor } from '../requests/record-access.ts';

/** A change, and the owner of its record. */
export interface ListedChange extends RecordChange {
  readonly isOfCatalog: boolean;
}

/** A page of changes, and the cursor for the next one. */
interface ChangePage {
  readonly changes: readonly ListedChange[];
  readonly next: ChangeCursor;
  readonly hasMore: boolean;
}

/** The kinds of records of an owner, and who may list them. */
const KINDS: Readonly<Record<'own' | 'catalog', readonly (readonly [ChangeKind, Scope])[]>> = {
  own: [
    ['client', 'clients:read'],
    ['company', 'companies:read'],
    ['offer', 'offers:read'],
    ['subscriptions', 'clients:read'],
  ],
  catalog: [
    ['company', 'catalog:read'],
    ['offer', 'catalog:read'],
  ],
};

const BEGINNING: ChangePlace = { revision: 0, kind: 0, id: 0 };

/**
 * The records that changed since a cursor, each once, where it was changed last: those of the account first, then those
 * of the catalog. The list has only kinds that the caller may list, and no changes of commissions for a caller who may
 * not see them. The cursor moves only past listed changes.
 *
 * @param input - `since: null`: the result is only the present cursor.
 * @throws DomainError `foreign_firm`; `unknown_cursor` for one of another state of the data, as after a restore.
 * @see docs/assumptions.md, A-99
 */
export async function listChanges(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  input: FirmChoice & { readonly since: ChangeCursor | null; readonly limit: number },
): Promise<ChangePage> {
  const { since, limit } = input;
  return readFor(deps, { caller, firmId: input.firmId }, (reader, firmId) =>
    changesFor(reader, caller, { firmId, since, limit }),
  );
}

/** The same, for a firm that the caller may see, in a state that is read. */
export async function changesFor(
  reader: Reader,
  caller: Caller,
  { firmId, since, limit }: FirmChoice & { readonly since: ChangeCursor | null; readonly limit: number },
): Promise<ChangePage> {
  const queryOf = (side: 'own' | 'catalog'): Omit<ChangeQuery, 'after'> => ({
    kinds: KINDS[side].filter(([, scope]) => hasScope(caller, scope)).map(([kind]) => kind),
    firmId: side === 'own' ? firmId : null,
    seesCommissions: maySeeCommissions(caller),
    limit: limit + 1,
  });
  const owners = { own: caller.accountId, catalog: 'catalog' } as const;
  if (since === null) {
    const now = async (side: 'own' | 'catalog') =>
      markedPlace(reader, owners[side], await newest(reader, owners[side], queryOf(side)));
    return { changes: [], next: { own: await now('own'), catalog: await now('catalog') }, hasMore: false };
  }
  const pageOf = async (side: 'own' | 'catalog') => {
    await refuseUnknown(reader, owners[side], since[side]);
    return reader.changes.after(owners[side], { ...queryOf(side), after: since[side].place });
  };
  const all = [
    ...(await pageOf('own')).map((change) => ({ ...change, isOfCatalog: false })),
    ...(await pageOf('catalog')).map((change) => ({ ...change, isOfCatalog: true })),
  ];
  const changes = all.slice(0, limit);
  const goOn = async (side: 'own' | 'catalog') => {
    const last = changes.findLast(({ isOfCatalog }) => isOfCatalog === (side === 'catalog'));
    return last ? markedPlace(reader, owners[side], last) : since[side];
  };
  return { changes, next: { own: await goOn('own'), catalog: await goOn('catalog') }, hasMore: all.length > limit };
}

async function newest(reader: Reader, owner: RecordOwner, query: Omit<ChangeQuery, 'after'>): Promise<ChangePlace> {
  const [last] = await reader.changes.after(owner, { ...query, limit: 1, after: null });
  return last ?? BEGINNING;
}

async function markedPlace(
  reader: Reader,
  owner: RecordOwner,
  { revision, kind, id }: ChangePlace,
): Promise<MarkedPlace> {
  return { place: { revision, kind, id }, mark: (await reader.changes.mark(owner, revision)) ?? NO_MARK };
}

/** Of the beginning. */
const NO_MARK = 0;

async function refuseUnknown(reader: Reader, owner: RecordOwner, { place, mark }: MarkedPlace): Promise<void> {
  const isKnown = place.revision === 0 || (await reader.changes.mark(owner, place.revision)) === mark;
  if (!isKnown) throw unknownCursor();
}

/** The refusal of an invalid cursor, of one of another key, or of another state of the data. */
export function unknownCursor(): DomainError {
  return new DomainError('unknown_cursor');
}
