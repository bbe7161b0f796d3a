import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a child can be asked, by name. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/** A program of `programs/` in a process of its own. */
export interface Child {
  readonly pid: number;
  /** What the child answers; it answers one question at a time. */
  ask<T>(name: string, input?: unknown): Promise<T>;
  /** Lets it clean up and end. */
  end(): Promise<void>;
}

interface ChildRequest {
  readonly name: string;
  readonly input: never;
}

type Answered = { readonly value: unknown } | { readonly error: string };

/** In the child: answers the parent, until the parent ends it. */
export function answerParent(answers: Answers, close: () => unknown = () => undefined): void {
  process.on('message', async ({ name, input }: ChildRequest) => {
    if (name === 'end') {
      await close();
      process.disconnect();
      return;
    }
    const answer = async (): Promise<Answered> => {
      try {
        return { value: await answers[name]?.(input) };
      } catch (error) {
        return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
      }
    };
    process.send?.(await answer());
  });
}

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly heapMb?: number | null;
  /** More flags of Node. */
  readonly flags?: readonly string[];
}

/** Starts a program. Its output is shown only with BENCH_VERBOSE=1. */
export function startChild(program: string, { args = [], heapMb = null, flags = [] }: ChildOptions = {}): Child {
  const path = fileURLToPath(new URL(`programs/${program}.ts`, import.meta.url));
  const output = process.env.BENCH_VERBOSE === '1' ? 'inherit' : 'ignore';
  const child = fork(path, args, {
    execArgv: [
      '--conditions=tarifario-source',
      ...(heapMb === null ? [] : [`--max-old-space-size=${heapMb}`]),
      ...flags,
    ],
    stdio: ['ignore', output, output, 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ask = <T>(name: string, input: unknown = null) =>
    new Promise<T>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`${program} ended with ${code}`));
      child.once('exit', onExit);
      child.once('message', (answered: Answered) => {
        child.off('exit', onExit);
        if ('error' in answered) reject(new Error(answered.error));
        else resolve(answered.value as T);
      });
      child.send({ name, input });
    });
  const end = async () => {
    if (child.connected) child.send({ name: 'end', input: null });
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? 0, ask, end };
}
