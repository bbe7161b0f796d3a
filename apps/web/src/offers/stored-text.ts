import type { OfferFormField } from '@tarifario/api/offer-form';
import { type Community, communityName } from '@tarifario/core';
import { isText, type Translation } from '../texts/texts.ts';
import { valueText } from '../texts/value-text.ts';

/** A value that is chosen for a field. */
export function choiceText({ kind }: OfferFormField, value: string, { say }: Translation): string {
  if (kind === 'list') return communityName(value as Community);
  return isText(value) ? say(value) : value;
}

/** What is stored in a field, in words. */
export function storedText(field: OfferFormField, value: unknown, translation: Translation): string {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  if (field.kind === 'list' || field.kind === 'choice') {
    return texts.map((one) => choiceText(field, one, translation)).join(', ') || '–';
  }
  if (field.kind === 'day') return texts.map(translation.day).join() || '–';
  return valueText(value, translation);
}
