export { readDemoReadings } from './demo/demo-catalog.ts';
export { type DemoSeed, seedDemo } from './demo/seed.ts';
export { main } from './main.ts';
export { formatResults, PLAIN } from './ranking-view.ts';
