import type { RankingAnswer, Result } from '../api.ts';
import { type Speech, type TextName, useSpeech } from '../texts/texts.ts';

type Cost = Result['cost'];

const PARTS: readonly (readonly [part: keyof Cost, name: TextName])[] = [
  ['energia', 'partEnergy'],
  ['potencia', 'partPower'],
  ['fijo', 'partFixed'],
  ['servicios', 'partServices'],
  ['excedentes', 'partSurplus'],
];

/** The offers in order, with what they cost, save and pay. A column that would be 0 for all of them is left out. */
export function RankingTable({ answer }: { readonly answer: RankingAnswer }) {
  const speech = useSpeech();
  const { say } = speech;
  const { results, actual, total, dias } = answer;
  const parts = PARTS.filter(([part]) => results.some(({ cost }) => cost[part] !== 0));
  const seesCommissions = results.some(({ commission }) => commission !== null);
  if (total === 0) return <p class="card">{say('nothingRanked')}</p>;
  return (
    <section class="card" aria-labelledby="ranking-title">
      <h2 id="ranking-title">{say('ranking')}</h2>
      <p class="note">
        {say('rankedCount', { count: total, days: dias })}
        {total > results.length && ` ${say('firstOf', { count: results.length })}`}
      </p>
      <div class="scroll">
        <table class="ranking">
          <thead>
            <tr>
              <th scope="col" class="n">
                #
              </th>
              <th scope="col">{say('offer')}</th>
              {parts.map(([part, name]) => (
                <th key={part} scope="col" class="n">
                  {say(name)} €
                </th>
              ))}
              <th scope="col" class="n">
                {say('total')} €
              </th>
              {actual && (
                <th scope="col" class="n">
                  {say('saving')} €
                </th>
              )}
              {seesCommissions && (
                <th scope="col" class="n">
                  {say('commission')} €
                </th>
              )}
              <th scope="col" class="n">
                {say('score')}
              </th>
            </tr>
          </thead>
          <tbody>
            {results.map((result, index) => (
              <Row key={result.offer.id} place={index + 1} {...{ result, parts, actual, seesCommissions, speech }} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({
  place,
  result: { offer, cost, commission, nota, ahorro },
  parts,
  actual,
  seesCommissions,
  speech: { eur, number },
}: {
  readonly place: number;
  readonly result: Result;
  readonly parts: typeof PARTS;
  readonly actual: RankingAnswer['actual'];
  readonly seesCommissions: boolean;
  readonly speech: Speech;
}) {
  return (
    <tr data-offer={offer.id}>
      <td class="n">{place}</td>
      <th scope="row">
        {offer.offer_name}
        <small>{offer.company.name}</small>
      </th>
      {parts.map(([part]) => (
        <td key={part} class="n">
          {eur(cost[part])}
        </td>
      ))}
      <td class="n strong">{eur(cost.total)}</td>
      {actual && <td class={`n ${(ahorro?.eur ?? 0) >= 0 ? 'good' : 'bad'}`}>{eur(ahorro?.eur ?? null)}</td>}
      {seesCommissions && <td class="n">{eur(commission?.total ?? null)}</td>}
      <td class="n strong">{number(nota, 2)}</td>
    </tr>
  );
}
