import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildFolder } from "./build-folder.ts";
import { pluginTools } from "./plugin-tools.ts";

const schema = "http://localhost:3000/api/plugin-host/manifest.schema.json";
let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "atrium-author-"));
});
afterEach(() => rm(root, { recursive: true }));

/** Writes a new plugin, with other files in the place of some of its own. */
const write = async (place: string, files: Record<string, string> = {}): Promise<string> => {
  const starter = pluginTools.starterFiles({ name: "tried", hasPage: true, schema });
  const folder = join(root, place);
  for (const [path, text] of [...starter, ...Object.entries(files)]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
};
const textIn = (files: Map<string, Uint8Array>, path: string) => new TextDecoder().decode(files.get(path));
const problemsOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "built",
    (error) => error.problems,
  );

describe("a plugin's package", () => {
  test("holds bundles and what belongs to them, and no source, test, key or hidden file", async () => {
    const folder = await write("a", {
      "publisher.pem": "private",
      ".env": "SECRET=1",
      "old.zip": "zip",
      "node_modules/x/index.js": "",
      "frontend/logo.svg": "<svg/>",
    });
    const { files } = await pluginTools.pack(folder);
    expect(files).toEqual([
      "README.md",
      "backend/index.js",
      "frontend/index.css",
      "frontend/index.js",
      "frontend/logo.svg",
      "plugin.json",
    ]);
  });

  test("holds the script for every page as one module of its own, and shares nothing with it", async () => {
    const folder = await write("a", {
      "frontend/site.ts": 'import { name } from "../plugin.json";\nexport default { name, start() {} };',
    });
    const manifest = await Bun.file(join(folder, "plugin.json")).json();
    manifest.frontend = { ...manifest.frontend, site: "frontend/site.js" };
    manifest.permissions.push("ui.site");
    await Bun.write(join(folder, "plugin.json"), JSON.stringify(manifest));
    const site = textIn(await buildFolder(folder), "frontend/site.js");
    expect(site).toContain("tried");
    expect(site).not.toContain("import ");
  });

  test("is the same bytes wherever the folder lies", async () => {
    const [one, other] = [await write("one"), await write("deep/er/other")];
    const packed = await pluginTools.pack(one);
    expect((await pluginTools.pack(other)).zip).toEqual(packed.zip);
    expect((await pluginTools.pack(one)).zip).toEqual(packed.zip);
  });

  test("tells each mistake with its file and line", async () => {
    const folder = await write("a", { "backend/index.ts": "const a = 1;\nconst b = ;\n" });
    expect(await problemsOf(pluginTools.pack(folder))).toEqual([
      { path: "backend/index.ts:2:11", message: "Unexpected ;" },
    ]);
    const missing = await write("b", { "backend/index.ts": 'import "./absent.ts";\nexport default {};' });
    expect(await problemsOf(pluginTools.pack(missing))).toMatchObject([{ path: "backend/index.ts:1:8" }]);
  });

  test("tells what is wrong with its manifest", async () => {
    const folder = await write("a", {
      "plugin.json": '{ "manifestVersion": 1, "name": "admin", "version": "1" }',
    });
    const problems = await problemsOf(pluginTools.pack(folder));
    expect(problems).toMatchObject([{ path: "name" }, { path: "version" }]);
  });

  test("is refused for a folder that is no plugin", async () => {
    await expect(pluginTools.pack(root)).rejects.toThrow("there is no plugin.json in it");
  });

  test("keeps a bundle that has no source as it is", async () => {
    const page = "export default {};";
    const folder = await write("a", { "backend/index.js": "export default {};", "frontend/index.ts": page });
    await rm(join(folder, "backend/index.ts"));
    expect(textIn(await buildFolder(folder), "backend/index.js")).toBe("export default {};");
  });
});

describe("a package for a while", () => {
  test("says another version in the manifest and in both bundles, literals and bundles without source too", async () => {
    const literal = 'export default { name: "tried", version: "1.0.0", setup() {} };';
    for (const files of [{}, { "backend/index.ts": literal }]) {
      const folder = await write("a", files);
      const built = await buildFolder(folder, { version: (declared) => `${declared}-dev.7` });
      expect(JSON.parse(textIn(built, "plugin.json")).version).toBe("1.0.0-dev.7");
      for (const path of ["backend/index.js", "frontend/index.js"]) {
        const file = join(root, `${path.replace("/", "-")}-${Object.keys(files).length}.mjs`);
        await writeFile(file, textIn(built, path));
        const { default: plugin } = await import(file);
        expect([plugin.name, plugin.version]).toEqual(["tried", "1.0.0-dev.7"]);
      }
    }
  });
});

describe("a page's script", () => {
  const react = `import { useState } from "react";
    export default { name: "tried", version: "1.0.0", Page: () => <p>{useState(1)}</p> };`;

  test("leaves React to the host in the host's window, and asks for what that shares alone", async () => {
    const folder = await write("a", { "frontend/index.tsx": react });
    await rm(join(folder, "frontend/index.ts"));
    const manifest = JSON.parse(await Bun.file(join(folder, "plugin.json")).text());
    manifest.frontend.mode = "native";
    manifest.permissions.push("ui.native");
    await writeFile(join(folder, "plugin.json"), JSON.stringify(manifest));
    const built = await buildFolder(folder);
    const script = textIn(built, "frontend/index.js");
    expect([...script.matchAll(/from ?"([^"]+)"/g)].map(([, name]) => name).sort()).toEqual([
      "react",
      "react/jsx-runtime",
    ]);
    expect(textIn(built, "frontend/index.css")).not.toContain("border: 0 solid");
  });

  test("cannot import in a frame what is not there to be bundled", async () => {
    const folder = await write("a", { "frontend/index.ts": 'import "absent-package"; export default {};' });
    expect(await problemsOf(pluginTools.pack(folder))).toMatchObject([{ path: "frontend/index.ts:1:8" }]);
  });
});

describe("a stylesheet", () => {
  test("gets the classes that the frontend names, in the host's colors", async () => {
    const css = textIn(await buildFolder(await write("a")), "frontend/index.css");
    expect(css).toContain("background-color: var(--card");
    expect(css).toContain("border: 0 solid");
    expect(css).not.toContain(".underline");
  });

  test("stays as it is when it has nothing to do with Tailwind", async () => {
    const plain = "p { color: red; }";
    const folder = await write("a", { "frontend/index.css": plain });
    expect(textIn(await buildFolder(folder), "frontend/index.css")).toBe(plain);
  });

  test("that cannot be compiled is told", async () => {
    const folder = await write("a", {
      "frontend/index.css": '@import "tailwindcss";\n@import "./other.css";',
    });
    expect(await problemsOf(pluginTools.pack(folder))).toMatchObject([{ path: "frontend/index.css" }]);
  });
});
