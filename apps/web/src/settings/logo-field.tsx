import { useId, useState } from 'preact/hooks';
import type { FieldState } from '../offers/use-offer-draft.ts';
import { FileDrop } from '../shell/files.tsx';
import { Press } from '../shell/form.tsx';
import { useTask } from '../shell/query.ts';
import { useTranslation } from '../texts/texts.ts';

/** The kinds and the bytes that the service takes. It looks into the content. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
const MAX_BYTES = 65_536;

/** The picture of a firm, as its proposals show it. */
export const Logo = ({ logo, name }: { readonly logo: string; readonly name: string }) => (
  <img class="logo" src={logo} alt={useTranslation().say('logoOf', { name })} />
);

/** The same with what changes it: a file that is dropped or chosen, or a press that removes it. */
export function LogoField({
  name,
  text,
  fault,
  conflict,
  onInput,
}: FieldState & {
  /** Of the firm. */
  readonly name: string;
}) {
  const { say } = useTranslation();
  const id = useId();
  const [refused, setRefused] = useState<'logoKind' | 'logoSize' | null>(null);
  const { error, run } = useTask();
  const choose = (file: File) => {
    const found = !TYPES.includes(file.type) ? 'logoKind' : file.size > MAX_BYTES ? 'logoSize' : null;
    setRefused(found);
    if (found === null) void run(async () => onInput(await dataUriOf(file)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would have a frame
    <div class="field" role="group" aria-labelledby={`${id}-name`} aria-describedby={`${id}-fault`}>
      <span id={`${id}-name`}>{say('logo')}</span>
      {text !== '' && (
        <p>
          <Logo logo={text} name={name} />{' '}
          <Press
            text="removeLogo"
            onPress={() => {
              setRefused(null);
              onInput('');
            }}
          />
        </p>
      )}
      <FileDrop label={say('dropLogo')} accept={TYPES.join()} onFile={choose} />
      <span class="fault" id={`${id}-fault`} role="status">
        {refused !== null
          ? say(refused)
          : error !== null
            ? say('unreadableFile')
            : (fault ?? (conflict && say('offerChanged')))}
      </span>
    </div>
  );
}

function dataUriOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
