import { fromWireOffers } from '@tarifario/api';
import { type DemoSeed, seedDemo } from '@tarifario/cli/demo';
import { browserProgram } from '@tarifario/testkit/browser-program';
import { type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { type Browser, chromium, type Page, type ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';

/** A running service with the demo, and a browser. */
export interface Site {
  readonly server: RunningServer;
  readonly accountId: number;
  readonly keys: DemoSeed['keys'];
  /** A page, loaded anew, and signed in where a key is given. */
  open(options?: PageOptions): Promise<WatchedPage>;
  /** A call of the API beside the browser. */
  ask<T = unknown>(path: string, body?: object, key?: string): Promise<T>;
  close(): Promise<void>;
}

interface PageOptions {
  readonly key?: string;
  /** The part of the address behind `/app/`. */
  readonly at?: string;
  readonly locale?: string;
  readonly viewport?: ViewportSize;
}

export interface WatchedPage {
  readonly page: Page;
  /** The addresses that it asked for. */
  readonly requests: readonly string[];
  /** Addresses and bodies of all requests, and the contents of the files in them. */
  readonly sent: readonly string[];
  /** Bodies of all answers of the API. */
  readonly answers: readonly string[];
  /** Ends its use; fails where it asked another host, sent the number of a supply point, lost the focus, broke the content policy or had an error. */
  close(expected?: RegExp): Promise<void>;
}

/** One for all files that a worker runs: their project loads this module once. It ends with the worker. */
let launched: Promise<Browser> | undefined;

/** Tests over one service with the demo, which they read while they run. Without a browser they are skipped. */
export function describePage(title: string, tests: (site: Site) => void): void {
  describe.skipIf(browserProgram === undefined)(title, () => {
    const site = {} as Site;
    beforeAll(async () => void Object.assign(site, await openSite()));
    afterAll(() => site.close());
    tests(site);
  });
}

export async function openSite(): Promise<Site> {
  const server = await startTestServer();
  const { keys, account_id: accountId } = await seedDemo(server.service);
  launched ??= chromium.launch({
    executablePath: browserProgram ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  const browser = await launched;
  // Another page in the same renderer takes half as much of a processor as one of a new profile.
  const idle = new Map<string, Page>();
  return {
    server,
    accountId,
    keys,
    open: async ({ key, at = '', locale = 'es-ES', viewport = { width: 1280, height: 900 } } = {}) => {
      const page = idle.get(locale) ?? (await newPage(browser, locale));
      // A test that fails leaves its page behind, and no later one uses it.
      idle.delete(locale);
      await page.setViewportSize(viewport);
      const watched = watch(page, server.url, () => idle.set(locale, page));
      await page.goto(`${server.url}/app/${at}${key === undefined ? '' : `#key=${key}`}`);
      return watched;
    },
    ask: async (path, body, key = keys.full_access) => {
      const response = await fetch(server.url + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'X-API-Key': key, ...(body ? { 'Content-Type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return JSON.parse(await response.text());
    },
    close: async () => {
      for (const context of browser.contexts()) await context.close();
      await server.close();
    },
  };
}

/** Takes the newest key of the account of the demo away. */
export async function revokeLastKey({ server: { service }, accountId }: Site): Promise<void> {
  await service.store.write({ keyId: null, at: service.clock.now() }, async (writer) => {
    const last = (await writer.keys.list(accountId)).at(-1);
    await writer.keys.revoke(last?.id ?? 0);
  });
}

/** Holds back the next answer to such a request. */
export async function holdAnswer(page: Page, url: string, method = 'GET') {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route(url, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback();
    isFirst = false;
    const response = await route.fetch();
    hold();
    await released;
    return route.fulfill({ response });
  });
  return { held, release };
}

/** How many numbers of commissions are in the memory of a page, once what it no longer uses is collected. */
export async function commissionsInMemory(page: Page): Promise<number> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.collectGarbage');
  const { result } = await tools.send('Runtime.evaluate', { expression: 'Object.prototype' });
  const { objects } = await tools.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
  const count = await tools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () {
      return this.filter((one) => typeof Object.getOwnPropertyDescriptor(one, 'comision_extra')?.value === 'number').length;
    }`,
    returnByValue: true,
  });
  // Its results stay readable until it is detached.
  await tools.detach();
  return Number(count.result.value);
}

/** What takes the content of the forms and files that a page sends: the browser does not show it to tests. */
const notes = new WeakMap<Page, (text: string) => void>();
const NOTE_FILES = `(() => {
  const { fetch, XMLHttpRequest: { prototype }, Response } = window;
  const { send } = prototype;
  const note = async (body) => {
    if (body && typeof body !== 'string') await noteSent((await new Response(body).text()).slice(0, 1e5));
  };
  window.fetch = async (url, init) => {
    await note(init?.body);
    return fetch(url, init);
  };
  prototype.send = function (body) {
    void note(body);
    send.call(this, body);
  };
})()`;

/** What takes the controls that had the focus when they were disabled, hidden or taken away, and nothing got it. */
const lostFocus = new WeakMap<Page, (text: string) => void>();
const NOTE_LOST_FOCUS = `(() => {
  // Frames run no script.
  if (window !== top) return;
  let last = null;
  addEventListener('focusin', ({ target }) => { last = target; });
  const { setInterval, requestAnimationFrame } = window;
  const isLost = () => last && document.activeElement === document.body && !matchMedia('print').matches &&
    !(last.isConnected && last.checkVisibility() && !last.matches(':disabled'));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  setInterval(async () => {
    if (!isLost()) return;
    // The page may be about to give it to something else.
    for (const _ of [1, 2, 3]) await frame();
    if (!isLost()) return;
    noteLostFocus(last.outerHTML.slice(0, 120));
    last = null;
  }, 100);
})()`;
/** The number of a supply point. */
const CUPS = /ES\W{0,3}(?:\d\W{0,3}){16}[A-Z]{2}/i;

async function newPage(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({ locale });
  // As long as a test may take: on a busy machine a step has to wait for its turn.
  context.setDefaultTimeout(110_000);
  const page = await context.newPage();
  await page.exposeFunction('noteSent', (text: string) => notes.get(page)?.(text));
  await page.exposeFunction('noteLostFocus', (text: string) => lostFocus.get(page)?.(text));
  await page.addInitScript(NOTE_FILES);
  await page.addInitScript(NOTE_LOST_FOCUS);
  // From now on a chooser of files is an event for the test. Begun only when a key is pressed, it can come too late.
  page.on('filechooser', () => {});
  return page;
}

function watch(page: Page, origin: string, release: () => void): WatchedPage {
  const requests: string[] = [];
  const sent: string[] = [];
  const answers: string[] = [];
  const troubles: string[] = [];
  page.on('request', (request) => {
    requests.push(request.url());
    sent.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  notes.set(page, (text) => sent.push(text));
  const lost: string[] = [];
  lostFocus.set(page, (text) => lost.push(text));
  page.on('response', async (response) => {
    if (response.url().includes('/v1/')) answers.push(await response.text().catch(() => ''));
  });
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(String(error)));
  return {
    page,
    requests,
    sent,
    answers,
    close: async (expected) => {
      // An answer that comes now stores nothing any more. A page that has left the service has no storage.
      await page.evaluate('try { Storage.prototype.setItem = () => {}; sessionStorage.clear() } catch {}');
      // Another document: the next one of the same address would else be the same, with its memory.
      await page.goto('about:blank');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const event of ['request', 'response', 'console', 'pageerror']) page.removeAllListeners(event);
      expect(troubles.filter((text) => !expected?.test(text))).toEqual([]);
      expect(lost).toEqual([]);
      expect(sent.filter((text) => CUPS.test(text)).map((text) => text.slice(0, 200))).toEqual([]);
      expect(requests.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin)).toEqual([]);
      release();
    },
  };
}

/** Text that does something where it is taken for markup, or for a formula. */
export const EVIL = {
  offer: '<img src=x onerror="window.evil = 1">',
  company: '=HYPERLINK("http://evil.example","x")',
};

/** More offers for a household, all with other costs and commissions, of a retailer with an evil name unless one is given. */
export async function addOffers({ server }: Site, count: number, retailer = EVIL.company): Promise<void> {
  const { store, clock } = server.service;
  const { offers } = fromWireOffers(
    Array.from({ length: count }, (_, index) => ({
      ...{ company: retailer, offer_name: index === 0 ? EVIL.offer : `Oferta ${index}` },
      ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory_peninsula: true, acepta_dni: true },
      ...{ e1: 0.12 + 0.0007 * index, e2: 0.11 + 0.0005 * ((index * 7) % count), e3: 0.09, p1: 0.08, p2: 0.01 },
      ...{ commission: 20 + ((index * 37) % 101), commission_type: 'fixed' },
    })),
  );
  await store.write({ keyId: null, at: clock.now() }, async (writer) => {
    const company = await writer.companies.insert('catalog', {
      firmId: null,
      name: retailer,
      logoUrl: null,
      isActive: true,
    });
    await writer.offers.insert(
      'catalog',
      offers.map(({ offer: { id: _id, createdAt: _made, updatedAt: _changed, ...terms } }) => ({
        ...terms,
        companyId: company.id,
      })),
    );
  });
}
