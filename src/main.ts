#!/usr/bin/env node
/** The command `ringkey`. Its commands are in cli/. */
import { runCommandLine } from './cli/program.ts';

/** How long a forgotten timer or socket may keep the process after its command has ended. */
const LEFTOVERS_LIMIT_MS = 2_000;

process.exitCode = await runCommandLine(process.argv.slice(2));
setTimeout(() => process.exit(), LEFTOVERS_LIMIT_MS).unref();
