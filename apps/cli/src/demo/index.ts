export { readDemoReadings } from './demo-catalog.ts';
export { type DemoSeed, seedDemo } from './seed.ts';
