/** How often a request is sent again while its twin is being answered, each time after a second. */
const MAX_TRIES = 60;
const WAIT_MS = 1000;

/**
 * Sends a request. While the service is answering one with the same `Idempotency-Key`, such as one before the page was
 * loaded again, it waits and asks again: then the answer is that of the first one.
 */
export async function askAgain(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, init);
    if (tries === MAX_TRIES || !(await isInFlight(response))) return response;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
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
