/** Before a request is sent again while its twin is being answered: a minute in all, for each try takes a point. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];

/**
 * Sends a request. While the service is answering one with the same `Idempotency-Key`, such as one before the page was
 * loaded again, it waits and asks again: then the answer is that of the first one.
 */
export async function askAgain(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, init);
    const waitMs = WAITS_MS[tries];
    if (waitMs === undefined || !(await isInFlight(response))) return response;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    init.signal?.throwIfAborted();
  }
}

async function isInFlight(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const refusal: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return Object(Object(refusal).detail).code === 'idempotency_in_flight';
}
