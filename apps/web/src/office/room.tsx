import type { RoomProps } from '../shell/lazy-room.tsx';
import { useSession } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { CustomersPanel } from './customers-panel.tsx';

/** Many customers, from a table. */
export function Room({ onReopen }: RoomProps) {
  const session = useSession();
  const translation = useTranslation();
  const mayNot = session !== null && !session.scopes.includes('offers:read');
  return (
    <section class="card panel" aria-labelledby="customers-title">
      <h2 id="customers-title">{translation.say('customers')}</h2>
      {mayNot && <p class="problem">{lacking(translation, 'offers:read')}</p>}
      <div hidden={mayNot}>
        <CustomersPanel onReopen={onReopen} />
      </div>
    </section>
  );
}
