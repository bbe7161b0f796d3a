import type { ColumnChoice } from '@tarifario/api/customer-table';
import { useState } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';
import type { UnknownHeader } from './customer-files.ts';

/** Asks what the columns are that no name of the page fits. */
export function ColumnStep({
  header: { unknown, free },
  onChosen,
}: {
  readonly header: UnknownHeader;
  readonly onChosen: (choice: ColumnChoice) => void;
}) {
  const { say, language } = useTranslation();
  const [choice, setChoice] = useState<ColumnChoice>(() =>
    Object.fromEntries(unknown.map(({ place }) => [place, null])),
  );
  return (
    <form
      class="columns-step"
      onSubmit={(event) => {
        event.preventDefault();
        onChosen(choice);
      }}
    >
      <p>{say('whichColumns')}</p>
      <div class="row">
        {unknown.map(({ place, name }) => (
          <label key={place}>
            {name === '' ? `${say('column')} ${place + 1}` : name}
            <select onChange={({ currentTarget: { value } }) => setChoice({ ...choice, [place]: value || null })}>
              <option value="">{say('columnUnread')}</option>
              {free.map(({ column, text }) => (
                <option key={column} value={column}>
                  {text[language]}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <button type="submit" class="main">
        {say('readColumns')}
      </button>
    </form>
  );
}
