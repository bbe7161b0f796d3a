export function arrayOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('a list was expected');
  return value;
}
