import type { ColumnChoice } from '@tarifario/api/customer-table';
import { useState } from 'preact/hooks';
import { Choice, Form, type Option, Press } from '../shell/form.tsx';
import { useTranslation } from '../texts/texts.ts';
import type { UnknownHeader } from './customer-files.ts';

/** Says what the columns of a header of a shape are; `null`: it is asked again. */
export type SayColumns = (shape: string, choice: ColumnChoice | null) => void;

/** Asks what the columns are that no name of the page fits. */
export function ColumnStep({
  header: { shape, unknown, free },
  onChosen,
}: {
  readonly header: UnknownHeader;
  readonly onChosen: SayColumns;
}) {
  const { say, language } = useTranslation();
  const [choice, setChoice] = useState<ColumnChoice>(() =>
    Object.fromEntries(unknown.map(({ place }) => [place, null])),
  );
  const columns = free.map(({ column, text }): Option<string> => [column, text[language]]);
  return (
    <Form class="columns-step" onSend={() => onChosen(shape, choice)}>
      <p>{say('whichColumns')}</p>
      <div class="row">
        {unknown.map(({ place, name }) => (
          <Choice
            key={place}
            label={name === '' ? `${say('column')} ${place + 1}` : name}
            value={choice[place] ?? ''}
            options={[['', say('columnUnread')], ...columns]}
            onChoose={(column) => setChoice({ ...choice, [place]: column || null })}
          />
        ))}
      </div>
      <Press text="readColumns" type="submit" class="main" />
    </Form>
  );
}
