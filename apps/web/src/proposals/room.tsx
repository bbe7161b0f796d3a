import type { RoomProps } from '../shell/lazy-room.tsx';
import { lacking, useTranslation } from '../texts/texts.ts';
import { ProposalList } from './proposal-list.tsx';
import { ProposalPage } from './proposal-page.tsx';

/** The proposals that were made, and one of them. */
export function Room({ session, isOpen, id, onReopen }: RoomProps) {
  const translation = useTranslation();
  if (!session) return null;
  if (!session.scopes.includes('offers:read')) return <p class="problem">{lacking(translation, 'offers:read')}</p>;
  return (
    <>
      {id !== null && <ProposalPage key={id} session={session} id={id} onReopen={onReopen} />}
      <div hidden={id !== null}>
        <ProposalList session={session} isOpen={isOpen && id === null} />
      </div>
    </>
  );
}
