import type { Ranking } from '@tarifario/client';
import { byYearAndMonth } from '@tarifario/core';
import type { Translation } from '../texts/texts.ts';
import type { CustomerQuestion } from './draft.ts';

const sum = (amounts: object) => Object.values(amounts).reduce<number>((all, one) => all + Number(one), 0);

/** What is known of a question. */
type Supply = Partial<CustomerQuestion>;

/** What a question consumes over its period. */
export const kwhOf = ({ energia, consumo_gas = 0, perfil }: Supply): number =>
  perfil?.reduce((all, month) => all + sum(month.energia ?? {}), 0) ?? sum(energia ?? {}) + consumo_gas;

/** A supply in a line: its tariff, what it consumes, its highest power, and what is paid today by month. */
export function supplyLine(question: Supply, ranking: Ranking | null, { say, number, eur }: Translation): string {
  const { tariff_type = '', potencia = {}, perfil, contrato_actual: contract } = question;
  const dias = perfil?.reduce((all, part) => all + part.dias, 0) ?? question.dias ?? 365;
  const kw = Math.max(0, ...Object.values(potencia));
  const { actual } = ranking ?? {};
  const billEur = contract?.factura_total ?? actual?.factura_estimada?.total;
  const today = billEur ?? actual?.cost?.total;
  const parts = [
    tariff_type,
    `${number(kwhOf(question))} ${dias === 365 ? say('kwhYearly') : say('kwhIn', { days: dias })}`,
    ...(kw > 0 ? [`${number(kw, 0, 3)} kW`] : []),
  ];
  if (today && ranking) {
    const monthly = say('todayMonthly', { eur: eur(byYearAndMonth(today, { days: ranking.dias }).monthEur) });
    parts.push(billEur ? monthly : `${monthly} ${say('beforeTaxes')}`);
  }
  return parts.join(' · ');
}
