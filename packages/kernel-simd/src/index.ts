export * from './simd-kernel.ts';
export * from './simd-sieve.ts';
