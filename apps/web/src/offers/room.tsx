import { WorkbookPanel } from '../office/workbook-panel.tsx';
import type { RoomProps } from '../shell/lazy-room.tsx';
import { lacking, useTranslation } from '../texts/texts.ts';

/** The offers of the account, and workbooks that change many of them. */
export function Room({ session, isOpen }: RoomProps) {
  const translation = useTranslation();
  const { say } = translation;
  // Without a session no permission is reported missing, and the content of the page stays.
  const lacks = (scope: string) => session !== null && !session.scopes.includes(scope);
  const ofCatalog = session?.isBound ? [] : ['catalog:write'];
  const mayNotWrite = ['offers:write', ...ofCatalog].every(lacks);
  return (
    <div class="answers">
      <section class="card panel" aria-labelledby="workbook-title">
        <h2 id="workbook-title">{say('workbook')}</h2>
        {mayNotWrite && <p class="problem">{lacking(translation, 'offers:write')}</p>}
        <div hidden={mayNotWrite}>
          <WorkbookPanel session={session} isOpen={isOpen && !mayNotWrite} />
        </div>
      </section>
    </div>
  );
}
