import { useId } from 'preact/hooks';

/** A text with what is wrong with it. */
export function TextField({
  name,
  isDay = false,
  label,
  value,
  fault,
  onText,
}: {
  readonly name: string;
  readonly isDay?: boolean;
  readonly label: string;
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onText: (text: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(isDay && { type: 'date' })}
        id={id}
        name={name}
        value={value}
        autocomplete="off"
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <span class="fault" id={`${id}-fault`}>
        {fault}
      </span>
    </div>
  );
}
