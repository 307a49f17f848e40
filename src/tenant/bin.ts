#!/usr/bin/env node
/** The command of the client's package. */
import { main } from "./main.ts";

process.exitCode = await main(process.argv.slice(2));
