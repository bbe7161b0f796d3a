import type { ProposalEntry } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { PlaceLink } from '../shell/place-link.tsx';
import { Problem } from '../shell/problem.tsx';
import { Scroll } from '../shell/scroll.tsx';
import type { Session } from '../shell/session.ts';
import { TableHead } from '../shell/table-head.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { useVisits } from '../shell/use-visits.ts';
import { useTranslation } from '../texts/texts.ts';

const PAGE = 50;

/** The proposals that the key may see, the newest first. */
export function ProposalList({ session, isOpen }: { readonly session: Session; readonly isOpen: boolean }) {
  const { say, time } = useTranslation();
  const [count, setCount] = useState(PAGE);
  const visits = useVisits(isOpen);
  const { answer, error, retry } = useAnswer([session.reach, visits, count], (signal) =>
    newest(session, count, signal),
  );
  return (
    <section class="card panel" aria-labelledby="proposals-title">
      <h2 id="proposals-title">{say('proposalsTitle')}</h2>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer?.total === 0 && <p>{say('noProposals')}</p>}
      {answer && answer.results.length > 0 && (
        <Scroll name={say('tableOfProposals')}>
          <table>
            <TableHead headings={[[say('proposal')], [say('comment')], [say('madeAt')], [say('proof')]]} />
            <tbody>
              {answer.results.map(({ id, nota, created_at, sha256 }) => (
                <tr key={id} data-proposal={id}>
                  <th scope="row">
                    <PlaceLink to={{ room: 'propuestas', id }}>{say('proposalMade', { id })}</PlaceLink>
                  </th>
                  <td>
                    <span class="few-lines">{nota}</span>
                  </td>
                  <td>{time(created_at)}</td>
                  <td>
                    <code>{sha256.slice(0, 16)}…</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {answer && answer.results.length < answer.total && (
        <button type="button" onClick={() => setCount(count + PAGE)}>
          {say('showMore', { count: Math.min(PAGE, answer.total - answer.results.length) })}
        </button>
      )}
    </section>
  );
}

/** The service lists the oldest first. */
async function newest({ api }: Session, count: number, signal: AbortSignal) {
  const { total } = await api.listProposals({ limit: 1 }, { signal });
  const results: ProposalEntry[] = [];
  const first = Math.max(0, total - count);
  for await (const one of api.listProposals({ limit: PAGE, offset: first }, { signal })) results.push(one);
  return { total, results: results.toReversed() };
}
