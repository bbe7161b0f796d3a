import { TarifarioError } from '@tarifario/client';
import { useEffect, useState } from 'preact/hooks';
import { customerId } from '../customer/recent.ts';
import type { Dispatch, Study } from '../customer/study.ts';
import { Form, Tick } from '../shell/form.tsx';
import { usePlace } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { useTask } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import { ProposalSheet } from './proposal-sheet.tsx';
import type { Proposed } from './proposed.ts';

/** A proposal that was made, and which version of it. */
interface Made {
  readonly content: string;
  readonly comisiones: boolean;
  readonly id: number;
  readonly html: string;
  /** The proposed offers that cost other than the answer said: a price has changed between. */
  readonly changed: readonly { readonly name: string; readonly before: number; readonly now: number }[];
}

const isGone = (fault: unknown) => fault instanceof TarifarioError && fault.code === 'not_found';

/** The id of the form, which the choice sends. */
export const PROPOSAL_FORM = 'proposal';

/** The same offers are proposed; what they cost may be other by now. */
const COSTS = 'pagina.offer_id,pagina.offer_name,pagina.cost.total';

/** A proposal of the chosen offers. It is stored with a proof, shown, and printed from its frame. */
export function ProposalForm({
  proposed: { request, offerIds, seen },
  seesCommissions,
  leftOut,
  isStale,
  noted: { ref, comment, opened },
  dispatch,
}: {
  readonly proposed: Proposed;
  readonly seesCommissions: boolean;
  /** Names of chosen offers that a proposal cannot have. */
  readonly leftOut: readonly string[];
  /** The form has another question by now. */
  readonly isStale: boolean;
  readonly noted: Pick<Study, 'ref' | 'comment' | 'opened'>;
  readonly dispatch: Dispatch;
}) {
  const { api, reach } = useOpenSession();
  const { say, eur } = useTranslation();
  const [withCommissions, setWithCommissions] = useState(false);
  const { isBusy, error, run } = useTask();
  const [made, setMade] = useState<Made | null>(null);
  const [addressed, setAddressed] = useState({ content: '', name: '' });
  const nota = comment.trim();
  const body = { request, offer_ids: [...offerIds], ...(nota && { nota }), ...(ref.trim() && { ref: ref.trim() }) };
  const content = JSON.stringify([reach, customerId(opened.order), body, seen]);
  const comisiones = seesCommissions && withCommissions;
  // The same thing of one customer is one proposal, in both versions; another one, where that was deleted.
  const madeAs = async (name: string): Promise<Made> => {
    const { id } = await api.createProposal({ body }, { idempotencyKey: nameOf(name) });
    const html = await api.getProposalPage({ id, comisiones }).catch((fault: unknown) => {
      if (isGone(fault)) return null;
      throw fault;
    });
    if (html === null) return madeAs(`${name} ${id}`);
    const { pagina } = await api.getProposal({ id, fields: COSTS });
    const costs = new Map(seen.map(([offerId, eur]) => [offerId, eur]));
    const changed = pagina.flatMap(({ offer_id, offer_name, cost }) => {
      const before = costs.get(offer_id);
      const isSame = before === undefined || before === cost.total || !offerIds.includes(offer_id);
      return isSame ? [] : [{ name: offer_name, before, now: cost.total }];
    });
    return { content, comisiones, id, html, changed };
  };
  const { room } = usePlace();
  useEffect(() => {
    // A proposal that was deleted in its room is not there to be printed.
    if (room !== 'estudio' || made === null) return;
    api.getProposal({ id: made.id, fields: 'id' }).catch((fault: unknown) => isGone(fault) && setMade(null));
  }, [room]);
  const make = () => run(async () => setMade(await madeAs(content)));
  // A sheet of anything else is not there to be printed, nor to be seen by the customer.
  const sheet = !isStale && made?.content === content && made.comisiones === comisiones ? made : null;
  return (
    <Form id={PROPOSAL_FORM} class="proposal" onSend={make}>
      <label>
        {say('proposalNote')}
        <textarea
          rows={2}
          value={comment}
          onInput={({ currentTarget }) => dispatch({ name: 'commented', comment: currentTarget.value })}
        />
      </label>
      {seesCommissions && (
        <Tick isOn={withCommissions} onTurn={setWithCommissions}>
          {say('proposalCommissions')}
        </Tick>
      )}
      {leftOut.length > 0 && (
        <p class="problem">{say('proposalFirst', { count: request.limit, names: leftOut.join(', ') })}</p>
      )}
      {isBusy && <p role="status">{say('working')}</p>}
      {error !== null && <Problem error={error} onRetry={make} />}
      {sheet && sheet.changed.length > 0 && (
        <p class="problem" role="status">
          {say('proposalChanged', {
            changes: sheet.changed
              .map(({ name, before, now }) => `${name}: ${eur(before)} → ${eur(now)} €`)
              .join(' · '),
          })}
        </p>
      )}
      {sheet && (
        <ProposalSheet
          {...sheet}
          addressee={addressed.content === content ? addressed.name : ''}
          onAddressee={(name) => setAddressed({ content, name })}
        />
      )}
    </Form>
  );
}

/** Constants of FNV-1a, with another beginning for each part of the name. */
const [PRIME, BEGINNINGS] = [0x01000193, [0x811c9dc5, 0x1b873593, 0x9e3779b9, 0x85ebca6b]] as const;

/**
 * A name of a content, the same for the same: pages without TLS have no digest. Where two contents had one name, the
 * service would refuse the second.
 */
export function nameOf(content: string): string {
  const parts = BEGINNINGS.map((beginning) => {
    let hash: number = beginning;
    for (let at = 0; at < content.length; at++) hash = Math.imul(hash ^ content.charCodeAt(at), PRIME);
    return (hash >>> 0).toString(16).padStart(8, '0');
  });
  return parts.join('');
}
