import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildFolder } from "#api/plugin-host/author/build-folder.ts";
import { packFolder } from "#api/plugin-host/package/pack.ts";
import { packageName, shippedOutput } from "#api/plugin-host/package/shipped-packages.ts";
import { projectRoot } from "./project-root.ts";

const sources = join(projectRoot, "src/plugins");

/** Builds and packs every plugin that ships with the product: the same sources make the same bytes. */
export const buildPlugins = async (): Promise<void> => {
  await mkdir(shippedOutput, { recursive: true });
  const names = await shippedNames();
  for (const name of names) {
    const zip = packFolder(await buildFolder(join(sources, name)));
    const path = join(shippedOutput, packageName(name));
    // Under another name until it is whole: a server may be reading it.
    await Bun.write(`${path}.part`, zip);
    await rename(`${path}.part`, path);
  }
  const wanted = new Set(names.map(packageName));
  for (const file of await readdir(shippedOutput))
    if (!wanted.has(file)) await rm(join(shippedOutput, file), { force: true });
};

/** The folders below `src/plugins` that hold a plugin. */
export const shippedNames = async (): Promise<string[]> => {
  const found = new Bun.Glob("*/plugin.json").scan({ cwd: sources });
  const names: string[] = [];
  for await (const path of found) names.push(path.slice(0, path.indexOf("/")));
  return names.sort();
};
