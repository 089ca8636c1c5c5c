import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { hostForFile } from "#api/testing/for-file.ts";
import { readManifest } from "#contract/plugin-manifest.ts";
import { pluginTools } from "./plugin-tools.ts";

const template = join(import.meta.dir, "../../../plugins/plugin-template");
const schema = "http://localhost:3000/api/plugin-host/manifest.schema.json";
/** What the template only refers to, and a new plugin has whole. */
const madeOfTheSdk = ["atrium-plugin.d.ts", "test/atrium-testing.ts"];
const starter = (name: string, hasPage = true) => pluginTools.starterFiles({ name, hasPage, schema });

const host = await hostForFile();
const admin = await host.signedIn("admin");

describe("the source of a new plugin", () => {
  test("is every file of the plugin template, as it is but for the name", async () => {
    const files = starter("plugin-template");
    const paths = [...new Bun.Glob("**/*").scanSync({ cwd: template })];
    expect([...files.keys()].filter((path) => path !== ".gitignore").sort()).toEqual(paths.sort());
    for (const [path, text] of files) {
      if ([".gitignore", "plugin.json", "README.md", ...madeOfTheSdk].includes(path)) continue;
      expect([path, text === (await Bun.file(join(template, path)).text())]).toEqual([path, true]);
    }
    const { $schema, ...manifest } = JSON.parse(files.get("plugin.json") ?? "");
    const own = await Bun.file(join(template, "plugin.json")).json();
    manifest.adminPanel.menuItem.path = own.adminPanel.menuItem.path;
    expect({ ...manifest, $schema: own.$schema }).toEqual(own);
    expect($schema).toBe(schema);
  });

  test("needs nothing of this repository: types and test kit are included", () => {
    for (const [path, text] of starter("visitor-notes"))
      expect([path, /sdk\/|#plugins|#api/.test(text)]).toEqual([path, false]);
    for (const path of madeOfTheSdk)
      expect(starter("visitor-notes").get(path)?.length).toBeGreaterThan(4_000);
  });

  test.each([true, false])(
    "is typed without a mistake in a folder of its own (with a page: %p)",
    async (hasPage) => {
      const folder = await mkdtemp(join(tmpdir(), "atrium-starter-"));
      try {
        for (const [path, text] of starter("visitor-notes", hasPage))
          await Bun.write(join(folder, path), text);
        const tsc = Bun.spawnSync([process.execPath, "x", "--no-install", "tsc", "-p", folder], {
          cwd: import.meta.dir,
        });
        expect([tsc.stdout.toString(), tsc.exitCode]).toEqual(["", 0]);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  test("names the new plugin wherever the template names itself", () => {
    const files = starter("visitor-notes");
    const manifest = JSON.parse(files.get("plugin.json") ?? "");
    expect(manifest).toMatchObject({ name: "visitor-notes", title: "Visitor notes" });
    expect(manifest.adminPanel.menuItem.path).toBe("/admin/plugins/visitor-notes");
    for (const [path, text] of files) expect([path, /plugin.template/i.test(text)]).toEqual([path, false]);
  });

  test("has terminal commands of its own word where its name is one of the product's", () => {
    const read = readManifest(JSON.parse(starter("doctor").get("plugin.json") ?? ""));
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    expect(read.manifest.commands?.word).toBe("doctor-plugin");
    expect(read.manifest.commands?.list[0]?.examples[0]?.typed).toBe("atrium doctor-plugin greet");
  });

  test("has nothing of a page without one", () => {
    const files = starter("visitor-notes", false);
    expect([...files.keys()].filter((path) => path.startsWith("frontend"))).toEqual([]);
    expect(files.get("README.md")).not.toContain("its page");
  });

  test("is what admins can download, and no one else", async () => {
    const answer = await admin.call("GET", "/api/plugins/visitor-notes/starter");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="visitor-notes.zip"');
    const files = Object.entries(unzipSync(await answer.bytes()));
    const texts = files.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
    expect(new Map(texts as [string, string][])).toEqual(
      new Map([...starter("visitor-notes")].map(([path, text]) => [`visitor-notes/${path}`, text])),
    );
    for (const name of ["admin", "Tried", "a_b"])
      expect((await admin.call("GET", `/api/plugins/${name}/starter`)).status).toBe(404);
  });
});
