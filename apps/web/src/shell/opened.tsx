import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Details that exist while they are open: what they ask for is asked then. */
export function Opened({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && children}
    </details>
  );
}
