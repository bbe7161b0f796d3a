import type { Tarifario } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import type { Answer } from '../customer/answer.ts';
import { kwhOf } from '../customer/supply-line.ts';
import { Opened } from '../shell/opened.tsx';
import { Problem } from '../shell/problem.tsx';
import { useAnswer } from '../shell/query.ts';
import { Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';

const FIELDS = 'dias,umbrales_consumo,results.offer.id,results.offer.offer_name,results.offer.company.name';

interface Asked {
  readonly api: Tarifario;
  readonly answer: Answer;
}

/** Which offer is the cheapest where the customer consumes less or more. */
export function ConsumptionThresholds(asked: Asked) {
  const { say } = useTranslation();
  return (
    <Opened name={say('otherUse')}>
      <Thresholds {...asked} />
    </Opened>
  );
}

function Thresholds({ api, answer: { question, ranking } }: Asked) {
  const { say, number } = useTranslation();
  // By cost, whatever the weight: the offers of the thresholds are then among the results.
  const { answer, error, retry } = useAnswer([api, ranking], async (signal) => {
    const body = { ...question, w: 1, umbrales_consumo: true, limit: MAX_LIMIT };
    const { umbrales_consumo = [], results, dias } = await api.rankOffers({ body, fields: FIELDS }, { signal });
    const names = new Map(results.map(({ offer }) => [offer.id, `${offer.offer_name} (${offer.company.name})`]));
    return { of: ranking, thresholds: umbrales_consumo, names, days: dias };
  });
  if (error !== null) return <Problem error={error} onRetry={retry} />;
  if (answer?.of !== ranking) return <p role="status">{say('working')}</p>;
  const kwh = kwhOf(question);
  return (
    <Table
      name={say('otherUse')}
      caption={say('otherUseTitle', { days: answer.days })}
      rows={answer.thresholds}
      columns={[
        [
          say('consumption'),
          ({ factor_desde: from, factor_hasta: to }) => (
            <>
              {say('useRange', { from: number(from * kwh), to: number(to * kwh) })}
              <small>
                {say('useTimes', { from: number(from, 2), to: number(to, 2) })}
                {from <= 1 && 1 < to && ` · ${say('useToday')}`}
              </small>
            </>
          ),
        ],
        [say('offer'), ({ offer_id: id }) => answer.names.get(id) ?? `#${id}`],
      ]}
    />
  );
}
