#!/usr/bin/env node
// Starts the program of the platform's package, with the same arguments, streams and exit code.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const { program } = require("./program.js");

/** Says what is wrong and what to do, and ends. */
function fail(words) {
  console.error(`turnproof: ${words}`);
  process.exit(2);
}

let found;
try {
  found = program();
} catch (error) {
  fail(error.message);
}
const child = spawn(found, process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C reaches the program too: it ends as it wants, and this waits for it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => fail(`the program cannot be started: ${error.message}`));
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
