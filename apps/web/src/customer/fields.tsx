import { Choice, TextField } from '../shell/form.tsx';
import { isText, type TextName, useTranslation } from '../texts/texts.ts';
import {
  type Draft,
  type Faults,
  GREEN,
  HOLDERS,
  NUMBERS,
  OF_PERIODS,
  PANELS,
  periodsIn,
  RENTALS,
  rentalOf,
  USES,
} from './draft.ts';
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

/** The choices of a draft: label, and options, which have texts of the page. */
const CHOICES = {
  holder: ['holder', () => HOLDERS],
  panels: ['panels', () => PANELS],
  green: ['energia_verde', () => GREEN],
  use: ['use', () => USES],
  rental: ['rental', ({ supply }) => RENTALS[supply]],
} as const satisfies { [Name in keyof Draft]?: readonly [TextName, (draft: Draft) => readonly Draft[Name][]] };

/** One of them. */
export function DraftChoice({
  name,
  form: { draft, change },
}: {
  readonly name: keyof typeof CHOICES;
  readonly form: FormParts;
}) {
  const [label, optionsOf] = CHOICES[name];
  const value = name === 'rental' ? rentalOf(draft) : draft[name];
  const choose = (chosen: string) => change({ [name]: chosen });
  return <Choice label={useTranslation().say(label)} value={value} options={optionsOf(draft)} onChoose={choose} />;
}

/** Of these numbers those that the draft has. */
export function Numbers({ names, form }: { readonly names: readonly string[]; readonly form: FormParts }) {
  return names.map((name) => {
    const [label, unit, isOf] = NUMBERS[name] ?? [];
    return label && unit && isOf?.(form.draft) && <NumberField key={name} {...{ name, label, unit, form }} />;
  });
}

/** A number as text, with its unit. */
function NumberField({
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
  const words = (text: string) => (isText(text) ? translation.say(text) : text);
  return (
    <TextField
      {...{ name, label: words(label), unit: words(unit) }}
      inputMode="decimal"
      fault={faults[name]?.(translation)}
      value={draft.values[name] ?? ''}
      onText={(text) => change({ values: { ...draft.values, [name]: text } })}
    />
  );
}

/** One number for each period that the draft has, P1 first. */
export function PeriodFields({ of, form }: { readonly of: keyof typeof OF_PERIODS; readonly form: FormParts }) {
  const { say } = useTranslation();
  const names = periodsIn(form.draft, of);
  const [, unit] = OF_PERIODS[of];
  if (names.length === 0) return null;
  return (
    <fieldset>
      <legend>
        {say(of)} <span class="note">({unit})</span>
      </legend>
      <div class="periods">
        {names.map((name, index) => (
          <NumberField key={name} label={`P${index + 1}`} {...{ name, unit, form }} />
        ))}
      </div>
    </fieldset>
  );
}
