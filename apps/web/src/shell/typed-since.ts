/**
 * What stays typed once something was saved: only what was sent leaves.
 *
 * @param isSame - Whether a field is still as it was sent.
 */
export function typedSince<T extends object>(
  typed: T,
  sent: Partial<T>,
  isSame: (now: T[keyof T], then: T[keyof T] | undefined) => boolean = Object.is,
): Partial<T> {
  const names = (Object.keys(typed) as (keyof T)[]).filter((name) => !isSame(typed[name], sent[name]));
  return Object.fromEntries(names.map((name) => [name, typed[name]])) as Partial<T>;
}
