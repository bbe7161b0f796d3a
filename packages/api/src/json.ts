export type JsonMembers = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
