import type { BulkReport, Upload } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { FileDrop, saveFile } from '../shell/file-drop.tsx';
import { Problem } from '../shell/problem.tsx';
import { Scroll } from '../shell/scroll.tsx';
import type { Session } from '../shell/session.ts';
import { TableHead } from '../shell/table-head.tsx';
import { type Speech, type TextName, useSpeech } from '../texts/texts.ts';
import { DiffTable } from './diff-table.tsx';
import { isEnded, type Owner, type RowFault, useWorkbook } from './use-workbook.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const COUNTS: readonly (readonly [keyof Counts, TextName])[] = [
  ['created', 'countCreated'],
  ['replaced', 'countReplaced'],
  ['deactivated', 'countDeactivated'],
  ['companies_created', 'countCompanies'],
  ['prices_upserted', 'countMonths'],
  ['tiers_replaced', 'countTiers'],
];

/** What the service says, in either language, of a cell that somebody else has changed. */
const STALE = /(since the template was made|desde que se hizo la plantilla)/;

type Counts = Pick<
  BulkReport,
  'created' | 'replaced' | 'deactivated' | 'companies_created' | 'prices_upserted' | 'tiers_replaced'
>;

/** Offers from a workbook: what it would change, then the change. */
export function WorkbookPanel({ session }: { readonly session: Session | null }) {
  const { say, number } = useSpeech();
  const { work, choose, check, apply, cancel } = useWorkbook(session);
  const [owner, setOwner] = useState<Owner>('own');
  const { chosen, report, upload, sent, rows, error, isBusy } = work;
  const may = (scope: string) => session?.scopes.includes(scope) ?? false;
  const mayBoth = may('offers:write') && may('catalog:write') && !session?.isBound;
  const now: Owner = mayBoth || session === null ? owner : may('offers:write') ? 'own' : 'catalog';
  const isWaiting = upload !== null && !isEnded(upload);
  return (
    <>
      {mayBoth && (
        <label class="narrow">
          {say('whoseOffers')}
          <select
            value={owner}
            disabled={isBusy}
            onChange={({ currentTarget }) => setOwner(currentTarget.value === 'catalog' ? 'catalog' : 'own')}
          >
            <option value="own">{say('ownOffers')}</option>
            <option value="catalog">{say('catalogOffers')}</option>
          </select>
        </label>
      )}
      <FileDrop
        label={say('dropWorkbook')}
        accept={`.xlsx,${XLSX}`}
        isBusy={isBusy}
        onFile={(file) => void choose(file, now)}
      />
      {session && may('offers:write') && may('commissions:read') && <Template session={session} />}
      {chosen && (
        <p role="status">
          <strong>{chosen.file.name}</strong>{' '}
          {isBusy && !isWaiting && (sent ? say('sentOf', percentOf(sent, number)) : say('working'))}
          {isWaiting && say(upload.status === 'pending' ? 'uploadPending' : 'uploadProcessing')}
          {isBusy && sent && <progress max={sent.total} value={sent.sent} aria-label={chosen.file.name} />}
        </p>
      )}
      {isWaiting && upload.status === 'pending' && (
        <button type="button" onClick={cancel}>
          {say('cancel')}
        </button>
      )}
      {rows && <RowFaults faults={rows.faults} count={rows.count} />}
      {error !== null && <Problem error={error} onRetry={chosen ? (report ? apply : check) : undefined} />}
      {upload && isEnded(upload) && <Outcome upload={upload} />}
      {report && <Changes report={report} seesTiers={may('commissions:read')} />}
      {report && !upload && !rows && (
        <button type="button" class="main" disabled={isBusy || report.diff_count === 0} onClick={() => void apply()}>
          {say('applyWorkbook')}
        </button>
      )}
      {chosen && !isBusy && (rows || upload) && upload?.status !== 'completed' && (
        <button type="button" onClick={() => void check()}>
          {say('checkAgain')}
        </button>
      )}
    </>
  );
}

function percentOf({ sent, total }: { readonly sent: number; readonly total: number }, number: Speech['number']) {
  return { percent: number((100 * sent) / Math.max(1, total)) };
}

function Template({ session }: { readonly session: Session }) {
  const { say } = useSpeech();
  const [error, setError] = useState<unknown>(null);
  const load = async () => {
    try {
      const bytes = await session.api.bulkTemplateOffers();
      saveFile('ofertas.xlsx', XLSX, [new Uint8Array(bytes)]);
      setError(null);
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <>
      <button type="button" class="plain" onClick={() => void load()}>
        {say('template')}
      </button>
      {error !== null && <Problem error={error} />}
    </>
  );
}

/** What is wrong, by sheet, row and column, and what to do about it. */
function RowFaults({ faults, count }: { readonly faults: readonly RowFault[]; readonly count: number }) {
  const { say } = useSpeech();
  return (
    <div class="problem" role="alert">
      <p>{say('workbookWrong', { count })}</p>
      <Scroll name={say('fault')}>
        <table>
          <TableHead headings={[[say('sheet')], [say('rowNumber'), 'n'], [say('column')], [say('fault')]]} />
          <tbody>
            {faults.map(({ sheet, row, error }, index) => {
              const [, column = '', message = error] = /^(\w+): (.*)$/s.exec(error) ?? [];
              return (
                <tr key={index}>
                  <td>{sheet}</td>
                  <td class="n">{row}</td>
                  <td>
                    <code>{column}</code>
                  </td>
                  <td>
                    {message}
                    {STALE.test(message) && <small>{say('staleAdvice')}</small>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {count > faults.length && <p>{say('firstOf', { count: faults.length })}</p>}
    </div>
  );
}

function Outcome({ upload: { status, result, error } }: { readonly upload: Upload }) {
  const { say } = useSpeech();
  if (status === 'cancelled') return <p role="status">{say('uploadCancelled')}</p>;
  if (result) {
    return (
      <div class="done" role="status">
        <p>{say('uploadDone')}</p>
        <CountList counts={result} warnings={result.warnings} />
      </div>
    );
  }
  if (error?.errors) return null;
  return (
    <p class="problem" role="alert">
      {say('uploadFailed', { message: error?.message ?? '' })}
    </p>
  );
}

function Changes({ report, seesTiers }: { readonly report: BulkReport; readonly seesTiers: boolean }) {
  const { say } = useSpeech();
  const { diff = [], diff_count: count = 0, warnings } = report;
  return (
    <div>
      <h3>{say('diff')}</h3>
      <CountList counts={{ ...report, tiers_replaced: seesTiers ? report.tiers_replaced : null }} warnings={warnings} />
      {count === 0 ? <p>{say('noDiff')}</p> : <DiffTable entries={diff} />}
      {count > diff.length && <p class="note">{say('diffMore', { count, shown: diff.length })}</p>}
    </div>
  );
}

function CountList({
  counts,
  warnings,
}: {
  readonly counts: { readonly [Name in keyof Counts]: number | null };
  readonly warnings: BulkReport['warnings'];
}) {
  const { say } = useSpeech();
  return (
    <ul>
      {COUNTS.map(
        ([name, text]) => (counts[name] ?? 0) > 0 && <li key={name}>{say(text, { count: counts[name] ?? 0 })}</li>,
      )}
      {warnings.map(({ code, message, sheet, rows }) => (
        <li key={code + sheet} class="warning">
          {message} ({sheet}
          {rows.length > 0 && `: ${rows.slice(0, 10).join(', ')}`})
        </li>
      ))}
    </ul>
  );
}
