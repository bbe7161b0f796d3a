import { describe, expect, it } from 'vitest';
import { sourceProblem } from './origin-guard.ts';

const ALLOWED = {
  origins: ['https://agents.example'],
  hosts: ['tarifas.example', 'alt.example:8443', 'Upper.example'],
};
const HOST = 'localhost:3000';

describe('the check of Host and Origin', () => {
  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST:1',
    '127.0.0.1:3000',
    '127.8.8.8',
    '[::1]:3000',
    '[::1]',
    'tarifas.example',
    'tarifas.example:443',
    'TARIFAS.example',
    'alt.example:8443',
    'upper.example',
  ])('accepts the host %s', (host) => {
    expect(sourceProblem({ host, origin: null }, ALLOWED)).toBeNull();
  });

  it.each([
    null,
    '',
    'evil.example',
    'alt.example',
    'alt.example:8444',
    'sub.tarifas.example',
    'tarifas.example.evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    'localhost:3000, evil.example',
    'localhost:x',
    'localhost:123456',
    '[::1',
    '[::2]',
    '0.0.0.0',
    '10.0.0.1',
    'http://localhost',
  ])('refuses the host %j', (host) => {
    expect(sourceProblem({ host, origin: null }, ALLOWED)).toMatch(/Host/);
  });

  it.each([
    null,
    'http://localhost',
    'http://localhost:6274',
    'https://127.0.0.1:8080',
    'http://[::1]:3000',
    'https://agents.example',
  ])('accepts the origin %s', (origin) => {
    expect(sourceProblem({ host: HOST, origin }, ALLOWED)).toBeNull();
  });

  it.each([
    '',
    'null',
    'https://evil.example',
    'http://agents.example',
    'https://agents.example:8443',
    'https://agents.example.evil.example',
    'https://agents.example/',
    'http://localhost.evil.example',
    'http://localhost/',
    'http://user@localhost',
    'file://localhost',
    'chrome-extension://localhost',
    'http://localhost, https://evil.example',
  ])('refuses the origin %j', (origin) => {
    expect(sourceProblem({ host: HOST, origin }, ALLOWED)).toMatch(/Origin/);
  });

  it('accepts only this machine unless other names are configured', () => {
    const nobody = { origins: [], hosts: [] };
    expect(sourceProblem({ host: 'tarifas.example', origin: null }, nobody)).toMatch(/Host/);
    expect(sourceProblem({ host: HOST, origin: 'https://agents.example' }, nobody)).toMatch(/Origin/);
    expect(sourceProblem({ host: HOST, origin: null }, nobody)).toBeNull();
  });
});
