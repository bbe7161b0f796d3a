import type { Message } from '@tarifario/core/service';
import { z } from 'zod';

/** A JSON value that a conversion may make of what it only reads. */
export type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** How something is answered: its shape, which only describes, and the conversion of core's form to it. */
export interface Answer<Given extends readonly unknown[], Shape extends z.ZodType = z.ZodType> {
  readonly shape: Shape;
  readonly toWire: (...given: Given) => Frozen<z.input<Shape>>;
}

/** The conversion that makes answers of a shape. */
export function answersAs<Shape extends z.ZodType, Given extends readonly unknown[]>(
  shape: Shape,
  toWire: (...given: Given) => Frozen<z.input<Shape>>,
): Answer<Given, Shape> {
  return { shape, toWire };
}

/**
 * An answer with a name of its own in the document. Its members have their words with them, and the compiler checks that
 * the conversion makes them all.
 */
export function answer<
  Members extends z.ZodRawShape,
  Given extends readonly unknown[],
  const Wire extends Frozen<z.input<z.ZodObject<Members, z.core.$strict>>>,
>(
  name: string,
  members: Members,
  toWire: (...given: Given) => Wire & { readonly [Name in Exclude<keyof Wire, keyof Members>]: never },
): Answer<Given, z.ZodObject<Members, z.core.$strict>> {
  return { shape: z.strictObject(members).meta({ id: name }), toWire };
}

/** A member about commissions: null for callers who may not see them, whose agents do not read of it. */
export function commission<Shape extends z.ZodType>(shape: Shape, words: string) {
  return shape.nullable().meta({ description: words, masked: null });
}

/** The words of a member, and others for callers who may not see commissions. */
export function inBothViews<Shape extends z.ZodType>(shape: Shape, words: string, masked: string): Shape {
  return shape.meta({ description: words, masked });
}

/** Members that tools do not have: a picture takes as many tokens as a book, and a contact is for paper alone. */
export const NOT_FOR_MODELS: ReadonlySet<string> = new Set(['logo', 'contact']);

// What members of many answers are.
/** A value until the answer is sent, and then a text. */
export const messageShape = z.string() as z.ZodType<string> as z.ZodType<string, Message>;
export const id = z.int().min(1);
export const count = z.int().min(0);
export const instant = z.iso.datetime({ precision: 3 });
export const day = z.iso.date();
export const clientId = id.nullable().describe('An advisory firm.');

/** Decides what of commissions is told. */
export interface Visibility {
  /** `false`: commission fields are null, and texts for agents do not mention them. */
  readonly seesCommissions: boolean;
}
