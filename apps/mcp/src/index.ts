export { mcpMount } from './mcp-handler.ts';
export { localEndpoint, remoteEndpoint, type SendMessage, serveLines } from './stdio.ts';
