const NAMES = ['PATH', 'NODE_COMPILE_CACHE'];

/** What a program of ours takes from the environment of the tests: its path, and where Node keeps what it compiled. */
export const childEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
