import type { PortfolioAnswer } from '@tarifario/client';
import { useMemo, useState } from 'preact/hooks';
import { FileDrop, saveFile } from '../shell/file-drop.tsx';
import { Problem } from '../shell/problem.tsx';
import { Scroll } from '../shell/scroll.tsx';
import type { Session } from '../shell/session.ts';
import { TableHead } from '../shell/table-head.tsx';
import { useLeaveQuestion } from '../shell/use-leave-question.ts';
import { noticeText } from '../texts/notices.ts';
import { type Translation, useTranslation } from '../texts/texts.ts';
import { type CustomerRecord, inOrder, savingOf, useCustomers } from './use-customers.ts';

type Answered = Extract<CustomerRecord, PortfolioAnswer>;

/** The number of rows that a table shows first, and adds each time. */
const PAGE = 100;
const CSV = 'text/csv;charset=utf-8';
/** As a spreadsheet in the language reads and writes it. */
const SEPARATORS = { es: ';', en: ',' } as const;

/** Customers from a table, with the saving of each. */
export function CustomersPanel({ session }: { readonly session: Session | null }) {
  const { say, language } = useTranslation();
  const { work, choose, stop, goOn } = useCustomers(session);
  const { fileName, customers, records, isBusy, error, tableFault } = work;
  const isRead = customers.length > 0;
  useLeaveQuestion(isRead);
  const rest = customers.length - records.length;
  const saveExample = async () => {
    const { writeExample } = await import('./customer-files.ts');
    saveFile('clientes.csv', CSV, [writeExample(SEPARATORS[language])]);
  };
  return (
    <>
      <FileDrop label={say('dropCustomers')} accept=".csv,text/csv" onFile={(file) => void choose(file)} />
      <button type="button" class="plain" onClick={() => void saveExample()}>
        {say('customersExample')}
      </button>
      {fileName !== '' && (
        <p role="status">
          <strong>{fileName}</strong>{' '}
          {isRead ? say('rankedOf', { done: records.length, total: customers.length }) : isBusy && say('working')}
          {isRead && <progress max={customers.length} value={records.length} aria-label={fileName} />}
        </p>
      )}
      {!isRead && !isBusy && fileName !== '' && error === null && tableFault === null && <p>{say('noCustomers')}</p>}
      {tableFault !== null && (
        <p class="problem" role="alert">
          {tableFault === 'notUtf8'
            ? say('notUtf8')
            : say('tableFault', {
                ...{ line: tableFault.line, column: tableFault.column },
                fault: tableFault.fault[language],
              })}
        </p>
      )}
      {isBusy && isRead && (
        <button type="button" onClick={stop}>
          {say('stopRanking')}
        </button>
      )}
      {error !== null && <Problem error={error} onRetry={isRead ? goOn : undefined} />}
      {!isBusy && error === null && rest > 0 && (
        <button type="button" onClick={goOn}>
          {say('goOn')}
        </button>
      )}
      {records.length > 0 && (
        <Records records={records} seesCommissions={session?.scopes.includes('commissions:read') ?? false} />
      )}
    </>
  );
}

function Records({
  records,
  seesCommissions,
}: {
  readonly records: readonly CustomerRecord[];
  readonly seesCommissions: boolean;
}) {
  const { say, eur, language } = useTranslation();
  const [count, setCount] = useState(PAGE);
  const ordered = useMemo(() => inOrder(records), [records]);
  const answered = ordered.filter((record): record is Answered => !('error' in record));
  const refused = ordered.filter((record) => 'error' in record);
  const saved = answered.reduce((sum, record) => sum + Math.max(0, savingOf(record) ?? 0), 0);
  const download = async () => {
    const { writeRecords } = await import('./customer-files.ts');
    const separator = SEPARATORS[language];
    saveFile('clientes-ofertas.csv', CSV, [writeRecords(ordered, { separator, seesCommissions })]);
  };
  return (
    <>
      <p>
        {saved > 0 && say('savingSum', { eur: eur(saved) })}{' '}
        <button type="button" onClick={() => void download()}>
          {say('downloadCsv')}
        </button>
      </p>
      {refused.length > 0 && <Refused records={refused} />}
      {answered.length > 0 && <Answers records={answered.slice(0, count)} />}
      {answered.length > count && (
        <button type="button" onClick={() => setCount(count + PAGE)}>
          {say('showMore', { count: Math.min(PAGE, answered.length - count) })}
        </button>
      )}
    </>
  );
}

function Refused({ records }: { readonly records: readonly CustomerRecord[] }) {
  const { say } = useTranslation();
  return (
    <details class="problem" open={records.length <= 10}>
      <summary>{say('failingRows', { count: records.length })}</summary>
      <ul>
        {records.slice(0, 10 * PAGE).map((record) => (
          <li key={record.line}>
            {say('line')} {record.line}
            {record.ref !== null && ` (${record.ref})`}:{' '}
            {'error' in record && (record.error.errors ? '' : record.error.message)}
            {'error' in record &&
              record.error.errors?.map((one) => (
                <span key={one.error}>
                  {'path' in one && <code>{one.path}</code>} {one.error}{' '}
                </span>
              ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Answers({ records }: { readonly records: readonly Answered[] }) {
  const translation = useTranslation();
  const { say } = translation;
  const seesCommissions = records.some(({ best }) => best[0]?.commission);
  return (
    <Scroll name={say('bestOffer')}>
      <table class="customers">
        <TableHead
          headings={[
            [say('customerRef')],
            [`${say('saving')} €`, 'n'],
            ['%', 'n'],
            [say('bestOffer')],
            [`${say('today')} €`, 'n'],
            [`${say('total')} €`, 'n'],
            ...(seesCommissions ? [[`${say('commission')} €`, 'n'] as const] : []),
            [say('notices')],
          ]}
        />
        <tbody>
          {records.map((record) => (
            <Row key={record.line} {...{ record, seesCommissions, translation }} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({
  record: { line, ref, best, actual, avisos, peajes_parecidos = [] },
  seesCommissions,
  translation: { say, eur, number, language },
}: {
  readonly record: Answered;
  readonly seesCommissions: boolean;
  readonly translation: Translation;
}) {
  const [offer] = best;
  const saving = offer?.ahorro ?? null;
  const bill = offer?.factura_estimada;
  const savedEur = (bill ? saving?.factura : saving?.eur) ?? null;
  const percent = (bill ? saving?.factura_porcentaje : saving?.porcentaje) ?? null;
  // The bill of today is what is saved on the bill, and the bill itself.
  const todayEur = bill ? (savedEur === null ? null : bill.total + savedEur) : (actual?.cost?.total ?? null);
  return (
    <tr data-line={line}>
      <th scope="row">
        {ref}
        <small>
          {say('line')} {line}
        </small>
      </th>
      <td class={`n strong ${(savedEur ?? 0) >= 0 ? 'good' : 'bad'}`}>{eur(savedEur)}</td>
      <td class="n">{percent === null ? '–' : number(percent, 1)}</td>
      <td>
        {offer?.offer_name ?? say('noOffer')}
        <small>{offer?.company_name}</small>
      </td>
      <td class="n">{eur(todayEur)}</td>
      <td class="n strong">
        {eur(bill?.total ?? offer?.cost.total ?? null)}
        {offer && <small>{say(bill ? 'afterTaxes' : 'beforeTaxes')}</small>}
      </td>
      {seesCommissions && <td class="n">{eur(offer?.commission?.total ?? null)}</td>}
      <td>
        {avisos.length > 0 && (
          <details>
            <summary>{avisos.length}</summary>
            {avisos.map((code) => (
              <small key={code}>{noticeText(code, language, { said: peajes_parecidos.join(', ') }) ?? code}</small>
            ))}
          </details>
        )}
      </td>
    </tr>
  );
}
