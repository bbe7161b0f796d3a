import type { Session } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { CustomersPanel } from './customers-panel.tsx';
import { WorkbookPanel } from './workbook-panel.tsx';

/** The tab for many records: offers from a workbook, and customers from a table. */
export function OfficeTab({ session, isOpen }: { readonly session: Session | null; readonly isOpen: boolean }) {
  const translation = useTranslation();
  const { say } = translation;
  // Without a session no permission is reported missing, and the content of the page stays.
  const lacks = (scope: string) => session !== null && !session.scopes.includes(scope);
  const ofCatalog = session?.isBound ? [] : ['catalog:write'];
  const ofOffers = ['offers:write', ...ofCatalog].every(lacks);
  return (
    <div class="answers">
      <section class="card panel" aria-labelledby="workbook-title">
        <h2 id="workbook-title">{say('workbook')}</h2>
        {ofOffers && <p class="problem">{lacking(translation, 'offers:write')}</p>}
        <div hidden={ofOffers}>
          <WorkbookPanel session={session} isOpen={isOpen && !ofOffers} />
        </div>
      </section>
      <section class="card panel" aria-labelledby="customers-title">
        <h2 id="customers-title">{say('customers')}</h2>
        {lacks('offers:read') && <p class="problem">{lacking(translation, 'offers:read')}</p>}
        <div hidden={lacks('offers:read')}>
          <CustomersPanel session={session} />
        </div>
      </section>
    </div>
  );
}
