import type { RoomProps } from '../shell/lazy-room.tsx';
import { useSession } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { ProposalList } from './proposal-list.tsx';
import { ProposalPage } from './proposal-page.tsx';
import { StudyList } from './study-list.tsx';

/** The proposals that were made, one of them, and the studies of the last days. */
export function Room({ isOpen, id, onReopen }: RoomProps) {
  const session = useSession();
  const translation = useTranslation();
  if (!session) return null;
  if (!session.scopes.includes('offers:read')) return <p class="problem">{lacking(translation, 'offers:read')}</p>;
  return (
    <>
      {id !== null && <ProposalPage key={id} id={id} onReopen={onReopen} />}
      <div class="answers" hidden={id !== null}>
        <ProposalList isOpen={isOpen && id === null} />
        <StudyList isOpen={isOpen && id === null} onReopen={onReopen} />
      </div>
    </>
  );
}
