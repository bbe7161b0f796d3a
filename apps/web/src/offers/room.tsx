import { useState } from 'preact/hooks';
import { WorkbookPanel } from '../office/workbook-panel.tsx';
import type { RoomProps } from '../shell/lazy-room.tsx';
import { useSession } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { OfferList } from './offer-list.tsx';
import { OfferPage } from './offer-page.tsx';

/** The offers of the account, and workbooks that change many of them. */
export function Room({ isOpen, id }: RoomProps) {
  const session = useSession();
  const translation = useTranslation();
  const { say } = translation;
  const [changes, setChanges] = useState(0);
  const [hasList, setHasList] = useState(false);
  const onChanged = () => setChanges((before) => before + 1);
  // Without a session no permission is reported missing, and the content of the page stays.
  const lacks = (scope: string) => session !== null && !session.scopes.includes(scope);
  const ofCatalog = session?.isBound ? [] : ['catalog:write'];
  const mayNotWrite = ['offers:write', ...ofCatalog].every(lacks);
  return (
    <>
      {session && id !== null && <OfferPage key={id} id={id} onSaved={onChanged} />}
      <div class="answers" hidden={id !== null}>
        {lacks('offers:read') ? (
          <p class="problem">{lacking(translation, 'offers:read')}</p>
        ) : (
          session && <OfferList changes={changes} isShown={isOpen && id === null} onSettled={() => setHasList(true)} />
        )}
        {/* The list would push it away from under a press. */}
        <section class="card panel" aria-labelledby="workbook-title" hidden={!hasList && !lacks('offers:read')}>
          <h2 id="workbook-title">{say('workbook')}</h2>
          {mayNotWrite && <p class="problem">{lacking(translation, 'offers:write')}</p>}
          <div hidden={mayNotWrite}>
            <WorkbookPanel isOpen={isOpen && !mayNotWrite} onApplied={onChanged} />
          </div>
        </section>
      </div>
    </>
  );
}
