import { useState } from 'preact/hooks';
import type { Language } from '../texts/common.ts';

/** A place to drop a file on, and a button that opens the chooser of files. */
export function FileDrop({
  label,
  accept,
  isBusy = false,
  onFile,
}: {
  readonly label: string;
  readonly accept: string;
  readonly isBusy?: boolean;
  readonly onFile: (file: File) => void;
}) {
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file && !isBusy) onFile(file);
  };
  return (
    <label
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      {label}
      <input
        type="file"
        accept={accept}
        aria-disabled={isBusy}
        onClick={(event) => isBusy && event.preventDefault()}
        onKeyDown={(event) => {
          // It would send the form that this is in, where only the space bar opens the chooser.
          if (event.key === 'Enter' && event.currentTarget.form) event.preventDefault();
        }}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file can be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Gives a file to the user of the page. */
export function saveFile(name: string, type: string, parts: BlobPart[]): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** As a spreadsheet in the language reads and writes it. */
const SEPARATORS = { es: ';', en: ',' } as const;

/** Gives a table to the user of the page as a CSV. A text that a spreadsheet could run is made harmless. */
export async function saveCsv(
  name: string,
  rows: Iterable<readonly (string | number | boolean | null)[]>,
  language: Language,
): Promise<void> {
  const { csvTables } = await import('@tarifario/sheets/csv');
  saveFile(name, 'text/csv;charset=utf-8', [...csvTables.csv(rows, { separator: SEPARATORS[language] })]);
}
