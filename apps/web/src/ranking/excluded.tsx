import type { Ranking } from '@tarifario/client';
import { reasonText } from '../texts/notices.ts';
import { useTranslation } from '../texts/texts.ts';

/** The offers that are not compared, and why. */
export function Excluded({ answer: { excluded, excluded_count } }: { readonly answer: Ranking }) {
  const { say, language } = useTranslation();
  if (excluded_count === 0) return null;
  return (
    <details class="card">
      <summary>{say('excluded', { count: excluded_count })}</summary>
      <ul class="excluded">
        {excluded.map(({ offer_id, offer_name, company_name, codigo, motivo }) => (
          <li key={offer_id}>
            {offer_name} <small>{company_name}</small> {reasonText(codigo, language, motivo)}
          </li>
        ))}
      </ul>
    </details>
  );
}
