import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OperatorBackups } from "#api/backups/operator-backups.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { CliFailure } from "#cli/failure.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { log, manifest, proven, report, toolsFor } from "#cli/testing/restore-tools.ts";
import { refusal, run, success, type World } from "#cli/testing/run.ts";

const folder = makeDataFolder();
afterAll(folder.remove);
const file = join(folder.path, "atrium.tar.zst");
writeFileSync(file, "bytes of a backup");
const locked = join(folder.path, "atrium.tar.zst.age");
writeFileSync(locked, "age-encryption.org/v1\n-> scrypt c2FsdA 18\n");
const identity = join(folder.path, "identity.txt");
writeFileSync(identity, "# public key: age1x\nAGE-SECRET-KEY-1X\n");

const noKeys = { passphrase: null, identities: [] };

test("restores only when told so, and says what ended and where the former installation is", async () => {
  const { asked, world } = toolsFor();
  const unasked = await run(["restore", file], world);
  expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining("add --yes")]);
  expect((await run(["restore", file], { ...world, typed: ["n"] })).code).toBe(1);
  expect(asked).toEqual([]);
  const { code, out } = await run(["restore", file, "--yes"], world);
  expect(code).toBe(0);
  expect(out).toContain("2 sessions were ended");
  expect(out).toContain("database.replaced-20261121T040000Z");
  expect(out).toContain("to storage");
  const input = { ...noKeys, isDroppingSecrets: false, isReplacing: false };
  expect(asked).toMatchObject([{ what: "restore", bytes: "bytes of a backup", input }]);
  const told = await run(["restore", file, "--yes", "--json"], world);
  expect(await fitsSchema("restore", told.out)).toEqual({
    ...report,
    into: "/nonexistent/atrium",
    needsAppSecret: false,
  });
});

test("looks into a backup, and proves it, without asking", async () => {
  const { asked, world } = toolsFor();
  const plan = await run(["restore", file, "--plan"], world);
  expect([plan.code, plan.out]).toEqual([0, expect.stringContaining("It can be restored here")]);
  const sound = await run(["restore", "-", "--verify"], { ...world, input: "piped" });
  expect([sound.code, sound.out]).toEqual([0, expect.stringContaining("The backup can be restored")]);
  expect(asked.map(({ what, bytes }) => [what, bytes])).toEqual([
    ["plan", "bytes of a backup"],
    ["verify", "piped"],
  ]);
});

test("one that came out otherwise ends with 1, the report being printed", async () => {
  const verify = async () => ({ ...proven, log, differing: ["users"], isSound: false });
  const { world } = toolsFor({ verify });
  const { code, out } = await run(["restore", file, "--verify"], world);
  expect(code).toBe(1);
  expect(out).toContain("The rows of users differ from the backup");
  const told = await run(["restore", file, "--verify", "--json"], world);
  expect(await fitsSchema("restore", told.out)).toMatchObject({ isSound: false });
});

test("takes one from object storage by its name, from the settings or from the bucket that is named", async () => {
  const { asked, world } = toolsFor();
  const name = "atrium-20261121T030000Z-0a1b2c.tar.zst";
  expect((await run(["restore", name, "--from-storage", "--yes"], world)).code).toBe(0);
  const env = { AWS_ACCESS_KEY_ID: "the-id", AWS_SECRET_ACCESS_KEY: "the-secret" };
  const named = ["restore", name, "--bucket", "https://s3.example:9000/files", "--plan"];
  expect((await run(named, { ...world, env })).code).toBe(0);
  expect(asked.map(({ what, bytes }) => [what, bytes])).toEqual([
    ["stored", name],
    ["restore", "bytes of the bucket"],
    ["stored", name],
    ["plan", "bytes of the bucket"],
  ]);
  expect(asked[2]?.input).toEqual({
    endpoint: "https://s3.example:9000",
    bucket: "files",
    accessKeyId: "the-id",
    secretAccessKey: "the-secret",
    token: null,
  });
  const keyless = await run(named, world);
  expect([keyless.code, keyless.err]).toEqual([2, expect.stringContaining("AWS_ACCESS_KEY_ID")]);
  const odd = await run(["restore", name, "--bucket", "files", "--plan"], { ...world, env });
  expect([odd.code, odd.err]).toEqual([2, expect.stringContaining("https://endpoint/bucket")]);
});

test("a passphrase comes from a prompt, standard input or the environment; identities come from their file", async () => {
  const { asked, world } = toolsFor();
  const words = ["restore", locked, "--plan"];
  await run(words, { ...world, typed: ["the passphrase"] });
  await run([...words, "--passphrase-stdin"], { ...world, input: "the passphrase\n" });
  await run(words, { ...world, env: { ATRIUM_BACKUP_PASSPHRASE: "the passphrase" } });
  await run([...words, "--identity", identity], world);
  const typed = { passphrase: "the passphrase", identities: [] };
  const held = { passphrase: null, identities: ["AGE-SECRET-KEY-1X"] };
  expect(asked.map(({ input }) => input)).toMatchObject([typed, typed, typed, held]);
});

test("what cannot be there ends with the right code and changes nothing", async () => {
  const { asked, world } = toolsFor();
  const ends: [words: string[], code: number, says: string][] = [
    [["restore"], 2, "backup"],
    [["restore", join(folder.path, "none"), "--yes"], 1, "file not found"],
    [["restore", file, "--identity", "/none", "--yes"], 1, "identity file"],
    [["restore", "-", "--passphrase-stdin", "--yes"], 2, "cannot be both"],
    [["restore", file, "--url", "https://a.example"], 2, "remove --url"],
  ];
  for (const [words, code, says] of ends) {
    const ended = await run(words, world);
    expect([words, ended.code]).toEqual([words, code]);
    expect(ended.err).toContain(says);
  }
  expect(asked).toEqual([]);
});

test("a schedule that came along is told, with what it leaves alone and how a copy ends it", async () => {
  const { out } = await run(["restore", file, "--yes"], toolsFor().world);
  expect(out).toContain(
    "continue with the next start, to storage. Backups that are already there are never removed automatically",
  );
  expect(out).toContain("atrium backup schedule --off");
});

test("on a terminal each step is shown that directly follows another one", async () => {
  const restore: OperatorBackups["restore"] = async ({ onProgress }) => {
    const sofar = { table: "users", rows: 3, readBytes: 17 };
    for (const step of [null, "checking the rows", "building the indexes"]) onProgress({ ...sofar, step });
    return report;
  };
  const { err } = await run(["restore", file, "--yes"], { ...toolsFor({ restore }).world, isTerminal: true });
  expect(err).toContain("checking the rows");
  expect(err).toContain("building the indexes");
});

test("a plan of what would be refused ends with 1 and the reason", async () => {
  const plan = async () => {
    const refused = {
      key: null,
      complaint: "The backup's secrets lie under key 00; --drop-secrets",
      isReplacing: true,
    };
    return { manifest, rows: { users: 3 }, objects: 0, ...refused } as const;
  };
  const { world } = toolsFor({ plan });
  const { code, out, err } = await run(["restore", file, "--plan"], world);
  expect([code, err]).toEqual([1, "error: the backup can't be restored here\n"]);
  expect(out).toContain("It can't be restored here: The backup's secrets lie under key 00; --drop-secrets");
  const asJson = await run(["restore", file, "--plan", "--json"], world);
  expect([asJson.code, await fitsSchema("restore", asJson.out)]).toEqual([
    1,
    {
      ...(await plan()),
      into: "/nonexistent/atrium",
      keepsIn: "/nonexistent/atrium/database.replaced-<time>",
    },
  ]);
});

/** Runs a command beside a server that answers so. */
const besideServer = async (
  words: string[],
  world: World,
  answer: (request: Request) => Response | Promise<Response>,
) => {
  const dataDir = mkdtempSync(join(folder.path, "running-"));
  const server = Bun.serve({ unix: join(dataDir, "control.sock"), fetch: answer });
  try {
    return await run(words, { ...world, env: { DATA_DIR: dataDir } });
  } finally {
    await server.stop(true);
  }
};

test("a plan beside a running server ends with 1: a restore there has to wait", async () => {
  const { world } = toolsFor();
  const { code, out } = await besideServer(["restore", file, "--plan"], world, () => success({}));
  expect([code, out]).toEqual([1, expect.stringContaining("stop it first")]);
});

test("the running server records the result of a trial restore, which counts even if it can't be recorded", async () => {
  const { world } = toolsFor();
  const recorded: unknown[] = [];
  const answer = async (request: Request): Promise<Response> => {
    if (request.method === "POST") recorded.push(await request.json());
    return success({});
  };
  const sound = await besideServer(["restore", file, "--verify"], world, answer);
  expect([sound.code, sound.err]).toEqual([0, ""]);
  const verify = async () => ({ ...proven, log, differing: ["users"], isSound: false });
  expect((await besideServer(["restore", file, "--verify"], toolsFor({ verify }).world, answer)).code).toBe(
    1,
  );
  const { createdAt: madeAt, keyFingerprint } = manifest;
  const about = { name: "atrium.tar.zst", madeAt, keyFingerprint };
  expect(recorded).toEqual([
    { ...about, isSound: true },
    { ...about, isSound: false },
  ]);
  const refused = () => refusal(409, "CONFLICT", "The backup was made by another installation");
  const other = await besideServer(["restore", file, "--verify"], world, refused);
  expect([other.code, other.out]).toEqual([0, expect.stringContaining("The backup can be restored")]);
  expect(other.err).toContain(
    "could not record this verification: The backup was made by another installation",
  );
});

test("Ctrl-C ends a restore, a trial and a plan with 130 once the next piece comes, and what it says is true", async () => {
  const interrupt = AbortSignal.abort(
    new CliFailure("CANCELLED", "canceled; nothing was changed", { exitCode: 130 }),
  );
  for (const words of [["--yes"], ["--verify"], ["--plan"]]) {
    const { asked, world } = toolsFor();
    const { code, out, err } = await run(["restore", file, ...words], { ...world, interrupt });
    expect([code, out, err]).toEqual([130, "", "error: canceled; nothing was changed\n"]);
    expect(asked).toEqual([]);
  }
});
