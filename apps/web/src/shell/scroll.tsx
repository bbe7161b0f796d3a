import type { ComponentChildren } from 'preact';

/** Content that may be wider than the screen. It scrolls by itself, also by keyboard. */
export function Scroll({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard (WCAG 2.1.1)
    <section class="scroll" tabIndex={0} aria-label={name}>
      {children}
    </section>
  );
}
