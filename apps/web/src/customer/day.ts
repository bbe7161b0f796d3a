/** The day of an instant where the page is read, `YYYY-MM-DD`. */
export function dayOf(now: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}

export const today = (): string => dayOf(new Date());
