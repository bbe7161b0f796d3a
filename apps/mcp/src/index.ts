export { mcpMount } from './door.ts';
