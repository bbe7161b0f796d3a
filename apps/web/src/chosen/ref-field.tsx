import type { Dispatch } from '../customer/study.ts';
import { useTranslation } from '../texts/texts.ts';

/** Characters of what the office calls a customer by. */
const MAX_REF = 80;

/** What the office calls the customer by. */
export function RefField({ name, dispatch }: { readonly name: string; readonly dispatch: Dispatch }) {
  const { say } = useTranslation();
  const label = say('proposalRef');
  const named = { name: 'ref', title: label, 'aria-label': label, placeholder: say('customerRef') };
  return (
    <input
      {...named}
      // Of no form: Enter ranks nothing.
      form=""
      autocomplete="off"
      maxLength={MAX_REF}
      value={name}
      onInput={({ currentTarget }) => dispatch({ name: 'named', ref: currentTarget.value })}
    />
  );
}
