import {
  compileUniverse,
  createPlainKernel,
  type KernelAnswer,
  type KernelTask,
  type OfferWithHistory,
  type RankingKernel,
  type RankingRequest,
  rankUniverses,
  type UniversePart,
} from '@tarifario/core';
import { createSimdKernel } from '@tarifario/kernel-simd';

/** Memory for the numbers of a million offers. */
const SIMD_BYTES = 256 * 2 ** 20;

export interface NamedKernel {
  readonly name: 'SIMD' | 'TypeScript';
  readonly kernel: RankingKernel;
}

const simd = createSimdKernel({ maxBytes: SIMD_BYTES });
const plain: NamedKernel = { name: 'TypeScript', kernel: createPlainKernel() };

/** The kernels of this machine, the one of the service first. */
export const KERNELS: readonly NamedKernel[] = simd ? [{ name: 'SIMD', kernel: simd }, plain] : [plain];

/** Offers as a ranking takes them. */
export function partsOf(entries: readonly OfferWithHistory[]): readonly UniversePart[] {
  return [{ universe: compileUniverse('LUZ', entries), admits: () => true }];
}

/** What a kernel is asked when these questions are ranked. */
export function tasksOf(
  parts: readonly UniversePart[],
  questions: readonly RankingRequest[],
  kernel: RankingKernel,
): readonly KernelTask[] {
  return questions.map((question) => {
    const tasks: KernelTask[] = [];
    const listening: RankingKernel = {
      rank: (task) => {
        tasks.push(task);
        return kernel.rank(task);
      },
    };
    rankUniverses(parts, question, { kernel: listening });
    const [task] = tasks;
    if (!task || tasks.length !== 1) throw new RangeError('a ranking asks its kernel once');
    return task;
  });
}

/** The ids of the best, as a kernel tells them: by their rows. */
export function idsOfBest({ best }: Pick<KernelAnswer, 'best'>): readonly number[] {
  return best.map(({ id }) => id);
}
