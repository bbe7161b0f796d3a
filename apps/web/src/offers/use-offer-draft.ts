import type { OfferFormField } from '@tarifario/api/offer-form';
import { TarifarioError } from '@tarifario/client';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../customer/number-fault.ts';
import { useTask } from '../shell/use-task.ts';
import { useTranslation } from '../texts/texts.ts';
import {
  isConflict,
  keepDraft,
  keptDraft,
  type OfferDraft,
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

/** What is stored, and how it is changed. */
export interface Drafted {
  /** Under which the tab keeps what is typed. */
  readonly id: string;
  readonly reach: string;
  readonly fields: readonly OfferFormField[];
  readonly stored: StoredOffer;
  /** It changes with what is stored. */
  readonly tag: string;
  /** Sends what was typed; `at` names what all members of the next request begin with. */
  readonly send: (values: StoredOffer, at: (prefix: string) => void) => Promise<unknown>;
  /** Reads it again, after a change of this page or of somebody else. */
  readonly onRead: (isOwnChange: boolean) => void;
}

/** What was read is no longer what is stored. */
export class Outdated extends Error {}

/** What is typed into the fields of an offer, until it is saved. */
export function useOfferDraft({ id, reach, fields: own, stored, tag, send, onRead }: Drafted) {
  const translation = useTranslation();
  const { language } = translation;
  const [draft, setDraft] = useState<OfferDraft>(() => keptDraft(id, reach));
  /** The tag that a change was saved over. */
  const [savedOver, setSavedOver] = useState<string | null>(null);
  const { isBusy, error, run } = useTask();
  const prefix = useRef('');
  useLayoutEffect(() => keepDraft(id, reach, draft), [draft]);
  useEffect(() => {
    // What was typed is shown until what is stored now has been read.
    if (savedOver !== null) setDraft({});
  }, [tag]);
  const wireOf = (path: string) => prefix.current + (path.split('.')[0] ?? path);
  const refused = refusedIn(error, wireOf);
  const values: Record<string, unknown> = {};
  const faults: Record<string, Fault> = {};
  const fields = own.map((field): FieldState => {
    const { wire } = field;
    const now = textOf(field, stored[wire], language);
    const one = draft[wire]?.text === now ? undefined : draft[wire];
    const read = one && readText(field, one.text, language);
    if (read && 'value' in read) values[wire] = read.value;
    if (read && 'fault' in read) faults[wire] = read.fault;
    return {
      field,
      text: one?.text ?? now,
      isTyped: one !== undefined,
      fault: faults[wire]?.(translation) ?? refused.get(wire) ?? null,
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
      if (Object.keys(faults).length > 0 || Object.keys(values).length === 0) return;
      try {
        await send(values, (start) => {
          prefix.current = start;
        });
      } catch (fault) {
        // What is stored now is read, and shown at each field that is in dispute.
        if (isOutdated(fault)) onRead(false);
        throw fault;
      }
      setSavedOver(tag);
      onRead(true);
    });
  return {
    fields,
    isBusy,
    isSaved: savedOver !== null && savedOver !== tag,
    error,
    isAtField: (path: string) => refused.has(wireOf(path)),
    save,
    discard: () => setDraft({}),
  };
}

/** Whether the offer has been changed since it was read. */
export const isOutdated = (error: unknown) =>
  error instanceof Outdated || (error instanceof TarifarioError && error.status === 412);

/** What the service refuses of fields. */
function refusedIn(error: unknown, wireOf: (path: string) => string): ReadonlyMap<string, string> {
  const errors = error instanceof TarifarioError ? error.errors : [];
  return new Map(errors.flatMap((one) => ('path' in one ? [[wireOf(one.path), one.error]] : [])));
}
