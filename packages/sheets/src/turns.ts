import { DomainError } from '@tarifario/core';

/** One at a time, some waiting, and the rest sent away. */
export interface Turns {
  /**
   * Waits for the turn and gives what ends it.
   *
   * @throws DomainError `unavailable` when too many wait already, or when no more turns are given.
   */
  take(): Promise<() => void>;
  /** Sends away everybody who waits, and who comes later. */
  close(): void;
}

interface Waiting {
  readonly begin: () => void;
  readonly sendAway: () => void;
}

export function createTurns({
  waiting: places,
  retryAfterSeconds,
}: {
  waiting: number;
  retryAfterSeconds: number;
}): Turns {
  const waiting: Waiting[] = [];
  let isTaken = false;
  let isClosed = false;
  const refusal = () => new DomainError('unavailable', { retryAfterSeconds });
  const end = () => {
    const next = waiting.shift();
    if (next) next.begin();
    else isTaken = false;
  };
  return {
    async take() {
      if (isClosed || (isTaken && waiting.length >= places)) throw refusal();
      if (isTaken) {
        await new Promise<void>((begin, reject) => {
          waiting.push({ begin, sendAway: () => reject(refusal()) });
        });
      }
      isTaken = true;
      return end;
    },
    close() {
      isClosed = true;
      for (const { sendAway } of waiting.splice(0)) sendAway();
    },
  };
}
