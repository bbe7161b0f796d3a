import {
  assert,
  type Caller,
  CHANGE_KINDS,
  type ChangeCursor,
  type Cipher,
  type Delivery,
  type ListedChange,
  listChanges,
  type MarkedPlace,
  rightsOf,
  type Secrets,
  unknownCursor,
} from '@tarifario/core/service';
import { z } from 'zod';
import { PAGE_QUERY } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, clientId, id } from '../wire/answer.ts';

const NOUNS = ['client', 'company', 'offer', 'catalog_subscriptions', 'catalog_company', 'catalog_offer'] as const;

const change = answer(
  'Change',
  {
    noun: z.enum(NOUNS),
    id,
    client_id: clientId,
    state: z.enum(['active', 'inactive', 'gone']),
  },
  ({ kind, id, firmId, isActive, isGone, isOfCatalog }: ListedChange) => {
    const name = CHANGE_KINDS[kind] ?? 'offer';
    const own = name === 'subscriptions' ? 'catalog_subscriptions' : name;
    return {
      noun: isOfCatalog && (name === 'company' || name === 'offer') ? (`catalog_${name}` as const) : own,
      id,
      // The new firm of a moved offer is not shown.
      client_id: isGone ? null : firmId,
      state: isGone ? 'gone' : isActive ? 'active' : 'inactive',
    };
  },
);

/** `next`: the cursor as a text. */
const changes = answer(
  'Changes',
  { changes: z.array(change.shape), next: z.string(), has_more: z.boolean() },
  (page: { readonly changes: readonly ListedChange[]; readonly hasMore: boolean }, next: string) => ({
    changes: page.changes.map((each) => change.toWire(each)),
    next,
    has_more: page.hasMore,
  }),
);

/** A cursor is good for one firm, and for one set of rights. @param firmId - As the request names it. */
function purposeFor(caller: Caller, firmId: number | null): string {
  return `changes ${firmId} ${rightsOf(caller)}`;
}

/** The cursor of an event, for the key of its webhook. */
export function webhookCursor(secrets: Secrets, { webhook, caller }: Delivery, cursor: ChangeCursor): string {
  const firmId = caller.firmId === null ? webhook.firmId : null;
  return secrets.cipherFor(webhook.cursorSecret, purposeFor(caller, firmId)).seal(toText(cursor));
}

/** Eight numbers in base 36. With a mark of 48 bits and ids that fit into a double they are shorter than a token. */
function toText({ own, catalog }: ChangeCursor): string {
  const of = ({ place, mark }: MarkedPlace) => [place.revision, place.kind, place.id, mark];
  return [...of(own), ...of(catalog)].map((number) => number.toString(36)).join(' ');
}

/** @throws DomainError `unknown_cursor`. */
function cursorFrom(ciphers: readonly Cipher[], token: string): ChangeCursor {
  const text = ciphers.map((cipher) => cipher.open(token)).find((opened) => opened !== null);
  if (text === undefined) throw unknownCursor();
  const numbers = text.split(' ').map((digits) => Number.parseInt(digits, 36));
  const at = (first: number): MarkedPlace => {
    const [revision = 0, kind = 0, id = 0, mark = 0] = numbers.slice(first);
    return { place: { revision, kind, id }, mark };
  };
  return { own: at(0), catalog: at(4) };
}

export const CHANGES: readonly Operation[] = [
  defineOperation({
    id: 'listChanges',
    method: 'GET',
    path: '/v1/changes',
    summary: 'List what changed since a cursor',
    description:
      'Records that changed, each once: read them again by their id. Without since the answer is only the cursor of now: ' +
      'ask for it, read what you need, then ask with since set to the last next, again and again while has_more is true. ' +
      'A changed month is a change of its offer. state is inactive for a record that was deactivated, and gone for an ' +
      'offer that went to another advisory firm than the one that the call is narrowed to. Of records that the key may ' +
      'not list nothing is told, and without commissions:read no change of commissions. A cursor is good for one key ' +
      'and one client_id; one that is not known, also because a backup was restored, is 410.',
    anyKey: true,
    longRead: 'rows',
    query: { since: z.string().max(400).optional(), limit: PAGE_QUERY.limit },
    output: changes.shape,
    refusals: ['unknown_cursor'],
    examples: [{ summary: 'The cursor of now' }],
    answer: async ({ deps, caller, cipherFor, cursorSecret }, { firmId, query: { since, limit } }) => {
      assert(cipherFor !== undefined && cursorSecret !== undefined, 'a request has a cipher');
      const purpose = purposeFor(caller, firmId);
      const cipher = cipherFor(purpose);
      const ciphers = [cipher, deps.secrets.cipherFor(cursorSecret(), purpose)];
      const known = since === undefined ? null : cursorFrom(ciphers, since);
      const page = await listChanges(deps, caller, { firmId, since: known, limit });
      return changes.toWire(page, cipher.seal(toText(page.next)));
    },
  }),
];
