import type { Ranking } from '@tarifario/client';
import type { Translation } from '../texts/texts.ts';
import type { Question } from './draft.ts';

const sum = (amounts: object) => Object.values(amounts).reduce<number>((all, one) => all + Number(one), 0);

/** A supply in a line: its tariff, what it consumes, its highest power, and what is paid today by month. */
export function supplyLine(
  { tariff_type = '', energia, consumo_gas = 0, perfil, potencia = {} }: Question,
  ranking: Ranking | null,
  { say, number, eur }: Translation,
): string {
  const kwh = perfil?.reduce((all, month) => all + sum(month.energia ?? {}), 0) ?? sum(energia ?? {}) + consumo_gas;
  const kw = Math.max(0, ...Object.values(potencia));
  const today = ranking?.actual?.factura_estimada?.total ?? ranking?.actual?.cost?.total;
  const parts = [tariff_type, `${number(kwh)} kWh`, ...(kw > 0 ? [`${number(kw, 0, 3)} kW`] : [])];
  if (today && ranking && ranking.meses > 0) parts.push(say('todayMonthly', { eur: eur(today / ranking.meses) }));
  return parts.join(' · ');
}
