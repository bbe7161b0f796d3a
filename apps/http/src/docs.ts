import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ApiAnswer, openApiDocument } from '@tarifario/api';

type Page = () => Promise<ApiAnswer>;

const require = createRequire(import.meta.url);
/** What shows the document to people comes with the service and not from the net. */
const ASSETS = dirname(require.resolve('swagger-ui-dist/package.json'));

/** Nothing but our own files: no other host, no script or style within the page, no frame around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tarifario API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
</head>
<body>
<main id="api"></main>
<script src="swagger-ui-bundle.js"></script>
<script src="init.js"></script>
</body>
</html>
`;

const INIT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

let documentText: string | undefined;

/**
 * The contract for machines and for people, by path. Nobody needs a key to read it. The document is made here, once
 * per process, and not while requests wait.
 */
export function documentPages(): ReadonlyMap<string, Page> {
  const json = documentText ?? JSON.stringify(openApiDocument());
  documentText = json;
  return new Map<string, Page>([
    ['/openapi.json', async () => page('application/json', json)],
    ['/docs', async () => ({ status: 308, headers: { Location: '/docs/' }, body: undefined })],
    ['/docs/', async () => page('text/html', PAGE)],
    ['/docs/init.js', async () => page('text/javascript', INIT)],
    ['/docs/swagger-ui.css', () => asset('text/css', 'swagger-ui.css')],
    ['/docs/swagger-ui-bundle.js', () => asset('text/javascript', 'swagger-ui-bundle.js')],
  ]);
}

async function asset(contentType: string, name: string): Promise<ApiAnswer> {
  const answer = page(contentType, await readFile(join(ASSETS, name), 'utf8'));
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'public, max-age=3600' } };
}

function page(contentType: string, text: string): ApiAnswer {
  return {
    status: 200,
    headers: { 'Content-Type': `${contentType}; charset=utf-8`, 'Content-Security-Policy': POLICY },
    body: undefined,
    text: [text],
  };
}
