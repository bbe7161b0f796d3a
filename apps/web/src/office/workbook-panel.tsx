import { type BulkReport, TarifarioError, type Upload } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { FileDrop, saveFile } from '../shell/files.tsx';
import { Choice, Press } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { useTask } from '../shell/query.ts';
import { useOpenSession, useSession } from '../shell/session.ts';
import { Table } from '../shell/table.tsx';
import { type TextName, type Translation, useTranslation } from '../texts/texts.ts';
import { DiffTable } from './diff-table.tsx';
import { LastUploads } from './last-uploads.tsx';
import { type Owner, type RowFault, useWorkbook } from './use-workbook.ts';

const COUNTS: readonly (readonly [keyof Counts, TextName])[] = [
  ['created', 'countCreated'],
  ['replaced', 'countReplaced'],
  ['deactivated', 'countDeactivated'],
  ['companies_created', 'countCompanies'],
  ['prices_upserted', 'countMonths'],
  ['tiers_replaced', 'countTiers'],
];

type Counts = Pick<
  BulkReport,
  'created' | 'replaced' | 'deactivated' | 'companies_created' | 'prices_upserted' | 'tiers_replaced'
>;

/** Offers from a workbook: what it would change, then the change. */
export function WorkbookPanel({ isOpen, onApplied }: { readonly isOpen: boolean; readonly onApplied: () => void }) {
  const session = useSession();
  const { say, number } = useTranslation();
  const { work, check, apply, open } = useWorkbook(session, onApplied);
  const [owner, setOwner] = useState<Owner>('own');
  const { chosen, report, upload, sent, rows, error, isBusy } = work;
  const may = (scope: string) => session?.scopes.includes(scope) ?? false;
  const mayBoth = may('offers:write') && may('catalog:write') && !session?.isBound;
  const now: Owner = mayBoth || session === null ? owner : may('offers:write') ? 'own' : 'catalog';
  const fileName = chosen?.name ?? upload?.file_name;
  const checkAgain = () => chosen && void check(chosen, now);
  const refusal = error instanceof TarifarioError ? error : null;
  // The file would no longer do what is shown, or is no longer kept.
  const isStale = refusal?.code === 'wrong_state';
  // The same bytes cannot be read the next time either.
  const isUnreadable = refusal?.status === 400;
  const choose = (next: Owner) => {
    if (isBusy) return;
    setOwner(next);
    if (chosen && upload?.status !== 'completed') void check(chosen, next);
  };
  return (
    <>
      {mayBoth && (
        <div class="narrow">
          <Choice
            label={say('roomOffers')}
            value={owner}
            options={[
              ['own', say('ownOffers')],
              ['catalog', say('catalogOffers')],
            ]}
            aria-disabled={isBusy}
            onChoose={choose}
          />
        </div>
      )}
      <FileDrop
        label={say('dropWorkbook')}
        accept={`.xlsx,${XLSX_TYPE}`}
        isBusy={isBusy}
        onFile={(file) => void check(file, now)}
      />
      {session && <Templates owner={now} />}
      {fileName !== undefined && (
        <p role="status">
          <strong>{fileName}</strong>{' '}
          {isBusy && (sent ? say('sentOf', percentOf(sent, number)) : say(report ? 'uploadProcessing' : 'working'))}
          {isBusy && sent && <progress max={sent.total} value={sent.sent} aria-label={fileName} />}
        </p>
      )}
      {rows && <RowFaults faults={rows.faults} count={rows.count} />}
      {error !== null && (
        <Problem
          error={error}
          onRetry={isUnreadable || isStale ? undefined : report ? () => void apply() : chosen ? checkAgain : undefined}
        />
      )}
      {upload && <Outcome upload={upload} />}
      {report && <Changes report={report} seesTiers={may('commissions:read')} />}
      {report && report.diff_count !== 0 && !upload && !rows && !isStale && (
        <Press text="applyWorkbook" class="main apply" aria-disabled={isBusy} onPress={() => void apply()} />
      )}
      {chosen && !isBusy && (rows || upload || isStale) && upload?.status !== 'completed' && (
        <Press text="checkAgain" onPress={checkAgain} />
      )}
      {session && isOpen && <LastUploads current={upload} isBusy={isBusy} onOpen={open} />}
    </>
  );
}

function percentOf({ sent, total }: { readonly sent: number; readonly total: number }, number: Translation['number']) {
  return { percent: number((100 * sent) / Math.max(1, total)) };
}

/** The errors, by sheet, row and column, and what to do about them. */
function RowFaults({ faults, count }: { readonly faults: readonly RowFault[]; readonly count: number }) {
  const { say } = useTranslation();
  return (
    <div class="problem" role="alert">
      <p>{say('workbookWrong', { count })}</p>
      <Table
        name={say('fault')}
        rows={faults.map((fault) => ({ ...fault, ...partsOf(fault.error) }))}
        isNamed={false}
        columns={[
          [say('sheet'), ({ sheet }) => sheet],
          [say('rowNumber'), ({ row }) => row, 'n'],
          [say('column'), ({ column }) => <code>{column}</code>],
          [say('fault'), ({ message }) => message],
        ]}
      />
      {count > faults.length && <p>{say('firstOf', { count: faults.length })}</p>}
    </div>
  );
}

/** The column that an error begins with, and the rest of it. */
function partsOf(error: string) {
  const [, column = '', message = error] = /^(\w+): (.*)$/s.exec(error) ?? [];
  return { column, message };
}

function Outcome({ upload: { status, result, error } }: { readonly upload: Upload }) {
  const { say } = useTranslation();
  if (status === 'completed') {
    return (
      <div class="done" role="status">
        <p>{say('uploadDone')}</p>
        {result && <CountList counts={result} warnings={result.warnings} />}
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
  const { say } = useTranslation();
  const { diff = [], diff_count: count = 0, replaced, warnings } = report;
  const changed = changedOffers(report);
  const counts = {
    ...report,
    replaced: changed === null ? replaced : null,
    tiers_replaced: seesTiers ? report.tiers_replaced : null,
  };
  return (
    <div>
      <h3>{say('diff')}</h3>
      {changed !== null && replaced > 0 && <p>{say('countChanged', { changed, count: replaced })}</p>}
      <CountList counts={counts} warnings={warnings} />
      {count === 0 ? <p>{say('noDiff')}</p> : <DiffTable entries={diff} />}
      {count > diff.length && <p class="note">{say('diffMore', { count, shown: diff.length })}</p>}
    </div>
  );
}

/** How many of the existing offers of the workbook would change; `null`: the diff does not say it. */
function changedOffers({ diff = [], diff_count: count = 0 }: BulkReport): number | null {
  // Tiers may be those of an offer without a row among the offers.
  if (diff.length < count || diff.some(({ sheet }) => sheet.startsWith('tramos'))) return null;
  const ids = diff.filter(({ sheet }) => sheet === 'ofertas').map(({ offer_id }) => offer_id);
  return new Set(ids.filter((id) => id !== null)).size;
}

function CountList({
  counts,
  warnings,
}: {
  readonly counts: { readonly [Name in keyof Counts]: number | null };
  readonly warnings: BulkReport['warnings'];
}) {
  const { say } = useTranslation();
  return (
    <ul>
      {COUNTS.map(
        ([name, text]) => (counts[name] ?? 0) > 0 && <li key={name}>{say(text, { count: counts[name] ?? 0 })}</li>,
      )}
      {warnings.map((warning) => (
        <li key={warning.code + warning.sheet} class="warning">
          <Warning {...warning} />
        </li>
      ))}
    </ul>
  );
}

/** A list of columns can be long, so it is opened on request. */
function Warning({ code, message, sheet, count, rows }: BulkReport['warnings'][number]) {
  const { say } = useTranslation();
  const place =
    rows.length > 0 ? say('inRows', { sheet, rows: rows.slice(0, 10).join(', ') }) : say('inSheet', { sheet });
  if (code !== 'columna_ausente') return `${message} (${place})`;
  const [text = '', columns = ''] = message.split(': ');
  return (
    <details>
      <summary>
        {text} ({say('inColumns', { sheet, count })})
      </summary>
      {columns}
    </details>
  );
}

/** The media type of a workbook. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The templates of an owner, and the scopes that their operations require. */
const TEMPLATES = {
  own: {
    scopes: ['offers:write', 'commissions:read'],
    files: [
      ['template', 'bulkTemplateOffers', 'ofertas.xlsx'],
      ['templateIndexed', 'bulkTemplateIndexedOffers', 'ofertas-indexadas.xlsx'],
    ],
  },
  catalog: {
    scopes: ['catalog:read'],
    files: [
      ['template', 'bulkTemplateCatalogOffers', 'catalogo.xlsx'],
      ['templateIndexed', 'bulkTemplateIndexedCatalogOffers', 'catalogo-indexado.xlsx'],
    ],
  },
} as const;

/** The offers as they are, in workbooks that can be edited and sent back. */
export function Templates({ owner }: { readonly owner: Owner }) {
  const session = useOpenSession();
  const { error, run } = useTask();
  const { scopes, files } = TEMPLATES[owner];
  if (!scopes.every((scope) => session.scopes.includes(scope))) return null;
  const download = ([, method, name]: (typeof files)[number]) =>
    run(async () => saveFile(name, XLSX_TYPE, [new Uint8Array(await session.api[method]())]));
  return (
    <div>
      {files.map((file) => (
        <Press text={file[0]} class="plain" key={file[2]} onPress={() => void download(file)} />
      ))}
      {error !== null && <Problem error={error} />}
    </div>
  );
}
