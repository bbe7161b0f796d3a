import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openApiDocument } from '@tarifario/api';
import { createPage, type Page, policyWith } from './page.ts';

const require = createRequire(import.meta.url);
/** The viewer of the document comes with the service and is not loaded from the internet. */
const ASSETS = dirname(require.resolve('swagger-ui-dist/package.json'));

/** Allows only our own files: no other host, no inline script or style, no framing. */
const POLICY = policyWith("script-src 'self'", "style-src 'self'", "img-src 'self' data:");

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

// The page may send to its own service only.
const INIT = `const read = (path) => fetch(path).then((response) => response.json());
Promise.all([read('/openapi.json'), read('/openapi-examples.json')])
  .then(([document, examples]) => {
    for (const item of Object.values(document.paths)) for (const operation of Object.values(item)) {
      for (const [index, { summary, status, answer }] of examples.operations[operation.operationId].entries()) {
        const content = operation.responses[status]?.content?.['application/json'];
        if (content && answer !== undefined) (content.examples ??= {})['example' + (index + 1)] = { summary, value: answer };
      }
    }
    SwaggerUIBundle({
      spec: { ...document, servers: [{ url: '/' }] },
      dom_id: '#api',
      deepLinking: true,
      persistAuthorization: false,
      validatorUrl: null,
      presets: [SwaggerUIBundle.presets.apis],
    });
  });
`;

let pages: ReadonlyMap<string, Page> | undefined;

/**
 * The OpenAPI document and its viewer, by path. They need no key. All of it is generated and read once per process, and
 * not while requests wait.
 */
export function documentPages(): ReadonlyMap<string, Page> {
  pages ??= new Map<string, Page>([
    ['/openapi.json', page('application/json', JSON.stringify(openApiDocument()))],
    [
      '/openapi-examples.json',
      page('application/json', withoutSpace(require.resolve('@tarifario/api/openapi-examples.json'))),
    ],
    ['/docs', async () => ({ status: 308, headers: { Location: '/docs/' }, body: undefined })],
    ['/docs/', page('text/html', PAGE)],
    ['/docs/init.js', page('text/javascript', INIT)],
    ['/docs/swagger-ui.css', asset('text/css', 'swagger-ui.css')],
    ['/docs/swagger-ui-bundle.js', asset('text/javascript', 'swagger-ui-bundle.js')],
  ]);
  return pages;
}

function withoutSpace(file: string): string {
  return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
}

function asset(type: string, name: string): Page {
  return page(type, readFileSync(join(ASSETS, name)), { 'Cache-Control': 'public, max-age=3600' });
}

function page(type: string, content: string | Buffer, caching: Readonly<Record<string, string>> = {}): Page {
  return createPage(Buffer.from(content), type, { 'Content-Security-Policy': POLICY, ...caching });
}
