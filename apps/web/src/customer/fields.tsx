import { Choice, TextField } from '../shell/form.tsx';
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

/** The choices of a draft whose options have texts of the page. */
type Chosen = 'holder' | 'panels' | 'green' | 'use' | 'rental';

/** One of them. */
export function DraftChoice<const Name extends Chosen>({
  name,
  label,
  value,
  options,
  form: { draft, change },
}: {
  readonly name: Name;
  readonly label: TextName;
  /** Where it is not that of the draft. */
  readonly value?: Draft[Name];
  readonly options: readonly Draft[Name][];
  readonly form: FormParts;
}) {
  const { say } = useTranslation();
  const choose = (chosen: Draft[Name]) => change({ [name]: chosen });
  return <Choice label={say(label)} value={value ?? draft[name]} options={options} onChoose={choose} />;
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
  return (
    <TextField
      {...{ name, label, unit }}
      inputMode="decimal"
      fault={faults[name]?.(useTranslation())}
      value={draft.values[name] ?? ''}
      onText={(text) => change({ values: { ...draft.values, [name]: text } })}
    />
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
