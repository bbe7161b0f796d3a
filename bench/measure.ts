/** Microseconds that one call of each contender takes. */
export type Micros<Name extends string> = Readonly<Record<Name, number>>;

export interface Effort {
  /** Rounds in which every contender has its turn; the median round counts. */
  readonly rounds?: number;
  /** How long one turn lasts at least. */
  readonly turnMs?: number;
  /** How long each runs before it is measured. */
  readonly warmMs?: number;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? Number.NaN)) / 2;
}

type Contender = (turn: number) => unknown;

/**
 * Times contenders side by side: in every round each has a turn of as many calls as fill it, one after the other, so
 * that whatever else the machine does meanwhile hits all of them alike. It is processor time of this thread that
 * counts: what the neighbours of this machine do is not in it.
 */
export async function sideBySide<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds = 11, turnMs = 20, warmMs = 300 }: Effort = {},
): Promise<Micros<Name>> {
  const names = Object.keys(contenders) as Name[];
  const turns = new Map<Name, { readonly calls: number; readonly times: number[] }>();
  for (const name of names) {
    await callsThatFill(contenders[name], warmMs);
    turns.set(name, { calls: await callsThatFill(contenders[name], turnMs), times: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, { calls, times }] of turns) times.push((await turnOf(contenders[name], calls)) / calls);
  }
  return Object.fromEntries(names.map((name) => [name, medianOf(turns.get(name)?.times ?? [])])) as Micros<Name>;
}

/** Processor time of this thread for work, microseconds: waiting for the disk is not in it. */
export async function cpuMicros(work: () => unknown): Promise<number> {
  const before = threadMicros();
  await work();
  return threadMicros() - before;
}

/** Processor time of this thread so far, microseconds. */
function threadMicros(): number {
  // Linux brings the time of a thread up to date every few milliseconds, and whenever that of the process is read.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Wall-clock time of work that uses other threads or processes, microseconds. */
export async function wallMicros(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
}

async function turnOf(run: Contender, calls: number): Promise<number> {
  const before = threadMicros();
  for (let turn = 0; turn < calls; turn++) {
    const answer = run(turn);
    if (answer instanceof Promise) await answer;
    else seen = answer;
  }
  return threadMicros() - before;
}

/** What was answered last: nothing that is answered may be left out by the engine. */
let seen: unknown;

/** @public The last answer. Nothing calls this, but because it exists the engine may not skip the work. */
export function lastSeen(): unknown {
  return seen;
}

async function callsThatFill(run: Contender, turnMs: number): Promise<number> {
  for (let calls = 1; ; calls *= 4) {
    const micros = await turnOf(run, calls);
    if (micros >= 250 * turnMs) return Math.max(1, Math.round((1000 * turnMs * calls) / micros));
  }
}
