// Makes the npm packages: node packaging/npm/pack.mjs OUT PLATFORM=PROGRAM…
//
// OUT gets a folder for each package: those of the platforms that are given, and `turnproof`, which depends on all
// platforms at exactly its own version. Publish the platforms first. The version is that of Cargo.toml.

import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const read = (name) => JSON.parse(readFileSync(join(here, name), "utf8"));

const version = /\[workspace\.package\]\nversion = "([^"]+)"/.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1];
if (!version) throw new Error("Cargo.toml has no [workspace.package] version");
const main = { ...read("package.json"), version };
const platforms = read("platforms.json");

const [out, ...programs] = process.argv.slice(2);
if (!out || programs.length === 0) {
  console.error("node packaging/npm/pack.mjs OUT PLATFORM=PROGRAM…, such as OUT linux-x64=target/release/turnproof");
  process.exit(2);
}

/** Makes the folder of a package, with what all have. */
function folder(manifest) {
  const path = join(out, manifest.name);
  mkdirSync(join(path, "bin"), { recursive: true });
  writeFileSync(join(path, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(root, name), join(path, name));
  console.log(path);
  return path;
}

for (const pair of programs) {
  const [platform, program] = pair.split(/=(.*)/s);
  if (!platforms[platform]) throw new Error(`${platform} is none of ${Object.keys(platforms).join(", ")}`);
  const [os, cpu] = platform.split("-");
  const description = `The program of the package turnproof for ${os} on ${cpu}`;
  const { license } = main;
  const path = folder({ name: `turnproof-${platform}`, version, description, license, os: [os], cpu: [cpu] });
  const placed = join(path, "bin", os === "win32" ? "turnproof.exe" : "turnproof");
  copyFileSync(program, placed);
  chmodSync(placed, 0o755);
}

const names = Object.keys(platforms).map((platform) => [`turnproof-${platform}`, version]);
const path = folder({ ...main, optionalDependencies: Object.fromEntries(names) });
for (const name of ["bin", "lib"]) cpSync(join(here, name), join(path, name), { recursive: true });
copyFileSync(join(root, "README.md"), join(path, "README.md"));
