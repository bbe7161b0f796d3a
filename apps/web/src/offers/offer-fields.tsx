import { OFFER_FORM, type OfferFormField } from '@tarifario/api/offer-form';
import { useId } from 'preact/hooks';
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

type FieldProps = FieldState & { readonly isReadOnly: boolean };

/** A field of an offer, with what is wrong with it. */
export function OfferFieldBox(props: FieldProps) {
  const { field, fault, conflict } = props;
  const translation = useTranslation();
  const { say, language } = translation;
  const id = useId();
  const name = fieldName(field, translation);
  const notes = [fault, conflict === null ? null : say('changedMeanwhile', { value: conflict })];
  const said = (
    <span class="fault" id={`${id}-fault`}>
      {notes.filter((note) => note !== null).join(' ')}
    </span>
  );
  if (field.kind === 'tiers') {
    return (
      <fieldset class="wide" data-field={field.wire}>
        <legend>{name}</legend>
        <TierFields {...props} name={name} types={field.names} />
        {said}
      </fieldset>
    );
  }
  return (
    <div class="field" data-field={field.wire}>
      <label for={id}>{name}</label>
      <span class="unit-box">
        <Input {...props} id={id} />
        {field.unit && <span class="unit">{field.unit[language].replaceAll('EUR', '€')}</span>}
      </span>
      {said}
    </div>
  );
}

function Input({ id, field, text, isReadOnly, fault, conflict, onInput }: FieldProps & { readonly id: string }) {
  const { kind } = field;
  const isWrong = fault !== null || conflict !== null;
  const common = { id, 'aria-invalid': isWrong, 'aria-describedby': `${id}-fault` };
  if (kind === 'flag' || kind === 'choice' || kind === 'list') {
    return <Options {...{ common, field, text, onInput }} disabled={isReadOnly} />;
  }
  return (
    <input
      {...common}
      {...(kind === 'day' && { type: 'date' })}
      {...(kind === 'number' && { inputMode: 'decimal' })}
      autocomplete="off"
      value={text}
      readOnly={isReadOnly}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}

function Options({
  common,
  field,
  text,
  disabled,
  onInput,
}: Pick<FieldProps, 'field' | 'text' | 'onInput'> & { readonly common: object; readonly disabled: boolean }) {
  const translation = useTranslation();
  const { kind, names, isOptional } = field;
  if (kind === 'list') {
    const chosen = text.split(',');
    return (
      <select
        {...common}
        multiple
        size={4}
        disabled={disabled}
        onChange={({ currentTarget }) => onInput([...currentTarget.selectedOptions].map(({ value }) => value).join())}
      >
        {names.map((name) => (
          <option key={name} value={name} selected={chosen.includes(name)}>
            {choiceText(field, name, translation)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <select {...common} value={text} disabled={disabled} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
      {isOptional && <option value="">–</option>}
      {(kind === 'flag' ? ['yes', 'no'] : names).map((name) => (
        <option key={name} value={name}>
          {choiceText(field, name, translation)}
        </option>
      ))}
    </select>
  );
}
