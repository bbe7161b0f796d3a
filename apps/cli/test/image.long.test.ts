import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfSources } from '@tarifario/testkit/copy-of-sources';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const [, base = ''] = /^FROM (\S+) AS/m.exec(dockerfile) ?? [];
const IMAGE = 'tarifario-tested';

/** A program that builds images here, without a daemon or root where that is buildah, and has what ours begins with. */
const builder = ['docker', 'podman', 'buildah'].find((program) => {
  const pull = program === 'docker' ? ['pull', '-q', base] : ['pull', '-q', '--policy', 'missing', base];
  return run(program, ['info']).status === 0 && run(program, pull).status === 0;
});
if (builder === undefined) console.warn(`!!! NOT TESTED: nothing here builds images of ${base} !!!`);

function run(program: string, words: readonly string[], cwd = root) {
  const env = { BUILDAH_ISOLATION: 'chroot', ...process.env };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** A command line in a new container of the image, as the user of the image. */
function inImage(program: string, words: readonly string[]) {
  if (program !== 'buildah') return run(program, ['run', '--rm', IMAGE, ...words]);
  const container = run(program, ['from', '--pull=never', `localhost/${IMAGE}`]).stdout.trim();
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
  const ran = run(program, ['run', container, '--', ...entry, ...words]);
  run(program, ['rm', container]);
  return ran;
}

test.skipIf(builder === undefined)(
  'the image is built of the sources, and its program finds settings and tables',
  () => {
    const [program = '', folder] = [builder, copyOfSources()];
    try {
      for (const links of ['node_modules', ...globSync('{packages,apps}/*/node_modules', { cwd: folder })]) {
        rmSync(join(folder, links), { recursive: true });
      }
      const build = [program === 'buildah' ? 'bud' : 'build', '-q', '-f', 'deploy/Dockerfile', '-t', IMAGE, '.'];
      expect(run(program, build, folder)).toMatchObject({ status: 0 });
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      expect(inImage(program, ['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
      expect(inImage(program, ['migrate'])).toMatchObject({ status: 0 });
    } finally {
      rmSync(folder, { recursive: true });
      run(program, ['rmi', '-f', IMAGE]);
    }
  },
);
