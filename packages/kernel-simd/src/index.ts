export * from './simd-kernel.ts';
