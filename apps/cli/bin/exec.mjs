#!/usr/bin/env node
// `exec` for shells that have none built in, such as cmd of Windows: there npm finds this one. A shell of POSIX takes its
// own, and makes way for the program, so that signals reach it.
import { runInPlace } from './child.mjs';

const [program = '', ...args] = process.argv.slice(2);
runInPlace(program, args);
