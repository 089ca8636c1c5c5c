import { describe, expect, test } from "bun:test";
import { ok } from "#cli/testing/plugins.ts";
import { run } from "#cli/testing/run.ts";

describe("a plan of a backup to a file says which, what locks it, and whether the key is in it:", () => {
  const plan = { summary: "Would back up to a file", changes: [], mails: [], events: [] };
  const backup = async (words: string, env: Record<string, string> = {}) => {
    const { code, out, err, calls } = await run(["backup", ...words.split(" "), "--plan"], {
      answer: () => ok(plan),
      env,
    });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(calls.map(({ url }) => new URL(url).pathname)).toEqual(["/api/plan/backups.create"]);
    return out.trimEnd();
  };
  const passphrase = { ATRIUM_BACKUP_PASSPHRASE: "a long passphrase" };

  test("by the passphrase or the recipients that were given", async () => {
    const keyless = "without the installation's key";
    expect(await backup("--out new.zst")).toBe(
      `Would back up to the file new.zst, not encrypted, ${keyless}`,
    );
    expect(await backup("--out new.zst", passphrase)).toBe(
      `Would back up to the file new.zst, encrypted with a passphrase, ${keyless}`,
    );
    expect(await backup("--out - --encrypt")).toBe(
      `Would back up to standard output, encrypted with a passphrase, ${keyless}`,
    );
    expect(await backup("--out new.zst --include-key")).toBe(
      "Would back up to the file new.zst, encrypted with a passphrase, with the installation's key",
    );
    const own = "--out new.zst --recipient age1one --recipient age1two --include-key";
    expect(await backup(own, passphrase)).toBe(
      "Would back up to the file new.zst, encrypted for age1one, age1two, with the installation's key",
    );
  });

  test("a passphrase of the environment that is too short is refused, as by the backup itself", async () => {
    const answer = () => ok(plan);
    const env = { ATRIUM_BACKUP_PASSPHRASE: "short" };
    const { code, out, err } = await run(["backup", "--out", "new.zst", "--plan"], { answer, env });
    expect([code, out, err]).toEqual([2, "", expect.stringContaining("at least 12 characters")]);
  });
});
