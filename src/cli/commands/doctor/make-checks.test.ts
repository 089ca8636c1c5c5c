import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "#cli/testing/run.ts";
import { asOwnerOf } from "./as-owner.ts";
import { type Check, type Look, makeChecks, ok, warn } from "./checks.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-checks-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const throwing = (code: string | null, path?: string) => () => {
  throw Object.assign(new Error("no luck"), code === null ? {} : { code, path });
};

describe("a check that throws", () => {
  test("is one failed line, and the checks after it are made all the same", async () => {
    const looks: Look[] = [
      ["one", () => ok("one", "fine")],
      ["two", throwing("EACCES", "/srv/atrium/database")],
      ["three", () => Promise.reject(new Error("lost"))],
      ["four", async () => [ok("four", "fine"), warn("five", "odd", "fix it")]],
    ];
    expect((await makeChecks(looks, folder)).map(({ name, state }) => [name, state])).toEqual([
      ["one", "ok"],
      ["two", "fail"],
      ["three", "fail"],
      ["four", "ok"],
      ["five", "warn"],
    ]);
  });

  test.each<[string | null, RegExp, RegExp]>([
    ["EACCES", /^this user cannot read \/srv\/x$/, /chown|sudo/],
    ["EPERM", /^this user cannot read \/srv\/x$/, /chown|sudo/],
    ["ENOTDIR", /^a file blocks the path to \/srv\/x$/, /DATA_DIR/],
    ["EIO", /^reading \/srv\/x failed with a disk error$/, /dmesg/],
    ["EMFILE", /no luck/, /atrium support-bundle/],
    [null, /no luck/, /atrium support-bundle/],
  ])("with %p says what is wrong and what to do", async (code, detail, remedy) => {
    const [check] = await makeChecks([["lock", throwing(code, "/srv/x")]], folder);
    expect(check).toMatchObject({ name: "lock", state: "fail" });
    expect(check?.detail).toMatch(detail);
    expect(check?.remedy).toMatch(remedy);
  });
});

describe("who may not look", () => {
  test("is told as whom to look, by name where there is one", () => {
    const owner = process.getuid?.() ?? 0;
    const name = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((line) => line.split(":")[2] === String(owner))
      ?.split(":")[0];
    const said = asOwnerOf(folder, owner + 1);
    expect(said).toContain(`atrium doctor --data-dir ${folder}`);
    expect(said).toContain(owner === 0 ? "run this as root" : `sudo -u ${name ?? `'#${owner}'`} `);
  });

  test("is told how to take back their own folder, and less about an unknown owner's", () => {
    expect(asOwnerOf(folder)).toMatch(/belong to another user: sudo chown -R/);
    const odd = join(folder, "my data");
    mkdirSync(odd);
    expect(asOwnerOf(odd)).toEndWith(` '${odd}'`);
    expect(asOwnerOf(odd, (process.getuid?.() ?? 0) + 1)).toContain(`--data-dir '${odd}'`);
    expect(asOwnerOf(join(folder, "missing"))).toBe("run this as the owner of the data folder");
  });
});

describe("doctor", () => {
  const look = async (dataDir: string) => {
    const { code, out } = await run(["doctor", "--json"], {
      env: { DATA_DIR: dataDir },
      composition: { inspectDatabase: throwing("EACCES", join(dataDir, "database")) },
    });
    const checks: Check[] = JSON.parse(out).checks;
    return { code, checks, stateOf: (name: string) => checks.find((check) => check.name === name)?.state };
  };

  test("continues when the database's folder can't be read", async () => {
    // A link that leads to itself is closed to root as well, whom no mode keeps out.
    symlinkSync("database", join(folder, "database"));
    const { code, checks, stateOf } = await look(folder);
    expect(code).toBe(1);
    expect(stateOf("database")).toBe("fail");
    for (const name of ["data folder", "lock", "clock", "visitors", "mail", "public address"])
      expect([name, stateOf(name)]).toEqual([name, "ok"]);
    for (const { state, remedy } of checks) expect(state === "ok" || remedy !== null).toBe(true);
  });

  test("continues when the data folder is a file", async () => {
    writeFileSync(join(folder, "file"), "");
    const { code, stateOf } = await look(join(folder, "file", "data"));
    expect(code).toBe(1);
    for (const name of ["data folder", "lock", "key"]) expect([name, stateOf(name)]).toEqual([name, "fail"]);
    for (const name of ["free space", "mail"]) expect([name, stateOf(name)]).toEqual([name, "ok"]);
  });
});
