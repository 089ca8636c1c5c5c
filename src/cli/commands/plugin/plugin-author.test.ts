import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { run } from "#cli/testing/run.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-author-cli-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (path: string) => join(folder, path);
const create = (...words: string[]) => run(["plugin", "create", "tried", "--dir", at("tried"), ...words]);

describe("plugin create", () => {
  test("makes a folder and says what to do next, and --without-page leaves its page out", async () => {
    const { code, out } = await create();
    expect(code).toBe(0);
    expect(out).toContain(`plugin dev ${at("tried")}`);
    expect(out).toContain("Open it on that server at /admin/plugins/tried");
    expect((await readdir(at("tried"))).sort()).toEqual([
      ".gitignore",
      "README.md",
      "atrium-plugin.d.ts",
      "backend",
      "frontend",
      "plugin.json",
      "test",
      "tsconfig.json",
    ]);
    const bare = await run(["plugin", "create", "bare", "--dir", at("bare"), "--without-page", "--json"]);
    const { files } = await fitsSchema("plugin create", bare.out);
    expect(files.filter((path: string) => path.startsWith("frontend/"))).toEqual([]);
    const manifest = JSON.parse(await readFile(at("bare/plugin.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "bare", title: "Bare" });
    expect(manifest.$schema).toEndWith("/api/plugin-host/manifest.schema.json");
    expect(JSON.stringify(manifest)).not.toMatch(/"frontend"|ui\.page|menuItem/);
    expect(await readFile(at("bare/README.md"), "utf8")).not.toContain("its page");
  });

  test("refuses names that Atrium uses, what is no name, and a folder with something in it", async () => {
    for (const name of ["admin", "Tried", "x", "a_b", "../up"]) {
      const { code } = await run(["plugin", "create", name, "--dir", at("none")]);
      expect([name, code]).toEqual([name, 2]);
    }
    expect(await readdir(folder)).toEqual([]);
    await mkdir(at("tried"));
    await writeFile(at("tried/mine.txt"), "mine");
    expect(await create()).toMatchObject({ code: 2, out: "" });
    expect(await readdir(at("tried"))).toEqual(["mine.txt"]);
    await writeFile(at("file"), "");
    expect((await run(["plugin", "create", "tried", "--dir", at("file")])).code).toBe(2);
  });

  test("leads to the address of the server that runs", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => {
        const appUrl = "https://atrium.example";
        return Response.json({ success: true, data: url.endsWith("/api/system/info") ? { appUrl } : [] });
      },
    });
    const { out } = await create("--url", server.url.origin);
    expect(out).toContain("https://atrium.example/admin/plugins/tried");
    expect(await readFile(at("tried/plugin.json"), "utf8")).toContain(
      '"https://atrium.example/api/plugin-host/manifest.schema.json"',
    );
  });

  test("refuses a name that the running server has", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => Response.json({ success: true, data: [{ name: "tried" }] }),
    });
    const { code, err } = await create("--url", server.url.origin);
    expect(code).toBe(2);
    expect(err).toContain("the running server already has a plugin tried");
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("a new plugin", () => {
  const testIt = async (env: Record<string, string | undefined>) => {
    const child = Bun.spawn([process.execPath, "test"], {
      ...{ cwd: at("tried"), env },
      ...{ stdout: "pipe", stderr: "pipe" },
    });
    const [code, told] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    return { code, told };
  };

  test("says alone what its tests lack where the program is not found", async () => {
    await create();
    const { ATRIUM_BIN: _, ...env } = process.env;
    const { code, told } = await testIt({ ...env, PATH: "" });
    expect(code).toBe(1);
    expect(told).toContain("The tests need the atrium program");
    expect(told).not.toContain("TypeError");
    expect(await readFile(at("tried/README.md"), "utf8")).toContain(
      "ATRIUM_BIN=/path/to/atrium/src/cli/main.ts bun test",
    );
  });

  for (const words of [[], ["--without-page"]])
    test(`passes its own tests as it is ${words.join()}`.trim(), async () => {
      await create(...words);
      const { code, told } = await testIt(process.env);
      expect(told).toContain("13 pass");
      expect(code).toBe(0);
    }, 60_000);
});

describe("plugin pack, sign, verify and keygen", () => {
  const pack = async () => {
    await create();
    return run(["plugin", "pack", at("tried"), "--out", at("tried.zip")]);
  };

  test("lead from a folder to a package whose signature counts for those who have the key", async () => {
    expect((await pack()).out).toStartWith("Packed tried 1.0.0: 5 files");
    const key = await run(["plugin", "keygen", "--out", at("k.pem"), "--json"]);
    const { publicKey, keyId } = await fitsSchema("plugin keygen", key.out);
    expect((await stat(at("k.pem"))).mode & 0o777).toBe(0o600);
    expect(key.out + key.err).not.toContain("PRIVATE");
    expect(key.err).toContain(`plugin keys add ${publicKey}`);
    const words = ["--publisher", "Northwind", "--out", at("signed.zip")];
    const signed = await run(["plugin", "sign", at("tried.zip"), "--key", at("k.pem"), ...words]);
    expect(signed).toMatchObject({ code: 0 });
    expect(signed.out).toContain(`with key ${keyId}`);
    const again = ["plugin", "sign", at("tried.zip"), "--key", at("k.pem"), ...words, "--json"];
    expect(await fitsSchema("plugin sign", (await run(again)).out)).toMatchObject({ keyId });
    const packed = await run(["plugin", "pack", at("tried"), "--out", at("tried.zip"), "--json"]);
    expect(await fitsSchema("plugin pack", packed.out)).toMatchObject({ name: "tried", version: "1.0.0" });
    const told = await run(["plugin", "verify", at("signed.zip"), "--key", publicKey, "--json"]);
    expect(await fitsSchema("plugin verify", told.out)).toMatchObject({ name: "tried", problems: [] });
    const trusted = await run(["plugin", "verify", at("signed.zip"), "--key", publicKey]);
    expect(trusted).toMatchObject({ code: 0 });
    expect(trusted.out).toContain(`signature\tsigned, key ${keyId}`);
    expect(trusted.out).toContain("permission\tstorage.kv: stores its counters and recent events");
    const unknown = await run(["plugin", "verify", at("signed.zip")]);
    expect(unknown.out).toContain(`signature\tsigned by a key that is not trusted here, key ${keyId}; check`);
    expect(unknown.out).toContain(`atrium plugin verify ${at("signed.zip")} --key`);
    expect(unknown.out).toContain("atrium plugin keys add");
  });

  test("a package of a folder that cannot be built is told with file and line, and is not written", async () => {
    await create();
    await writeFile(at("tried/backend/index.ts"), "const a = ;");
    const { code, err } = await run(["plugin", "pack", at("tried"), "--out", at("tried.zip")]);
    expect(code).toBe(1);
    expect(err).toContain("backend/index.ts:1:11: Unexpected ;");
    expect(await readdir(folder)).not.toContain("tried.zip");
  });

  test("a key is taken from standard input, and from no file that others can read", async () => {
    await pack();
    await run(["plugin", "keygen", "--out", at("k.pem")]);
    const input = await readFile(at("k.pem"));
    const piped = ["plugin", "sign", at("tried.zip"), "--key", "-", "--out", at("signed.zip")];
    expect((await run(piped, { input })).code).toBe(0);
    await chmod(at("k.pem"), 0o644);
    const open = await run(["plugin", "sign", at("tried.zip"), "--key", at("k.pem"), "--out", at("no.zip")]);
    expect(open).toMatchObject({ code: 2, out: "" });
    expect(await readdir(folder)).not.toContain("no.zip");
  });

  test("a key is never written over a file", async () => {
    await writeFile(at("k.pem"), "mine");
    expect((await run(["plugin", "keygen", "--out", at("k.pem")])).code).toBe(2);
    expect(await readFile(at("k.pem"), "utf8")).toBe("mine");
    const pluginTools = async () => {
      // Somebody else makes one at this moment.
      await writeFile(at("new.pem"), "theirs");
      return (await import("#api/plugin-host/author/plugin-tools.ts")).pluginTools;
    };
    const late = await run(["plugin", "keygen", "--out", at("new.pem")], { composition: { pluginTools } });
    expect([late.code, await readFile(at("new.pem"), "utf8")]).toEqual([2, "theirs"]);
  });

  test("verify ends with 1 for a package that no server would install", async () => {
    await pack();
    await run(["plugin", "keygen", "--out", at("k.pem")]);
    await run(["plugin", "sign", at("tried.zip"), "--key", at("k.pem"), "--out", at("signed.zip")]);
    await writeFile(at("bad.zip"), "no zip");
    expect((await run(["plugin", "verify", at("bad.zip")])).code).toBe(1);
    expect((await run(["plugin", "verify", at("none.zip")])).code).toBe(2);
    const bytes = await readFile(at("signed.zip"));
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
    await writeFile(at("changed.zip"), bytes);
    expect((await run(["plugin", "verify", at("changed.zip")])).code).toBe(1);
  });
});
