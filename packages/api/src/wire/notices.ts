import { z } from 'zod';
import { WORDS } from './words.ts';

/** Warnings about an answer, each with one of these codes and with more members. */
export function avisosOf<Code extends string, More extends z.ZodRawShape>(codes: readonly Code[], more: More) {
  const aviso = z.strictObject({
    codigo: z.enum(codes).describe('What it is about, for machines.'),
    mensaje: z.string().describe('The same for people, in Spanish.'),
    ...more,
  });
  return z.array(aviso).describe(WORDS.avisos);
}

/** `codes`: with a text for each. */
export const noticesOf = <Code extends string>(codes: Readonly<Record<Code, string>>) =>
  avisosOf(Object.keys(codes) as Code[], {});

/** Notices in wire form. */
export function toWireNotices<Code extends string>(notices: readonly Code[], codes: Readonly<Record<Code, string>>) {
  return notices.map((codigo) => ({ codigo, mensaje: codes[codigo] }));
}
