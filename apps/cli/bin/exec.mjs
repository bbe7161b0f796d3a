#!/usr/bin/env node
// `exec` for shells without a built-in one, such as cmd of Windows: there npm finds this one. A POSIX shell uses its
// own, which replaces the shell by the program, so that signals reach the program.
import { runInPlace } from './child.mjs';

const [program = '', ...args] = process.argv.slice(2);
runInPlace(program, args);
