import { useId } from 'preact/hooks';
import { type TextName, useTranslation } from '../texts/texts.ts';
import type { Draft, Faults } from './draft.ts';
import type { Read } from './readings.ts';
import type { Changes } from './study.ts';

/** The parts that every section of the form gets. */
export interface FormParts {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly change: (changes: Changes) => void;
  /** The same for changes that may replace typed values, which can be brought back. */
  readonly replace: (changes: Changes) => void;
  /** Takes a reading: of another supply it begins a study. */
  readonly read: (readOf: (before: Draft) => Read) => void;
}

/** A choice among options; its label is the text of that name. */
export function Choice<const Value extends string>({
  label,
  value,
  options,
  nameOf,
  onChange,
}: {
  readonly label: TextName;
  readonly value: Value;
  readonly options: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly onChange: (value: Value) => void;
}) {
  const { say } = useTranslation();
  return (
    <label>
      {say(label)}
      <select value={value} onChange={({ currentTarget }) => onChange(options[currentTarget.selectedIndex] ?? value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {nameOf(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A number as text, with its unit. */
export function NumberField({
  name,
  label,
  unit,
  form: { draft, faults, change },
}: {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly form: FormParts;
}) {
  const translation = useTranslation();
  const id = useId();
  const fault = faults[name]?.(translation);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="unit-box">
        <input
          id={id}
          name={name}
          inputMode="decimal"
          autocomplete="off"
          value={draft.values[name] ?? ''}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-unit${fault ? ` ${id}-fault` : ''}`}
          onInput={({ currentTarget }) => change({ values: { ...draft.values, [name]: currentTarget.value } })}
        />
        <span class="unit" id={`${id}-unit`}>
          {unit}
        </span>
      </span>
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}

/** One number for each period, P1 first. */
export function PeriodFields({
  legend,
  unit,
  names,
  form,
}: {
  readonly legend: TextName;
  readonly unit: string;
  readonly names: readonly string[];
  readonly form: FormParts;
}) {
  const { say } = useTranslation();
  return (
    <fieldset>
      <legend>
        {say(legend)} <span class="note">({unit})</span>
      </legend>
      <div class="periods">
        {names.map((name, index) => (
          <NumberField key={name} name={name} label={`P${index + 1}`} unit={unit} form={form} />
        ))}
      </div>
    </fieldset>
  );
}
