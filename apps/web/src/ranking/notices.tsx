import type { Ranking } from '@tarifario/client';
import { noticeText, reasonText } from '../texts/notices.ts';
import { useTranslation } from '../texts/texts.ts';

/** Whether the offers can be compared at all. Where there are none it is what the answer says, and open. */
export function Notices({ answer: { avisos, results } }: { readonly answer: Ranking }) {
  const { say, language, eur } = useTranslation();
  if (avisos.length === 0) return null;
  const names = new Map(results.map(({ offer }) => [offer.id, offer.offer_name]));
  return (
    <details class="notices" open={results.length === 0}>
      <summary class="chip">{say('noticesCount', { count: avisos.length })}</summary>
      <ul>
        {avisos.map(({ codigo, mensaje, total, offer_ids, umbral_eur_mwh = null }) => {
          const text = noticeText(codigo, language, { said: mensaje }) ?? mensaje;
          return (
            <li key={codigo}>
              {offer_ids.every((id) => !names.has(id)) ? (
                <>
                  {text} {total > 0 && <small>({say('noticeOffers', { count: total })})</small>}
                </>
              ) : (
                <details>
                  <summary>
                    {text} <small>({say('noticeOffers', { count: total })})</small>
                    {umbral_eur_mwh !== null &&
                      ` ${say('ssaaThreshold', { price: eur(Math.floor(umbral_eur_mwh * 100) / 100) })}`}
                  </summary>
                  <p>{offer_ids.map((id) => names.get(id) ?? `#${id}`).join(' · ')}</p>
                </details>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

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
