import type { Tarifario } from '@tarifario/client';
import { type Arguments, CommandError, UsageError } from './command.ts';

/** An address to which a path can be added. @throws UsageError */
export function serverFrom(text: string): string {
  const url = URL.parse(text);
  const isServer = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  if (!isServer || /[?#]/.test(text))
    throw new UsageError('--url must be an address of http or https, without credentials, query or fragment');
  return text;
}

/** Asks the server of `--url`, with the key in TARIFARIO_KEY. */
export type AskService = <T>(question: (service: Tarifario) => Promise<T>) => Promise<T>;

/**
 * `null`: the call has no `--url`, and is answered here.
 *
 * @throws UsageError for a wrong address, or without a key.
 */
export async function serviceOf(args: Arguments): Promise<AskService | null> {
  const url = args.value('url');
  if (url === null) return null;
  const server = serverFrom(url);
  const key = process.env.TARIFARIO_KEY ?? '';
  if (!/^[!-~]+$/.test(key)) throw new UsageError('--url needs a key in TARIFARIO_KEY');
  const { createTarifario, TarifarioError } = await import('@tarifario/client');
  const service = createTarifario({ url: server, key });
  return (question) =>
    question(service).catch((error: unknown) => {
      if (!(error instanceof TarifarioError)) throw error;
      const { code, detail } = error;
      const reason = code === 'unreachable' ? `: ${reasonOf(error)}` : '';
      const issues = error.errors.map(
        (one) => `\n  ${'path' in one ? one.path : `${one.sheet} ${one.row}`}: ${one.error}`,
      );
      throw new CommandError(
        [`the server: ${detail?.message ?? error.message}${reason} (${code})`, ...issues].join(''),
      );
    });
}

/** Why it was not reached, such as a refused connection or a redirect. */
function reasonOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? reasonOf(cause) : error.message;
}

/** An answer with a list, which something else than the service may lack. @throws CommandError */
export function listed<T extends object>(answer: T, list: keyof T & string): T {
  if (Array.isArray(answer[list])) return answer;
  throw new CommandError(`the server: its answer has no ${list}`);
}
