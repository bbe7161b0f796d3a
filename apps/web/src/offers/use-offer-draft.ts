import type { OfferFormField } from '@tarifario/api/offer-form';
import { TarifarioError } from '@tarifario/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../customer/number-fault.ts';
import { faultsOf } from '../shell/faults.ts';
import { useTask } from '../shell/query.ts';
import { useTranslation } from '../texts/texts.ts';
import {
  asJson,
  draftSince,
  keepDraft,
  keptDraft,
  type OfferDraft,
  readText,
  type StoredOffer,
  textOf,
  typedInto,
} from './offer-draft.ts';
import { storedText } from './stored-text.ts';

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

/** What one request saves. */
export interface Part {
  /** The fields that it saves begin with it, and what it refuses is without it. */
  readonly prefix: string;
  readonly name: string;
  readonly send: () => Promise<unknown>;
}

/** What is stored, and how it is changed. */
export interface Drafted {
  /** Under which the tab keeps what is typed. */
  readonly id: string;
  readonly reach: string;
  readonly fieldsOf: (draft: OfferDraft) => readonly OfferFormField[];
  readonly stored: StoredOffer;
  /** What was read, another object each time. */
  readonly read: object;
  /** What saves the typed values, one after the other. */
  readonly partsOf: (values: StoredOffer) => readonly Part[];
  /** Reads it again, after a change of this page or of somebody else. */
  readonly onRead: (isOwnChange: boolean) => void;
}

/** What was read is no longer what is stored. */
export class Outdated extends Error {}

/** What is typed into the fields of an offer, until it is saved. */
export function useOfferDraft({ id, reach, fieldsOf, stored, read: seen, partsOf, onRead }: Drafted) {
  const translation = useTranslation();
  const { language } = translation;
  const [draft, setDraft] = useState<OfferDraft>(() => keptDraft(id, reach));
  /** What was read when everything was saved; `null`: something was not. */
  const [savedOver, setSavedOver] = useState<object | null>(null);
  /** The names of the parts that were saved before one was refused. */
  const [savedParts, setSavedParts] = useState<readonly string[]>([]);
  const { isBusy, error, run } = useTask();
  const prefix = useRef('');
  /** What was saved since the last reading: it is shown until what is stored now has been read. */
  const sent = useRef<OfferDraft>({});
  useLayoutEffect(() => keepDraft(id, reach, draft), [draft]);
  useLayoutEffect(() => {
    const saved = sent.current;
    sent.current = {};
    if (Object.keys(saved).length > 0) setDraft((before) => draftSince(before, saved, stored));
  }, [seen]);
  const own = fieldsOf(draft);
  const wireOf = (path: string) => prefix.current + (path.split('.')[0] ?? path);
  const refused = new Map(Object.entries(faultsOf(error)).map(([path, fault]) => [wireOf(path), fault]));
  const values: Record<string, unknown> = {};
  const faults: Record<string, Fault> = {};
  const fields = own.map((field): FieldState => {
    const { wire } = field;
    const now = textOf(field, stored[wire], language);
    const one = draft[wire]?.text === now ? undefined : draft[wire];
    const read = one && readText(field, one.text, language);
    if (read && 'value' in read) values[wire] = read.value;
    if (read && 'fault' in read) faults[wire] = read.fault;
    const isChanged = one !== undefined && one.over !== asJson(stored[wire]);
    // The same number may be written in several ways.
    const isTypedValue = wire in values && asJson(values[wire]) === asJson(stored[wire]);
    return {
      field,
      text: one?.text ?? now,
      isTyped: one !== undefined,
      fault: faults[wire]?.(translation) ?? refused.get(wire) ?? null,
      conflict: isChanged && !isTypedValue ? storedText(field, stored[wire], translation) : null,
      onInput: (text) => {
        const shown = isBusy ? null : now;
        setDraft((before) => typedInto(before, wire, { text, shown, stored: stored[wire] }));
      },
    };
  });
  const save = () =>
    run(async () => {
      setSavedOver(null);
      setSavedParts([]);
      if (Object.keys(faults).length > 0 || Object.keys(values).length === 0) return;
      const saved: string[] = [];
      try {
        for (const part of partsOf(values)) {
          prefix.current = part.prefix;
          await part.send();
          saved.push(part.name);
          const own = Object.entries(draft).filter(([wire]) => wire.startsWith(part.prefix));
          sent.current = { ...sent.current, ...Object.fromEntries(own) };
        }
      } catch (fault) {
        setSavedParts(saved);
        // What is stored now is read, and shown at each field that is in dispute.
        if (saved.length > 0 || isOutdated(fault)) onRead(saved.length > 0);
        throw fault;
      }
      setSavedOver(seen);
      onRead(true);
    });
  return {
    fields,
    isBusy,
    isSaved: savedOver !== null && savedOver !== seen,
    savedParts,
    error,
    isAtField: (path: string) => own.some(({ wire }) => wire === wireOf(path)),
    save,
    discard: () => {
      setSavedOver(null);
      setDraft({});
    },
  };
}

/** Whether the offer has been changed since it was read. */
export const isOutdated = (error: unknown) =>
  error instanceof Outdated || (error instanceof TarifarioError && error.status === 412);
