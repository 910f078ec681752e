/** The version of a package that is installed beside an adapter. */
import { readFileSync } from "node:fs";

/** `adapter` is the adapter's own `import.meta.url`. */
export const packageVersion = (adapter, name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, adapter), "utf8")).version;
