import { describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authorTypes } from "#api/plugin-host/author/starter-files.ts";
import * as ui from "#ui/plugin-host/plugin-ui.ts";
import { sdkOutputs } from "./build-plugin-reference.ts";
import { projectRoot } from "./project-root.ts";

describe("what is made of the plugin SDK's types is current, or else: bun scripts/build-plugin-reference.ts", () => {
  test("each file is what the types make of it", async () => {
    const due: string[] = [];
    for (const [path, text] of await sdkOutputs())
      if ((await Bun.file(path).text()) !== text) due.push(path.slice(projectRoot.length + 1));
    expect(due).toEqual([]);
  });

  test("the reference knows every type that authors can import", async () => {
    const reference = await Bun.file(join(projectRoot, "docs/plugins/reference.md")).text();
    for (const file of ["types.ts", "frontend-types.ts", "testing.ts"]) {
      const source = await Bun.file(join(projectRoot, "src/plugins/sdk", file)).text();
      const names = [...source.matchAll(/^export (?:type|const) (\w+)/gm)].map(([, name]) => name);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(reference).toContain(`\n### ${name}\n`);
    }
  });
});

describe("the guide for plugin authors", async () => {
  const guide = await Bun.file(join(projectRoot, "docs/plugins/guide.md")).text();
  const blocks = [...guide.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)\n```$/gm)].map(
    ([, language = "", file, text = ""]) => ({ language, file, text }),
  );

  test("walks through every source of the example", () => {
    const named = new Set(blocks.flatMap(({ file }) => (file === undefined ? [] : [file])));
    for (const file of ["plugin.json", "backend/index.ts", "frontend/index.ts", "test/site-watch.test.ts"])
      expect(named).toContain(file);
  });

  test("names all that pages get from @atrium/plugin-sdk/ui, and nothing else", () => {
    const rows = guide.split("\n| kind | names |\n")[1]?.split("\n\n")[0] ?? "";
    const named = [...rows.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(Object.keys(ui).toSorted());
  });

  for (const { file, text } of blocks) {
    if (file === undefined) continue;
    test(`shows ${file} as it is: ${text.slice(0, 40).split("\n")[0]}`, async () => {
      const source = await Bun.file(join(projectRoot, "src/plugins/sdk/example/site-watch", file)).text();
      expect(source).toContain(text);
    });
  }

  test("shows nothing of ctx that the types do not know", async () => {
    const folder = await mkdtemp(join(tmpdir(), "atrium-guide-"));
    try {
      const parts = blocks
        .filter(({ language, file }) => language === "ts" && file === undefined)
        .map(({ text }, index) => `export const part${index} = async (ctx: Ctx) => {\n${text}\n};`);
      expect(parts.length).toBeGreaterThan(8);
      await writeFile(join(folder, "types.d.ts"), authorTypes());
      const source = ['import type { Ctx } from "./types.d.ts";', ...parts].join("\n");
      await writeFile(join(folder, "guide.ts"), source);
      const compiler = join(projectRoot, "node_modules/.bin/tsc");
      const options =
        "--noEmit --strict --ignoreConfig --target esnext --module esnext --moduleResolution bundler --types";
      const { stdout } = Bun.spawnSync([process.execPath, compiler, ...options.split(" "), "", "guide.ts"], {
        cwd: folder,
      });
      expect(stdout.toString()).toBe("");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
