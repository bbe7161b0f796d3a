// What the names of the law's access tariffs say. An account may have others.

export function isOf3_0TD(tariff: string): boolean {
  return tariff === '3.0TD' || tariff === '3.0TDVE';
}

/** Of the tariffs of the law: 3.0TD and those above it. */
export function hasSixPeriods(tariff: string): boolean {
  return isOf3_0TD(tariff) || tariff.startsWith('6.');
}

/** The number of a gas tariff: 1 for RL.1 to 11; `null` for other names. */
export function gasBandOf(tariff: string): number | null {
  return /^RL\.([1-9]|1[01])$/.test(tariff) ? Number(tariff.slice(3)) : null;
}
