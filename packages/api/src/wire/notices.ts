import { z } from 'zod';

/** `codes`: with a text for each. */
export const noticesOf = (codes: Readonly<Record<string, string>>) =>
  z.array(z.strictObject({ codigo: z.enum(Object.keys(codes)), mensaje: z.string() }));

/** Notices in wire form. */
export function toWireNotices<Code extends string>(notices: readonly Code[], codes: Readonly<Record<Code, string>>) {
  return notices.map((codigo) => ({ codigo, mensaje: codes[codigo] }));
}
