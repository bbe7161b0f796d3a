import type { Clock, Secrets } from '../ports/machine.ts';
import type { Store } from '../ports/stores.ts';
import type { Shelves } from './shelves.ts';

/** Everything that the use cases are given. */
export interface Deps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Compiled offers kept in memory between rankings. */
  readonly shelves: Shelves;
}
