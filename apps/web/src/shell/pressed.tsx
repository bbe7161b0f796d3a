import { type TextName, useTranslation } from '../texts/texts.ts';

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
  return (
    <button type="button" aria-pressed={isOn} title={title && say(title)} onClick={onPress}>
      {say(text)}
    </button>
  );
}
