import type { ComponentChild } from 'preact';
import { useRef } from 'preact/hooks';
import { type TextName, useTranslation } from '../texts/texts.ts';

export interface Tab {
  readonly name: TextName;
  readonly content: ComponentChild;
}

/** Tabs as screen readers expect them: arrow keys move between them, and hidden tabs keep their content. */
export function Tabs({
  tabs,
  open,
  onOpen,
}: {
  readonly tabs: readonly Tab[];
  readonly open: TextName;
  readonly onOpen: (name: TextName) => void;
}) {
  const { say } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const move = (step: number) => {
    const at = tabs.findIndex(({ name }) => name === open);
    const next = (at + step + tabs.length) % tabs.length;
    onOpen(tabs[next]?.name ?? open);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={say('sections')} ref={list}>
        {tabs.map(({ name }) => (
          <button
            type="button"
            key={name}
            role="tab"
            id={`tab-${name}`}
            aria-controls={`panel-${name}`}
            aria-selected={name === open}
            tabIndex={name === open ? 0 : -1}
            onClick={() => onOpen(name)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') move(1);
              if (key === 'ArrowLeft') move(-1);
            }}
          >
            {say(name)}
          </button>
        ))}
      </div>
      {tabs.map(({ name, content }) => (
        <div key={name} role="tabpanel" id={`panel-${name}`} aria-labelledby={`tab-${name}`} hidden={name !== open}>
          {content}
        </div>
      ))}
    </>
  );
}
