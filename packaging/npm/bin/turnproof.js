#!/usr/bin/env node
// Starts the program of the platform's package, with the same arguments, streams and exit code.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const path = require("node:path");

const main = require("../package.json");

/** Says what is wrong and what to do, and ends. */
function fail(words) {
  console.error(`turnproof: ${words}`);
  process.exit(2);
}

/** The program in the package of this platform. */
function program() {
  const name = `turnproof-${process.platform}-${process.arch}`;
  const wanted = (main.optionalDependencies || {})[name];
  if (!wanted) {
    const known = Object.keys(main.optionalDependencies || {}).join(", ");
    fail(
      `there is no package for ${process.platform} on ${process.arch}; there are ${known}.\n` +
        "With Rust, `cargo install turnproof` builds it here.",
    );
  }
  let manifest;
  try {
    manifest = require.resolve(`${name}/package.json`);
  } catch {
    fail(
      `the package ${name} is not installed. npm leaves it out with --omit=optional or --no-optional, and a lock file\n` +
        "that was written on another platform may lack it. Install turnproof again without these, or\n" +
        `  npm install ${name}@${wanted}`,
    );
  }
  const found = require(manifest).version;
  if (found !== main.version) {
    fail(
      `the package ${name} has version ${found}, and turnproof ${main.version}; they must be the same:\n` +
        `  npm install ${name}@${main.version}`,
    );
  }
  return path.join(path.dirname(manifest), "bin", process.platform === "win32" ? "turnproof.exe" : "turnproof");
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C reaches the program too: it ends as it wants, and this waits for it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => fail(`the program cannot be started: ${error.message}`));
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
