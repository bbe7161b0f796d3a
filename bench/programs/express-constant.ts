import type { AddressInfo } from 'node:net';
import express from 'express';
import { answerAsServer } from '../server.ts';

/**
 * Express that reads a JSON body and sends the same bytes for every request, with every option off that can be.
 *
 * Arguments: how many bytes, and whether the body is parsed (`parsed`) or not even read (`unread`).
 */
const [size, reading] = process.argv.slice(2);
const text = JSON.stringify({ results: 'x'.repeat(Number(size) - 14) });
const bytes = Buffer.from(text);
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.set('query parser', false);
if (reading === 'parsed') app.use(express.json());
app.post('/v1/offers/efficient', (_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', String(bytes.length));
  response.end(bytes);
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerAsServer({ url: `http://127.0.0.1:${port}`, key: '' }, async () => {
    server.closeAllConnections();
    server.close();
  });
});
