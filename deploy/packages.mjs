// deploy/packages.mjs makes the packages as they are published, each in a folder of its own:
//
//   npm run packages -- FOLDER [PACKAGE...]
//   npm publish FOLDER/core                   and so on, in the order that is printed
//
// The package.json of the repository has once what all packages share: licence, version, repository.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The parts that stay in the repository: sources, and how they are built and tested. */
const HERE_ONLY = ['private', 'scripts', 'devDependencies', 'files'];
/** The parts of the repository's manifest that all packages have. */
const SHARED = ['license', 'repository', 'homepage', 'bugs', 'author'];

/** Of a scope, npm publishes for its owner alone unless told otherwise. Provenance says which build made a package. */
const PUBLISHED = { access: 'public', provenance: true };

/**
 * @param {string} folder - Is created; an existing package is overwritten.
 * @param {readonly string[]} only - Names of folders; all packages if empty.
 * @returns {Promise<{ name: string, folder: string }[]>} Dependencies first.
 */
async function stagePackages(folder, only) {
  // What is built: the tests share a package that is not.
  const sources = globSync('{packages,apps}/*/tsconfig.json', { cwd: root }).map((file) => join(root, dirname(file)));
  const manifests = new Map(sources.map((source) => [source, readJson(join(source, 'package.json'))]));
  const staged = [];
  for (const [source, manifest] of inOrder(manifests)) {
    if (only.length > 0 && !only.includes(basename(source))) continue;
    const target = join(folder, basename(source));
    copyPackage(source, target);
    writeJson(join(target, 'package.json'), publishedManifest(manifest));
    if (manifest.name === '@tarifario/api') await writeDocument(target);
    staged.push({ name: manifest.name, folder: target });
  }
  return staged;
}

/** A package after those that it depends on. */
function inOrder(manifests) {
  const sorted = new Map();
  const add = ([source, manifest]) => {
    if (sorted.has(source)) return;
    for (const entry of manifests) if (entry[1].name in (manifest.dependencies ?? {})) add(entry);
    sorted.set(source, manifest);
  };
  for (const entry of manifests) add(entry);
  return sorted;
}

function publishedManifest(manifest) {
  const shared = readJson(join(root, 'package.json'));
  const own = Object.entries(manifest).filter(([name]) => !HERE_ONLY.includes(name));
  const exports = Object.entries(manifest.exports).map(([entry, target]) => {
    const { 'tarifario-source': _, ...others } = target;
    return [entry, typeof target === 'string' ? target : others];
  });
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(SHARED.filter((name) => name in shared).map((name) => [name, shared[name]])),
    engines: manifest.engines ?? { node: '>=22.14' },
    publishConfig: PUBLISHED,
    exports: Object.fromEntries(exports),
    // `exec` is for the scripts of the repository only.
    ...(manifest.bin && { bin: { tarifario: manifest.bin.tarifario } }),
  };
}

/** The built files, without tests, whose sources still exist, and the other files of the package. */
function copyPackage(source, target) {
  const { rootDir } = readJson(join(source, 'tsconfig.json')).compilerOptions;
  const isBuilt = (file) => {
    if (/\.test\.(d\.)?[jt]s$/.test(file)) return false;
    const of = join(source, rootDir, file.replace(/(\.d)?\.(js|ts)$/, '.ts'));
    return existsSync(of) || existsSync(`${of}x`);
  };
  const built = globSync('**/*.{js,d.ts}', { cwd: join(source, 'dist') }).filter(isBuilt);
  if (built.length === 0) throw new Error(`${source} is not built: npm run build`);
  for (const file of built) cpSync(join(source, 'dist', file), join(target, 'dist', file));
  for (const file of built.filter((name) => name.endsWith('.d.ts'))) {
    writeFileSync(join(target, 'dist', file), withoutDecisions(readFileSync(join(source, 'dist', file), 'utf8')));
  }
  const besides = ['bin', 'dist/app', 'dist/openapi-examples.json'].filter((name) => existsSync(join(source, name)));
  for (const name of besides) cpSync(join(source, name), join(target, name), { recursive: true });
  copyPages(relative(root, source), target);
  for (const name of globSync('LICENSE*', { cwd: root })) cpSync(join(root, name), join(target, name));
  if (basename(source) === 'web' && !besides.includes('dist/app')) {
    throw new Error('the page is not built: npm run build -w @tarifario/web');
  }
  if (basename(source) === 'cli') copyCatalog(join(target, 'catalog'));
}

/** The number of a decision, and not that of a law (BOE-A-2022-16989). */
const DECISION = /(?<![\w-])A-\d+\b/;

/** Declarations as an editor shows them: to who embeds a package the number of a decision of ours says nothing. */
function withoutDecisions(text) {
  return text
    .replaceAll(/ ?\(A-\d+(?:(?:,| and| to) A-\d+)*\)/g, '')
    .replaceAll(/\n\s*\* @see docs\/assumptions\.md, .*/g, '')
    .replaceAll(/ ?@see docs\/assumptions\.md, .*?(?= \*\/)/g, '');
}

/** The pages of a package, those that its README links to, and the decisions if a comment names one by its number. */
function copyPages(source, target) {
  const own = ['README.md', 'api-report.md'].filter((name) => existsSync(join(root, source, name)));
  const linked = own.flatMap((name) =>
    [...readFileSync(join(root, source, name), 'utf8').matchAll(/\]\(\.\.\/\.\.\/(docs\/[^)#]+)/g)].map(
      ([, page]) => page,
    ),
  );
  const comments = globSync('**/*.{js,ts}', { cwd: target }).map((file) => readFileSync(join(target, file), 'utf8'));
  const named = comments.some((text) => DECISION.test(text)) ? ['docs/assumptions.md'] : [];
  const places = new Map([
    ...own.map((name) => [join(source, name), name]),
    ...['CHANGELOG.md', ...linked, ...named].map((name) => [name, name]),
  ]);
  for (const [page, place] of places) {
    const text = withLinks(readFileSync(join(root, page), 'utf8'), (link) => {
      const linkedPlace = places.get(normalize(join(dirname(page), link)));
      return linkedPlace && relative(dirname(place), linkedPlace);
    });
    mkdirSync(dirname(join(target, place)), { recursive: true });
    writeFileSync(join(target, place), text);
  }
}

/** A link to a page that has no place becomes its text; one that is alone between brackets is left out. */
function withLinks(text, placeOf) {
  const replaced = (whole, open = '', label, page, anchor = '', close = '') => {
    if (page === '' || page.startsWith('http')) return whole;
    const place = placeOf(page);
    if (place) return `${open}[${label}](${place}${anchor})${close}`;
    return open && close ? '' : `${open}${label}${close}`;
  };
  const parts = text.split(/^(```.*?^```$)/ms);
  const link = /(\s*\()?\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)(\))?/g;
  return parts.map((part) => (part.startsWith('```') ? part : part.replaceAll(link, replaced))).join('');
}

/** The files that the demo is made of. */
function copyCatalog(target) {
  const catalog = join(root, 'test-fixtures/catalog');
  const files = globSync('*.{json,csv,txt}', { cwd: catalog });
  for (const file of files) cpSync(join(catalog, file), join(target, file));
}

/** The document as a file: `@tarifario/api/openapi.json`. */
async function writeDocument(target) {
  const { openApiDocument } = await import('../packages/api/dist/index.js');
  writeFileSync(join(target, 'dist/openapi.json'), JSON.stringify(openApiDocument()));
  const file = join(target, 'package.json');
  const manifest = readJson(file);
  writeJson(file, { ...manifest, exports: { ...manifest.exports, './openapi.json': './dist/openapi.json' } });
}

function writeJson(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

const [folder, ...only] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: npm run packages -- FOLDER [PACKAGE...]');
for (const made of await stagePackages(resolve(folder), only)) console.log(`${made.name}\t${made.folder}`);
