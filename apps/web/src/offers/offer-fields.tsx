import { OFFER_FORM, type OfferFormField } from '@tarifario/api/offer-form';
import { type Around, Choice, Field, TextField } from '../shell/form.tsx';
import { isText, type Translation, useTranslation } from '../texts/texts.ts';
import { choiceText } from './stored-text.ts';
import { TierFields } from './tier-fields.tsx';
import type { FieldState } from './use-offer-draft.ts';

/** The name of a field: in words of the page where it has some. */
export const fieldName = ({ wire, label }: OfferFormField, { say, language }: Translation): string =>
  isText(wire) ? say(wire) : label[language];

/** A field of an offer by its name on the wire; `undefined`: it is none. */
export const fieldOf = (wire: string): OfferFormField | undefined => OFFER_FORM.find((one) => one.wire === wire);

/** The same in words, where there are some. */
export function wireText(wire: string, translation: Translation): string {
  const field = fieldOf(wire);
  if (field) return fieldName(field, translation);
  return isText(wire) ? translation.say(wire) : wire;
}

/** What is wrong with a field, or has become of it; `undefined`: nothing. */
export function saidOf({ fault, conflict }: FieldState, { say }: Translation): string | undefined {
  const said = [fault, conflict === null ? null : say('changedMeanwhile', { value: conflict })];
  return said.filter((one) => one !== null).join(' ') || undefined;
}

type NamedOption = readonly [value: string, text: string];

/** A field of an offer, with what is wrong with it. */
export function OfferFieldBox(props: FieldState & { readonly isReadOnly: boolean }) {
  const { field, text, isReadOnly, onInput } = props;
  const translation = useTranslation();
  const { language } = translation;
  const { wire, kind, names, isOptional } = field;
  const around = {
    ...{ wire, label: fieldName(field, translation), fault: saidOf(props, translation) },
    unit: field.unit?.[language].replaceAll('EUR', '€'),
  };
  if (kind === 'tiers') {
    return (
      <fieldset class="wide" data-field={wire}>
        <legend>{around.label}</legend>
        <TierFields {...props} name={around.label} types={names} />
        <span class="fault">{around.fault}</span>
      </fieldset>
    );
  }
  const optionOf = (name: string): NamedOption => [name, choiceText(field, name, translation)];
  if (kind === 'list')
    return <Several {...{ around, text, onInput }} options={names.map(optionOf)} isOff={isReadOnly} />;
  if (kind === 'flag' || kind === 'choice') {
    const options = (kind === 'flag' ? ['yes', 'no'] : names).map(optionOf);
    const all: readonly NamedOption[] = isOptional ? [['', '–'], ...options] : options;
    return <Choice {...around} value={text} options={all} disabled={isReadOnly} onChoose={onInput} />;
  }
  return (
    <TextField
      {...around}
      {...(kind === 'day' && { type: 'date' })}
      {...(kind === 'number' && { inputMode: 'decimal' })}
      value={text}
      readOnly={isReadOnly}
      onText={onInput}
    />
  );
}

/** A choice of several, their names in one text. */
function Several({
  around,
  text,
  options,
  isOff,
  onInput,
}: Pick<FieldState, 'text' | 'onInput'> & {
  readonly around: Around;
  readonly options: readonly NamedOption[];
  readonly isOff: boolean;
}) {
  const chosen = text.split(',');
  return (
    <Field {...around}>
      {(named) => (
        <select
          {...named}
          multiple
          size={4}
          disabled={isOff}
          onChange={({ currentTarget }) => onInput([...currentTarget.selectedOptions].map(({ value }) => value).join())}
        >
          {options.map(([value, name]) => (
            <option key={value} value={value} selected={chosen.includes(value)}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
