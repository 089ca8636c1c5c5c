import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundleScript, PluginBuildError } from "./build-folder.ts";

let root = "";
let folder = "";
const at = (path: string): string => join(root, path);
const write = async (path: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), content);
};
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "atrium-guard-")));
  folder = at("plugin");
  const work = `import { writeFileSync } from "node:fs";
    const work = () => { writeFileSync(${JSON.stringify(at("ran"))}, ""); return "ran"; };`;
  await write("plugin/work.ts", `${work} export const run = work; export default work;`);
  await write("data/app.key", "key-canary");
});
afterEach(() => rm(root, { recursive: true }));

type How = { path?: string; isNative?: boolean; isSmall?: boolean };
const build = async (
  source: string | Uint8Array,
  { path = "index.ts", ...how }: How = {},
): Promise<{ text: string } | { problems: unknown }> => {
  await write(`plugin/${path}`, source);
  try {
    const bundle = await bundleScript({ folder, source: path, external: [], ...how });
    return { text: new TextDecoder().decode(bundle) };
  } catch (error) {
    if (error instanceof PluginBuildError) return { problems: error.problems };
    throw error;
  }
};
const call = "export default run();";
const macro = `import { run } from "./work.ts" with { type: "macro" }; ${call}`;
const dataAddress = `data:text/javascript,${encodeURIComponent(macro)}`;
const isMacro = { problems: [{ message: expect.stringContaining("Macros are not run") }] };
const isData = {
  problems: [{ path: "index.ts", message: expect.stringContaining("data: URLs can't be imported") }],
};
const isOutside = { problems: [{ message: expect.stringContaining("outside the plugin's folder") }] };

describe("P10: what the bundler would run", () => {
  test("is refused with its file and place", async () => {
    expect(await build(macro)).toEqual({
      problems: [{ path: "index.ts:1:72", message: expect.stringContaining("Macros are not run") }],
    });
    expect(existsSync(at("ran"))).toBe(false);
  });

  test.each([
    ["an older word", `import { run } from "./work.ts" assert { type: "macro" }; ${call}`],
    ["escapes", `import { run } from "./work.ts" with { "t\\u0079pe": "m\\u{61}c\\x72o" }; ${call}`],
    ["a broken line", `import { run } from "./work.ts" with { type: "mac\\\nro" }; ${call}`],
    [
      "comments",
      `import { run } /*"*/ from "./work.ts" /*'*/ with // x\n { /* */ type\n:\n'macro' }; ${call}`,
    ],
    ["a prefix", `import { run } from "macro:./work.ts"; ${call}`],
    ["a prefix in escapes", `import { run } from "\\155acro:./work.ts"; ${call}`],
    ["a namespace", `import * as all from "./work.ts" with { type: "macro" }; export default all.run();`],
    ["a default", `import work from "./work.ts" with { type: "macro" }; export default [work(), work\`\`];`],
    [
      "a condition",
      `${macro.replace(call, "")} if (import.meta.main || typeof process) globalThis.x = run();`,
    ],
    ["what says that it is built", `// @bun @bun-cjs\n${macro}`],
    ["a comment that ends in a backslash", `/*\\*/${macro}`],
  ])("is refused behind %s", async (_, source) => {
    for (const how of [{}, { isNative: true }, { isSmall: true }])
      expect(await build(source, how)).toMatchObject(isMacro);
    expect(existsSync(at("ran"))).toBe(false);
  });

  test("is refused in a file in UTF-16", async () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(macro, "utf16le")]);
    expect(await build(wide)).toMatchObject(isMacro);
    expect(existsSync(at("ran"))).toBe(false);
  });

  test.each(["txt", "json", "css", "bin", "toml"])(
    "is refused in a .%s that is imported as a script",
    async (ending) => {
      await write(`plugin/odd.${ending}`, macro);
      const source = `import odd from "./odd.${ending}" with { type: "ts" }; export default odd;`;
      expect(await build(source)).toMatchObject(isMacro);
      expect(existsSync(at("ran"))).toBe(false);
    },
  );

  test.each([
    `import x from "${dataAddress}"; export default x;`,
    `import x from "\\u0064ata${dataAddress.slice(4)}" with { type: "text" }; export default x;`,
    `export default import("${dataAddress}");`,
    `export default require("${dataAddress}");`,
    `export * from "${dataAddress}";`,
  ])("is refused in an address that holds a script: %#", async (source) => {
    expect(await build(source)).toMatchObject(isData);
    expect(existsSync(at("ran"))).toBe(false);
  });

  test("is refused in pages and stylesheets that are imported", async () => {
    await write("plugin/page.html", `<script type="module" src="${dataAddress}"></script>`);
    await write("plugin/page.css", `@import "${dataAddress}"; p { background: url("${dataAddress}"); }`);
    for (const path of ["page.html", "page.css"])
      expect(await build(`import page from "./${path}"; export default page;`)).toMatchObject({
        problems: [{ path, message: expect.stringContaining("data: URLs can't be imported") }],
      });
    expect(existsSync(at("ran"))).toBe(false);
  });

  test("is no macro where it is re-exported, imported at run time, or only named", async () => {
    await build(`export { run } from "./work.ts" with { type: "macro" };`);
    await build(`export default import("./work.ts", { with: { type: "macro" } }).then(({ run }) => run());`);
    expect(await build(`export default (kind: string) => kind === "macro";`)).toMatchObject({
      text: expect.stringContaining("macro"),
    });
    expect(existsSync(at("ran"))).toBe(false);
  });

  test("is refused in an installed package", async () => {
    const source = macro.replace("./work.ts", "../../work.ts");
    await write("plugin/node_modules/evil/package.json", `{ "name": "evil", "main": "index.js" }`);
    await write("plugin/node_modules/evil/index.js", source);
    expect(await build(`import evil from "evil"; export default evil;`)).toMatchObject(isMacro);
    expect(existsSync(at("ran"))).toBe(false);
  });
});

describe("P10: a file from outside of the plugin", () => {
  const take = (path: string, type = "text") =>
    `import taken from ${JSON.stringify(path)} with { type: "${type}" }; export default taken;`;

  test.each(["text", "file", "json", "js", "toml"])("is not taken in as %s", async (type) => {
    for (const path of ["../data/app.key", at("data/app.key")])
      expect(await build(take(path, type))).toMatchObject(isOutside);
  });

  test("is not taken in by a link, whether its own, its folder's or one among the packages", async () => {
    await symlink("../data/app.key", join(folder, "link.txt"));
    await symlink("../data", join(folder, "linked"));
    await mkdir(join(folder, "node_modules"));
    await symlink("../../data", join(folder, "node_modules/data"));
    for (const path of ["./link.txt", "./linked/app.key", "data/app.key"])
      expect(await build(take(path))).toMatchObject(isOutside);
  });

  test("is not taken in where the folder for packages is itself a link", async () => {
    await symlink("..", join(folder, "node_modules"));
    expect(await build(take("data/app.key"))).toMatchObject(isOutside);
  });

  test("is not taken in by a require, a stylesheet, a page, or the map of a package or of TypeScript", async () => {
    await write("plugin/page.css", `@import "../data/x.css"; p { background: url("../data/app.key"); }`);
    await write("data/x.css", "b {}");
    await write("plugin/page.html", '<img src="../data/app.key">');
    await write(
      "plugin/tsconfig.json",
      `{ "compilerOptions": { "paths": { "mapped": ["../data/app.key"] } } }`,
    );
    for (const source of [
      `export default require("../data/app.key");`,
      `export default import("../data/app.key", { with: { type: "text" } });`,
      `import "./page.css";`,
      `import page from "./page.html"; export default page;`,
      take("mapped"),
    ])
      expect(JSON.stringify(await build(source))).toContain("outside the plugin's folder");
  });
});

describe("what a plugin is made of", () => {
  test("may be texts, data and pictures of its folder", async () => {
    await write("plugin/word.md", 'A "macro" is no script.');
    await write("plugin/icon.css", 'p { background: url("data:image/png;base64,AAAA"); }');
    await write("plugin/rows.json", '{ "kind": "macro" }');
    const source = `import word from "./word.md" with { type: "text" }; import rows from "./rows.json";
      import "./icon.css"; export default [word, rows];`;
    expect(await build(source)).toMatchObject({ text: expect.stringContaining("is no script") });
  });

  test("may be packages that are installed in it or above it", async () => {
    await write("plugin/node_modules/near/index.js", 'export default "near-text";');
    await write("node_modules/far/index.js", 'export default "far-text";');
    const built = await build(`import a from "near"; import b from "far"; export default [a, b];`);
    expect(built).toMatchObject({ text: expect.stringMatching(/near-text[\s\S]*far-text/) });
  });

  test.each(["pnpm-workspace.yaml", "package.json"])(
    "may be a package of its monorepo, as %s says, that is linked by its name",
    async (file) => {
      await write("shared/package.json", '{ "name": "@mono/shared", "main": "index.ts" }');
      await write("shared/index.ts", 'export default "shared-text";');
      await mkdir(join(folder, "node_modules/@mono"), { recursive: true });
      await symlink("../../../shared", join(folder, "node_modules/@mono/shared"));
      const source = `import shared from "@mono/shared"; export default shared;`;
      expect(await build(source)).toMatchObject(isOutside);
      await write(file, '{ "workspaces": ["plugin", "shared"] }');
      expect(await build(source)).toMatchObject({ text: expect.stringContaining("shared-text") });
      expect(await build(`export default require("../data/app.key");`)).toMatchObject(isOutside);
    },
  );
});
