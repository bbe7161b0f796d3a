import { type ApiAnswer, answerTo, PROPOSAL_STYLE_HASH } from '@tarifario/api';
import { readWebFiles } from '@tarifario/web';
import { refusal } from './failures.ts';
import { createPage, type Page, policyWith } from './page.ts';

/**
 * Only files of our own and requests to us. The icon of the page is empty data. A frame shows a proposal to print it: its
 * style is allowed by its hash, and it has no script.
 */
const POLICY = policyWith("script-src 'self'", `style-src 'self' '${PROPOSAL_STYLE_HASH}'`, 'img-src data:');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  // A site that opened the page has no hold of its window, so it cannot change the address, with a key in it, later.
  'Cross-Origin-Opener-Policy': 'same-origin',
};

let pages: Promise<ReadonlyMap<string, Page>> | undefined;

/** The page for advisors: the document, and its files by name. It needs no key, because the page asks for one. */
export const ADVISOR_PAGES: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['/app', async () => ({ status: 308, headers: { Location: '/app/' }, body: undefined })],
  ['/app/', (request) => answerFile('index.html', request)],
  ...['/app/:file', '/app/:room/:id'].map((path): [string, Page] => [
    path,
    (request) => answerFile(fileOf(request.path.slice('/app/'.length)), request),
  ]),
]);

/** Whether the page is built. */
export async function hasAdvisorPage(): Promise<boolean> {
  return (await loadPages()).has('index.html');
}

/** The name of a file has a point. Any other address is a place of the document. */
const fileOf = (name: string) => (name.includes('.') ? name : 'index.html');

async function answerFile(name: string, request: Parameters<Page>[0]): Promise<ApiAnswer> {
  const page = (await loadPages()).get(name);
  return page ? page(request) : answerTo(refusal('not_found', 'no such file of the page, or the page is not built'));
}

function loadPages(): Promise<ReadonlyMap<string, Page>> {
  pages ??= makePages();
  // A failure, such as a file that is being written, is not cached.
  pages.catch(() => {
    pages = undefined;
  });
  return pages;
}

async function makePages(): Promise<ReadonlyMap<string, Page>> {
  const files = [...((await readWebFiles()) ?? [])];
  return new Map(files.map(([name, { type, bytes }]) => [name, createPage(bytes, type, HEADERS)]));
}
