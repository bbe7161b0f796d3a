import type { ComponentChildren } from 'preact';
import { useTranslation } from '../texts/texts.ts';
import { Scroll } from './scroll.tsx';
import { type Heading, TableHead } from './table-head.tsx';

/** A table, which scrolls by itself where it is wider than the screen. Its children are its rows. */
export function Table({
  name,
  headings,
  kind,
  children,
}: {
  readonly name: string;
  readonly headings: readonly Heading[];
  readonly kind?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <Scroll name={name}>
      <table class={kind}>
        <TableHead headings={headings} />
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  );
}

/** Shows more of a list, a page each time; nothing once all of it is shown. */
export function ShowMore({
  shown,
  total,
  page,
  onMore,
}: {
  readonly shown: number;
  readonly total: number;
  readonly page: number;
  readonly onMore: () => void;
}) {
  const { say } = useTranslation();
  if (shown >= total) return null;
  return (
    <button type="button" onClick={onMore}>
      {say('showMore', { count: Math.min(page, total - shown) })}
    </button>
  );
}
