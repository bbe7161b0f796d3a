import { answerParent, startChild } from './child.ts';

/** A server in a separate process, with its processor time. */
export interface MeasuredServer {
  readonly url: string;
  readonly key: string;
  /** Microseconds of user and system time that its whole process used so far. */
  cpuMicros(): Promise<number>;
  end(): Promise<void>;
}

/** In the child: says where it listens and how much processor time it used. */
export function answerAsServer(listening: { readonly url: string; readonly key: string }, close: () => unknown): void {
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  answerParent({ listening: () => listening, cpu }, close);
}

export async function startServerChild(program: string, args: readonly string[]): Promise<MeasuredServer> {
  const child = startChild(program, { args });
  const { url, key } = await child.ask<{ url: string; key: string }>('listening');
  return { url, key, cpuMicros: () => child.ask<number>('cpu'), end: child.end };
}
