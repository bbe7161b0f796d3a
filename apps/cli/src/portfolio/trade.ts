import { DomainError } from '@tarifario/core/service';

/** How cost and commission are weighed for all customers; `null`: as each customer says. */
export interface Trade {
  readonly weight: number | null;
  readonly tolerance: number | null;
}

/** @throws DomainError where all customers have a weight or a tolerance and this customer has the other of the two. */
export function refuseTwoTrades(
  { weight, tolerance }: Trade,
  customer: { readonly weight: number | null; readonly tolerance?: number | null },
  where = '',
): void {
  const path = tolerance !== null && customer.weight !== null ? 'w' : 'tolerancia';
  if (path === 'tolerancia' && (weight === null || (customer.tolerance ?? null) === null)) return;
  const option = path === 'w' ? '--tolerancia' : '--w';
  const message = `must not stand together with ${option}`;
  throw new DomainError('invalid_request', {
    ...(where && { message: `${where}: ${path} ${message}` }),
    issues: [{ path, message }],
  });
}
