export { mcpMount } from './mcp-handler.ts';
