import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';

/** A step of a study. It folds to a line, and what it has stays. */
export function Step({
  name,
  line,
  onFold,
  children,
}: {
  readonly name: string;
  /** What it says in a line. */
  readonly line: string;
  readonly onFold?: (isFolded: boolean) => void;
  readonly children: ComponentChildren;
}) {
  const { say } = useTranslation();
  const [isFolded, setFolded] = useState(false);
  const fold = () => {
    setFolded(!isFolded);
    onFold?.(!isFolded);
  };
  return (
    <div class="step">
      <p class={isFolded ? 'card fold' : 'fold'}>
        {isFolded && (
          <span>
            <b>{name}</b> {line}
          </span>
        )}
        <button type="button" class="plain" aria-expanded={!isFolded} onClick={fold}>
          {isFolded ? say('edit') : say('fold', { name })}
        </button>
      </p>
      <div class="answers" hidden={isFolded}>
        {children}
      </div>
    </div>
  );
}
