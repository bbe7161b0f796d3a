import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TextName } from '../texts/texts.ts';

/** The rooms of the page by the part of their address behind `/app/`. */
export const ROOMS = {
  estudio: 'roomStudy',
  ofertas: 'roomOffers',
  cartera: 'roomPortfolio',
  propuestas: 'roomProposals',
  ajustes: 'roomSettings',
} as const satisfies Readonly<Record<string, TextName>>;
export type RoomName = keyof typeof ROOMS;

export interface Place {
  readonly room: RoomName;
  /** The record that is looked at; `null`: all of them. */
  readonly id: number | null;
}

const BASE = '/app/';

export const addressOf = ({ room, id }: Place): string => `${BASE}${room}${id === null ? '' : `/${id}`}`;

function placeHere(): Place {
  const [room = '', id = ''] = location.pathname.slice(BASE.length).split('/');
  // Any other address leads to the study.
  return room in ROOMS ? { room: room as RoomName, id: Number(id) || null } : { room: 'estudio', id: null };
}

/** Opens a place, to which the browser can come back. */
export function go(place: Place): void {
  history.pushState(null, '', addressOf(place));
  dispatchEvent(new PopStateEvent('popstate'));
  scrollTo(0, 0);
}

/** The place of the address. */
export function usePlace(): Place {
  const [place, setPlace] = useState(placeHere);
  useEffect(() => {
    const show = () => setPlace(placeHere());
    addEventListener('popstate', show);
    return () => removeEventListener('popstate', show);
  }, []);
  return place;
}

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
