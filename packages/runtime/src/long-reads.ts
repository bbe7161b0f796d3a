import { createFairQueue, type FairQueue, type FairQueueSettings } from '@tarifario/core/service';

/** How long a read waits for its turn, unless it is a workbook. */
const WAIT_MS = 10_000;
/**
 * How long a workbook waits for its turn: writing one takes some seconds. It is shorter than the time-outs of proxies.
 */
const WORKBOOK_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;
/** Each curve is read in a process of its own. */
const CURVES_AT_ONCE = 2;
/** Few, because each holds up to 10 MB while it waits. */
const WAITING_CURVES_OF_ACCOUNT = 2;

/** A queue for each kind of long read. */
type LongReads = Readonly<Record<'rows' | 'workbook' | 'page' | 'curve', FairQueue>>;

/**
 * Queues long reads, one of an account at a time, so that no account keeps others waiting.
 *
 * @param places - How many long reads the database can run at once, besides short ones.
 */
export function createLongReads(places: number): LongReads {
  const rows = queueOf({ places, waitMs: WAIT_MS });
  // Most of the work for a workbook comes after its rows were read, so it does not count as a read, unless there is
  // only one place.
  const workbook = places > 1 ? queueOf({ places: 1, waitMs: WORKBOOK_WAIT_MS }) : rows;
  // Most pages are short, so an account may read two at once.
  const page = queueOf({ places: places > 1 ? places + 1 : 1, placesPerKey: 2, waitMs: WAIT_MS });
  const curve = queueOf({ places: CURVES_AT_ONCE, waitingPerKey: WAITING_CURVES_OF_ACCOUNT, waitMs: WAIT_MS });
  return { rows, workbook, page, curve };
}

function queueOf({ waitMs, ...settings }: FairQueueSettings & { readonly waitMs: number }): FairQueue {
  return createFairQueue({
    placesPerKey: 1,
    ...settings,
    refusal: {
      message: 'too many long reads are waiting: send them one after the other',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
    startTimer: (giveUp) => {
      const timer = setTimeout(giveUp, waitMs);
      return () => clearTimeout(timer);
    },
  });
}
