import { OFFER_FORM, type OfferFormField } from '@tarifario/api/offer-form';
import { type OfferChanges, TarifarioError } from '@tarifario/client';
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../shell/session.ts';
import { useTask } from '../shell/use-task.ts';
import { type TextName, useTranslation } from '../texts/texts.ts';
import {
  isConflict,
  keepDraft,
  keptDraft,
  type OfferDraft,
  type ReadOffer,
  readText,
  type StoredOffer,
  textOf,
  typedInto,
} from './offer-draft.ts';

/** A field with what was typed into it. */
export interface FieldState {
  readonly field: OfferFormField;
  readonly text: string;
  readonly isTyped: boolean;
  /** What is wrong with it. */
  readonly fault: string | null;
  /** The value that somebody else gave it meanwhile. */
  readonly conflict: string | null;
  readonly onInput: (text: string) => void;
}

/** What is typed into the fields of an offer, until it is saved; `onRead` reads the offer again. */
export function useOfferDraft(session: Session, { offer, tag }: ReadOffer, onRead: (isOwnChange: boolean) => void) {
  const { say, language } = useTranslation();
  const { id } = offer;
  const [draft, setDraft] = useState<OfferDraft>(() => keptDraft(id, session.reach));
  /** The tag that a change was saved over. */
  const [savedOver, setSavedOver] = useState<string | null>(null);
  const { isBusy, error, run } = useTask();
  useEffect(() => keepDraft(id, session.reach, draft), [draft]);
  useEffect(() => {
    // What was typed is shown until what is stored now has been read.
    if (savedOver !== null) setDraft({});
  }, [tag]);
  const stored = offer as unknown as StoredOffer;
  const refused = refusedIn(error);
  const values: Record<string, unknown> = {};
  const faults: Record<string, TextName> = {};
  const fields = fieldsFor(session, offer.supply_type).map((field): FieldState => {
    const { wire } = field;
    const one = draft[wire];
    const now = textOf(field, stored[wire], language);
    const read = one && readText(field, one.text, language);
    if (read && 'value' in read) values[wire] = read.value;
    if (read && 'fault' in read) faults[wire] = read.fault;
    return {
      field,
      text: one?.text ?? now,
      isTyped: one !== undefined,
      fault: faults[wire] ? say(faults[wire]) : (refused.get(wire) ?? null),
      conflict: one && isConflict(one, field, stored[wire], language) ? now || '–' : null,
      onInput: (text) => {
        setSavedOver(null);
        setDraft((before) => typedInto(before, field, { text, stored: stored[wire], language }));
      },
    };
  });
  const save = () =>
    run(async () => {
      setSavedOver(null);
      if (Object.keys(faults).length > 0) return;
      const change = offer.is_catalog ? session.api.updateCatalogOffer : session.api.updateOffer;
      try {
        await change({ id, body: values as OfferChanges }, { ifMatch: tag });
      } catch (fault) {
        // What is stored now is read, and shown at each field that is in dispute.
        if (isOutdated(fault)) onRead(false);
        throw fault;
      }
      setSavedOver(tag);
      onRead(true);
    });
  const isAtField = (path: string) => refused.has(memberOf(path));
  return {
    fields,
    isBusy,
    isSaved: savedOver !== null && savedOver !== tag,
    error,
    isAtField,
    save,
    discard: () => setDraft({}),
  };
}

/** Whether the offer has been changed since it was read. */
export const isOutdated = (error: unknown) => error instanceof TarifarioError && error.status === 412;

const memberOf = (path: string) => path.split('.')[0] ?? path;

/** What the service refuses of fields. */
function refusedIn(error: unknown): ReadonlyMap<string, string> {
  const errors = error instanceof TarifarioError ? error.errors : [];
  return new Map(errors.flatMap((one) => ('path' in one ? [[memberOf(one.path), one.error]] : [])));
}

/** The fields that an offer of this supply has, and that the key may see. */
function fieldsFor({ scopes }: Session, supplyType: 'LUZ' | 'GAS') {
  return OFFER_FORM.filter(
    ({ supply, section }) =>
      (supply === null || supply === supplyType) && (section !== 'commissions' || scopes.includes('commissions:read')),
  );
}
