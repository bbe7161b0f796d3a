import { saveFile } from '../shell/file-drop.tsx';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useTask } from '../shell/use-task.ts';
import { useTranslation } from '../texts/texts.ts';
import type { Owner } from './use-workbook.ts';

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
export function Templates({ session, owner }: { readonly session: Session; readonly owner: Owner }) {
  const { say } = useTranslation();
  const { error, run } = useTask();
  const { scopes, files } = TEMPLATES[owner];
  if (!scopes.every((scope) => session.scopes.includes(scope))) return null;
  const download = ([, method, name]: (typeof files)[number]) =>
    run(async () => saveFile(name, XLSX_TYPE, [new Uint8Array(await session.api[method]())]));
  return (
    <div>
      {files.map((file) => (
        <button type="button" class="plain" key={file[2]} onClick={() => void download(file)}>
          {say(file[0])}
        </button>
      ))}
      {error !== null && <Problem error={error} />}
    </div>
  );
}
