import type { Message } from '@tarifario/core/service';

/** A message as the text of a check in a schema: zod carries texts alone, so it is JSON. */
export function inSchema(message: Message): string {
  return JSON.stringify(message);
}

/** The message of a finding of zod. */
export function fromSchema(text: string): Message {
  return JSON.parse(text);
}
