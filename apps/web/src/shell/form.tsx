import type { AllHTMLAttributes, ComponentChildren, RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { isText, type TextName, useTranslation } from '../texts/texts.ts';

/** What stands around a control. */
export interface Around {
  readonly label: ComponentChildren;
  readonly unit?: string | undefined;
  /** What is wrong with it. */
  readonly fault?: string | undefined;
  /** The name of its field where that is an offer's. */
  readonly wire?: string | undefined;
}

/** What else is said of a control, which has to fit its type. */
type Attributes<Own extends string> = Omit<AllHTMLAttributes, 'label' | 'children' | Own>;

/** A control with its label, its unit and what is wrong with it. */
export function Field({
  label,
  unit,
  fault,
  wire,
  children,
}: Around & { readonly children: (named: object) => ComponentChildren }) {
  const id = useId();
  const said = [...(unit ? [`${id}-unit`] : []), ...(fault ? [`${id}-fault`] : [])].join(' ');
  const control = children({ id, 'aria-invalid': Boolean(fault), ...(said && { 'aria-describedby': said }) });
  return (
    <div class="field" data-field={wire}>
      <label for={id}>{label}</label>
      {unit ? (
        <span class="unit-box">
          {control}
          <span class="unit" id={`${id}-unit`}>
            {unit}
          </span>
        </span>
      ) : (
        control
      )}
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}

/** A text, a number or a day that is typed. */
export function TextField({
  label,
  unit,
  fault,
  wire,
  onText,
  ...input
}: Around & { readonly onText: (text: string) => void } & Attributes<'onInput'>) {
  return (
    <Field {...{ label, unit, fault, wire }}>
      {(named) => (
        <input
          autocomplete="off"
          {...(input as object)}
          {...named}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** What may be chosen: a value that has a text of the page, or one with its text. */
export type Option<Value extends string> = Value | readonly [value: Value, text: ComponentChildren];

interface Choosing<Value extends string> {
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChoose: (value: Value) => void;
}
type Choosable<Value extends string> = Choosing<Value> & Attributes<keyof Choosing<Value>>;

/** A choice among options. */
export function Select<const Value extends string>({ value, options, onChoose, ...select }: Choosable<Value>) {
  const { say } = useTranslation();
  const all = options.map((one) => (typeof one === 'string' ? ([one, isText(one) ? say(one) : one] as const) : one));
  return (
    <select
      {...(select as object)}
      value={value}
      onChange={({ currentTarget }) => onChoose(all[currentTarget.selectedIndex]?.[0] ?? value)}
    >
      {all.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The same with its label. */
export function Choice<const Value extends string>({ label, unit, fault, wire, ...select }: Around & Choosable<Value>) {
  return <Field {...{ label, unit, fault, wire }}>{(named) => <Select {...select} {...named} />}</Field>;
}

/** Something that is on or off. */
export function Tick({
  isOn,
  onTurn,
  children,
  ...input
}: {
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
  readonly children: ComponentChildren;
} & Attributes<'checked'>) {
  return (
    <label class="tick">
      <input
        {...(input as object)}
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onTurn(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** Fields that are sent together; the page says itself what is wrong with them. */
export function Form({
  onSend,
  element,
  children,
  ...form
}: {
  readonly onSend: () => unknown;
  readonly element?: RefObject<HTMLFormElement | null>;
  readonly children: ComponentChildren;
  readonly id?: string;
  readonly class?: string;
}) {
  return (
    <form
      {...form}
      noValidate
      {...(element && { ref: element })}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
    </form>
  );
}

/** A button with its text; while it is busy it says so. */
export function Press({
  text,
  values,
  isBusy,
  onPress,
  ...button
}: {
  readonly text: TextName;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly isBusy?: boolean | undefined;
  readonly onPress?: (() => unknown) | undefined;
} & Attributes<'onClick'>) {
  const { say } = useTranslation();
  return (
    <button type="button" aria-disabled={isBusy} {...(button as object)} onClick={() => void onPress?.()}>
      {isBusy ? say('working') : say(text, values)}
    </button>
  );
}

/** A button that is on or off. */
export function Pressed({
  text,
  title,
  isOn,
  onPress,
}: {
  readonly text: TextName;
  readonly title?: TextName | undefined;
  readonly isOn: boolean;
  readonly onPress: () => void;
}) {
  const { say } = useTranslation();
  return <Press text={text} aria-pressed={isOn} title={title && say(title)} onPress={onPress} />;
}
