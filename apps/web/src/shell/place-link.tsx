import type { ComponentChildren } from 'preact';
import { addressOf, go, type Place } from './place.ts';

/** A link to a place of the page, which a press with a key such as Ctrl opens in another tab. */
export function PlaceLink({
  to,
  isHere = false,
  children,
}: {
  readonly to: Place;
  readonly isHere?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <a
      href={addressOf(to)}
      aria-current={isHere ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
