import type { SPANISH } from './es.ts';

/** The English text of a message. Each has its Spanish, so a text without Spanish does not compile. */
export type MessageText = keyof typeof SPANISH;
type Template = Extract<MessageText, `${string}{${string}}${string}`>;

/** The values of a text: a message for `{=a}`, a text or a number for `{a}`. */
type ValuesOf<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `=${infer Inner}` ? Readonly<Record<Inner, Message>> : Readonly<Record<Name, string | number>>) &
      ValuesOf<Rest>
  : unknown;

/** A message with values: data, so that it can be stored and sent to a thread. */
export interface Said {
  readonly text: Template;
  readonly values: Readonly<Record<string, string | number | Message>>;
}

/** A message to a caller: a value until it is sent, and then words in one of two languages. */
export type Message = Exclude<MessageText, Template> | Said;

/** A message with values: `say('must be at most {max}', { max: 200 })`. */
export function say<T extends Template>(text: T, values: ValuesOf<T> & Said['values']): Message {
  return { text, values };
}

/**
 * The words of a message.
 *
 * @param textFor - The text of a language for an English one; left out, the words are English.
 */
export function inWords(message: Message, textFor = (text: MessageText): string => text): string {
  if (typeof message === 'string') return textFor(message);
  const { text, values } = message;
  return textFor(text).replaceAll(/\{=?(\w+)\}/g, (_braces, name: string) => {
    const value = values[name];
    return text.includes(`{=${name}}`) ? inWords(value as Message, textFor) : String(value);
  });
}
