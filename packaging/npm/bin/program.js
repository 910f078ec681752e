// Where the program of this platform is.
"use strict";

const path = require("node:path");

const main = require("../package.json");

/** The variable of the environment that names the program, where the one of the platform's package is not meant. */
const NAMED = "TURNPROOF_PROGRAM";

/**
 * The path of the program. Throws an `Error` that says what is missing and what to do.
 *
 * @returns {string}
 */
function program() {
  const named = process.env[NAMED];
  if (named) return named;
  const name = `turnproof-${process.platform}-${process.arch}`;
  const wanted = (main.optionalDependencies || {})[name];
  if (!wanted) {
    const known = Object.keys(main.optionalDependencies || {}).join(", ");
    throw new Error(
      `there is no package for ${process.platform} on ${process.arch}; there are ${known}.\n` +
        "With Rust, `cargo install turnproof` builds it here.",
    );
  }
  let manifest;
  try {
    manifest = require.resolve(`${name}/package.json`);
  } catch {
    throw new Error(
      `the package ${name} is not installed. npm leaves it out with --omit=optional or --no-optional, and a lock file\n` +
        "that was written on another platform may lack it. Install turnproof again without these, or\n" +
        `  npm install ${name}@${wanted}`,
    );
  }
  const found = require(manifest).version;
  if (found !== main.version) {
    throw new Error(
      `the package ${name} has version ${found}, and turnproof ${main.version}; they must be the same:\n` +
        `  npm install ${name}@${main.version}`,
    );
  }
  return path.join(path.dirname(manifest), "bin", process.platform === "win32" ? "turnproof.exe" : "turnproof");
}

module.exports = { program };
