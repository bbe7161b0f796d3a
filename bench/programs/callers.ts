import { answerParent } from '../child.ts';
import { timedLoad } from '../load.ts';

/** Callers in a process of their own: what they do is no time of the servers. */
answerParent({ run: timedLoad });
