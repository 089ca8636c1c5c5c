import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf } from "#api/core/digest-of.ts";
import type { Log } from "#api/core/log.ts";

/** Loads a bundle's text as a module and resolves to its default export. Rejects with an `Error` for the author. */
export type ImportBundle = (source: string) => Promise<unknown>;

// Modules are never forgotten: about 200 KB stay of each that was loaded.
const manyLoads = 50;

/**
 * Loads bundles from files of `folder` that are named by their content, each time anew: what a module remembered before
 * it was stopped is not there when it starts again.
 */
export const createImportBundle = ({
  folder,
  log,
}: {
  folder: string;
  log: Pick<Log, "info">;
}): ImportBundle => {
  let loads = 0;
  return async (source) => {
    loads += 1;
    if (loads === manyLoads)
      log.info("plugins were loaded into this process many times; a restart gives their memory back", {
        loads,
      });
    const name = digestOf(new TextEncoder().encode(source));
    const path = join(folder, `${name}.mjs`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Always written: what lies there may not be what was verified.
    const part = `${path}.${process.pid}.${loads}`;
    await writeFile(part, source, { mode: 0o600 });
    await rename(part, path);
    const module: unknown = await import(`${path}?load=${loads}`);
    return Reflect.get(Object(module), "default");
  };
};
