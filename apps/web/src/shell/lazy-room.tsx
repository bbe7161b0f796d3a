import type { ComponentType } from 'preact';
import type { Reopened } from '../customer/reopened.ts';
import { useTranslation } from '../texts/texts.ts';
import { Problem } from './problem.tsx';
import { useAnswer } from './query.ts';

/** What every room gets. */
export interface RoomProps {
  readonly isOpen: boolean;
  /** The record that is looked at. */
  readonly id: number | null;
  /** Opens a question as a study. */
  readonly onReopen: (from: Reopened) => void;
}

/** A room that is loaded when it is first opened. */
export function LazyRoom({
  load,
  ...props
}: RoomProps & { readonly load: () => Promise<{ readonly Room: ComponentType<RoomProps> }> }) {
  const { say } = useTranslation();
  const {
    answer: module,
    error,
    retry,
  } = useAnswer([], async () => {
    await reachServer();
    return load();
  });
  if (module) return <module.Room {...props} />;
  return error === null ? <p role="status">{say('working')}</p> : <Problem error={error} onRetry={retry} />;
}

/** A browser does not ask again for a module that it could not load once, so it is asked for where the server answers. */
export async function reachServer(): Promise<void> {
  await fetch(location.pathname, { method: 'HEAD' }).catch(() => {
    throw new TypeError('the module cannot be reached');
  });
}
