import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { refusal, run, success } from "#cli/testing/run.ts";
import { tokenTexts } from "#contract/api-tokens.ts";

const folder = makeDataFolder();
afterAll(folder.remove);

const secret = "atr_0123456789abcdefghijklmnopqrstuvwxyzABCD";
const made = {
  id: "019a9f00-0000-7000-8000-000000000001",
  name: "ci",
  hint: "ABCD",
  scopes: ["plugins:write"],
  state: "live",
  owner: null,
  allowedNetworks: [],
  callsPerMinute: null,
  createdAt: "2026-11-21T10:00:00.000Z",
  expiresAt: "2027-02-19T10:00:00.000Z",
  lastUsedAt: null,
  lastUsedIp: null,
  revokedAt: null,
  token: secret,
};
const answer = ({ method }: Request) => success(method === "GET" ? { tokens: [] } : made);
const words = ["token", "create", "--name", "ci", "--scope", "plugins:write"];

describe("token create", () => {
  test("prints the token alone, so that a script can take it, and says the rest beside it", async () => {
    const { code, out, err, calls } = await run(words, { answer });
    expect({ code, out }).toEqual({ code: 0, out: `${secret}\n` });
    expect(err).toBe(
      "Created ci (…ABCD): plugins:write; until 2027-02-19 10:00Z; from anywhere. It is not shown again; " +
        `its id is ${made.id}\n`,
    );
    expect(calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      "POST /api/admin/tokens",
    ]);
    expect(await calls[0]?.json()).toEqual({ name: "ci", scopes: ["plugins:write"] });
  });

  test("prints nothing that is no token", async () => {
    for (const token of ["\u001b[2J", "atr_a\nrm -rf /", "", 7]) {
      const { code, out, err } = await run(words, { answer: () => success({ ...made, token }) });
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain("did not return the new API token");
    }
    const { err } = await run(words, { answer: () => success({ ...made, id: "\u001b[2J" }) });
    expect(err).toEndWith("its id is \uFFFD[2J\n");
  });

  test("with --json prints exactly the API's data, and nothing beside it", async () => {
    const { out, err } = await run([...words, "--json"], { answer });
    expect([await fitsSchema("token create", out), err]).toEqual([made, ""]);
  });

  test("sends what was asked for: scopes, networks, limit and end", async () => {
    const { calls } = await run(
      [
        ...[...words, "--scope", "settings:read,plugins:write", "--expires", "2030-01-31T00:00:00Z"],
        ...["--network", "10.0.0.0/8", "--network", "192.0.2.7", "--calls-per-minute", "60"],
      ],
      { answer },
    );
    expect(await calls[0]?.json()).toEqual({
      name: "ci",
      scopes: ["plugins:write", "settings:read"],
      expiresAt: "2030-01-31T00:00:00.000Z",
      allowedNetworks: ["10.0.0.0/8", "192.0.2.7"],
      callsPerMinute: 60,
    });
  });

  test.each([
    ["never", null],
    ["2030-01-31", "2030-01-31T23:59:59.999Z"],
    ["2030-01-31 12:00", "2030-01-31T12:00:00.000Z"],
    ["2030-01-31T12:00+02:00", "2030-01-31T10:00:00.000Z"],
  ])("an end of %p is %p", async (typed, expiresAt) => {
    const { calls } = await run([...words, "--expires", typed], { answer });
    expect(await calls[0]?.json()).toMatchObject({ expiresAt });
  });

  test("a span counts from now", async () => {
    const { calls } = await run([...words, "--expires", "30d"], { answer });
    const { expiresAt } = (await calls[0]?.json()) ?? {};
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeWithin(29.9, 30.1);
  });

  test.each([
    [["--scope", "plugins:delete"], "Unknown scope: plugins:delete"],
    [["--expires", "tomorrow"], "or never"],
    [["--expires", "2030-02-30"], "or never"],
    [["--network", "10.0.0.0/33"], tokenTexts.badNetwork],
    [["--network", "any", "--network", "10.0.0.0/8"], "any can't be combined"],
    [["--network", "10.0.0.0/8", "--network", "any"], "any can't be combined"],
    [["--calls-per-minute", "0"], "It must be 1 to 100000"],
  ])("%p is wrong usage, and no call is made", async (more, sentence) => {
    const { code, out, err, calls } = await run([...words, ...more], { answer });
    expect({ code, out, calls }).toEqual({ code: 2, out: "", calls: [] });
    expect(err).toContain(sentence);
  });

  test("wants a name and a scope", async () => {
    expect((await run(["token", "create", "--name", "ci"], { answer })).code).toBe(2);
    expect((await run(["token", "create", "--scope", "*"], { answer })).code).toBe(2);
  });
});

describe("token create --out", () => {
  test("puts the token into a file for its owner alone, and nowhere else", async () => {
    const file = join(folder.path, "token");
    const text = await run([...words, "--out", file], { answer });
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([`${secret}\n`, 0o600]);
    expect([text.code, text.err]).toEqual([0, ""]);
    expect(text.out).toContain(`The token is in ${file}`);
    const other = join(folder.path, "token of a script");
    const json = await run([...words, "--out", other, "--json"], { answer });
    expect(await fitsSchema("token create", json.out)).toMatchObject({
      id: made.id,
      name: "ci",
      file: other,
    });
    expect(text.out + json.out).not.toContain(secret);
  });

  test("makes no token for a file that cannot be written", async () => {
    const file = join(folder.path, "no", "such", "folder");
    const { code, calls } = await run([...words, "--out", file], { answer });
    expect([code, calls.length, existsSync(file)]).toEqual([1, 0, false]);
  });

  test("makes no token for a file that is there, which stays as it is", async () => {
    const file = join(folder.path, "in use");
    writeFileSync(file, "another token");
    const { code, err, calls } = await run([...words, "--out", file], { answer });
    expect([code, calls.length, readFileSync(file, "utf8")]).toEqual([2, 0, "another token"]);
    expect(err).toContain("already exists");
  });

  // A device that takes nothing, which Linux has for just this.
  test.if(existsSync("/dev/full"))("ends the token again when the disk turns out to be full", async () => {
    const { code, err, calls } = await run([...words, "--out", "/dev/full"], { answer });
    expect(code).toBe(1);
    expect(err).toContain("the disk is full");
    expect(calls.map(({ url }) => new URL(url).pathname)).toEqual([
      "/api/admin/tokens",
      `/api/admin/tokens/${made.id}/revoke`,
    ]);
  });
});

// A device that takes nothing, which Linux has for just this.
test.if(existsSync("/dev/full"))(
  "a token that can be neither written nor revoked is named, with why it was not written",
  async () => {
    const { code, err } = await run([...words, "--out", "/dev/full"], {
      answer: ({ url }) =>
        url.endsWith("/revoke") ? refusal(503, "DB_UNAVAILABLE", "The database is away") : success(made),
    });
    expect(code).toBe(1);
    expect(err).toContain("the disk is full");
    expect(err).toContain(
      `The token ${made.id} is still active: it could not be revoked (The database is away).`,
    );
    expect(err).toContain(`atrium token revoke ${made.id}`);
  },
);

test("token create --plan asks the server for its plan, and writes no file", async () => {
  const plan = { changes: [], mails: [], events: [], summary: "Would create the token ci" };
  const out = join(folder.path, "planned");
  const outcome = await run([...words, "--expires", "never", "--out", out, "--plan", "--json"], {
    answer: () => success(plan),
  });
  expect(await fitsSchema("token create", outcome.out)).toEqual({
    plan: ["Would create the token ci"],
    calls: ["POST /api/admin/tokens"],
  });
  const [call, ...others] = outcome.calls;
  expect([call?.method, new URL(call?.url ?? "").pathname, others]).toEqual([
    "POST",
    "/api/plan/tokens.create",
    [],
  ]);
  expect(await call?.json()).toMatchObject({ name: "ci", scopes: ["plugins:write"], expiresAt: null });
  expect(existsSync(out)).toBe(false);
});
