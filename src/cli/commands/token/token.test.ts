import { describe, expect, test } from "bun:test";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { type Outcome, refusal, run, success, type World } from "#cli/testing/run.ts";
import { tokenTexts } from "#contract/api-tokens.ts";

const idOf = (at: number) => `019a9f00-0000-7000-8000-00000000000${at}`;
const ci = {
  id: idOf(1),
  name: "ci",
  hint: "ABCD",
  scopes: ["plugins:write", "settings:read"],
  state: "live",
  owner: { id: idOf(9), name: "Ada", email: "ada@example.com", isActive: true },
  allowedNetworks: ["10.0.0.0/8"],
  callsPerMinute: 60,
  createdAt: "2026-11-21T10:00:00.000Z",
  expiresAt: "2027-02-19T10:00:00.000Z",
  lastUsedAt: "2026-11-21T11:00:00.000Z",
  lastUsedIp: "10.0.0.7",
  revokedAt: null,
};
const dead = { ...ci, id: idOf(2), hint: "0000", state: "revoked", revokedAt: "2026-11-20T10:00:00.000Z" };
const old = { ...dead, id: idOf(3), name: "old", hint: "1111", owner: null, lastUsedAt: null };
const tokens = [ci, dead, old];

const world = (list: object[] = tokens): World => ({
  answer: ({ method }) => success(method === "GET" ? { tokens: list } : ci),
});

/** What changed something, as method, path below the list, and body. */
const changesOf = async ({ calls }: Outcome): Promise<string[]> =>
  Promise.all(
    calls
      .filter(({ method }) => method !== "GET")
      .map(async (call) =>
        [call.method, new URL(call.url).pathname.replace("/api/admin/tokens", ""), await call.text()]
          .filter(Boolean)
          .join(" "),
      ),
  );

describe("token list", () => {
  test("prints one token a line with tabs, never the token itself", async () => {
    const { out } = await run(["token", "list"], world());
    expect(out.split("\n")).toEqual([
      `ci\t…ABCD\tplugins:write, settings:read\tlive\tada@example.com\t2026-11-21 11:00Z\t2027-02-19 10:00Z\t${ci.id}`,
      `ci\t…0000\tplugins:write, settings:read\trevoked\tada@example.com\t2026-11-21 11:00Z\t2027-02-19 10:00Z\t${dead.id}`,
      `old\t…1111\tplugins:write, settings:read\trevoked\toperator\tnever\t2027-02-19 10:00Z\t${old.id}`,
      "",
    ]);
  });

  test("with --json prints the tokens as a list, of one state when asked", async () => {
    const all = await run(["token", "list", "--json"], world());
    expect(await fitsSchema("token list", all.out)).toEqual(tokens);
    const live = await run(["token", "list", "--state", "live", "--json"], world());
    expect(await fitsSchema("token list", live.out)).toEqual([ci]);
  });

  test("says on a terminal that there are none, and that an owner is no administrator any more", async () => {
    expect((await run(["token", "list"], { ...world([]), isTerminal: true })).out).toBe("No tokens.\n");
    const gone = { ...ci, owner: { ...ci.owner, isActive: false } };
    expect((await run(["token", "list"], world([gone]))).out).toContain("\towner inactive\t");
  });
});

describe("token show", () => {
  test("prints what is known of one, found by id or by name", async () => {
    const byName = await run(["token", "show", "CI"], world());
    expect(byName.out).toContain("Ends in\t…ABCD\n");
    expect(byName.out).toContain("Last used\t2026-11-21 11:00Z from 10.0.0.7\n");
    const byId = await run(["token", "show", dead.id, "--json"], world());
    expect(await fitsSchema("token show", byId.out)).toEqual(dead);
  });

  test("without a name asks about the token that it calls with", async () => {
    const { out, calls } = await run(["token", "show", "--json"], { answer: () => success(ci) });
    expect(await fitsSchema("token show", out)).toEqual(ci);
    expect(calls.map(({ url }) => new URL(url).pathname)).toEqual(["/api/admin/tokens/current"]);
  });

  test("of an unknown one ends with 1", async () => {
    const { code, err } = await run(["token", "show", "nobody"], world());
    expect([code, err]).toEqual([1, expect.stringContaining(tokenTexts.unknown)]);
  });
});

describe("a name that several have", () => {
  test("means the one that can be used when one is to be changed, and the other when one is to be removed", async () => {
    expect(await changesOf(await run(["token", "revoke", "ci", "--yes"], world()))).toEqual([
      `POST /${ci.id}/revoke {}`,
    ]);
    expect(await changesOf(await run(["token", "remove", "ci"], world()))).toEqual([`DELETE /${dead.id}`]);
  });

  test("means none where that does not tell them apart: nothing is changed, and the ids are named", async () => {
    const outcome = await run(["token", "remove", "ci"], world([dead, { ...dead, id: idOf(4) }]));
    expect([outcome.code, await changesOf(outcome)]).toEqual([1, []]);
    for (const id of [dead.id, idOf(4)]) expect(outcome.err).toContain(id);
  });
});

describe("token update", () => {
  test("sends what was given, and nothing else", async () => {
    const sent = async (...more: string[]) =>
      changesOf(await run(["token", "update", "ci", ...more], world()));
    expect(await sent("--name", "nightly")).toEqual([`PATCH /${ci.id} {"name":"nightly"}`]);
    expect(await sent("--network", "any", "--calls-per-minute", "none")).toEqual([
      `PATCH /${ci.id} {"allowedNetworks":[],"callsPerMinute":null}`,
    ]);
  });

  test("tells what the token is from then on", async () => {
    const { out } = await run(["token", "update", "ci", "--name", "ci"], world());
    expect(out).toBe(
      "Changed ci (…ABCD): plugins:write, settings:read; until 2027-02-19 10:00Z; from 10.0.0.0/8; 60 calls per minute\n",
    );
  });

  test("with nothing to change is wrong usage", async () => {
    const { code, calls } = await run(["token", "update", "ci"], world());
    expect([code, calls]).toEqual([2, []]);
  });
});

describe("token revoke", () => {
  test("asks first, naming the token, and takes --yes for an answer", async () => {
    const alone = await run(["token", "revoke", "ci"], world());
    expect([alone.code, await changesOf(alone)]).toEqual([2, []]);
    expect(alone.err).toContain("--yes");
    const declined = await run(["token", "revoke", "ci"], { ...world(), typed: ["n"] });
    expect([declined.code, await changesOf(declined)]).toEqual([1, []]);
    expect(declined.err).toContain("Revoke ci (…ABCD) permanently?");
    const done = await run(["token", "revoke", ci.id, "--yes"], world());
    expect([done.code, done.out]).toEqual([0, "Revoked ci (…ABCD)\n"]);
  });

  test("ends with the API's sentence when it is refused", async () => {
    const answer: World["answer"] = ({ method }) =>
      method === "GET" ? success({ tokens }) : refusal(409, "CONFLICT", tokenTexts.revokedBefore);
    const { code, err } = await run(["token", "revoke", "old", "--yes"], { answer });
    expect([code, err]).toEqual([1, expect.stringContaining(tokenTexts.revokedBefore)]);
  });
});

test("token remove with --json tells what was removed", async () => {
  const { out } = await run(["token", "remove", "old", "--json"], world());
  expect(await fitsSchema("token remove", out)).toEqual({ id: old.id, name: "old" });
});

test.each([
  ["tokens.revoke", ["revoke", "ci"], { id: ci.id }],
  ["tokens.remove", ["remove", "old"], { id: old.id }],
  ["tokens.change", ["update", "ci", "--name", "nightly"], { id: ci.id, name: "nightly" }],
])("--plan asks the server only for the plan of %s", async (operation, words, input) => {
  const plan = { changes: [], mails: [], events: [], summary: "Would do it" };
  const outcome = await run(["token", ...words, "--plan"], {
    answer: ({ method }) => success(method === "GET" ? { tokens } : plan),
  });
  expect([outcome.code, outcome.out]).toEqual([0, "Would do it\n"]);
  const sent = await Promise.all(
    outcome.calls.filter(({ method }) => method !== "GET").map(async (call) => [call.url, await call.json()]),
  );
  expect(sent).toEqual([[expect.stringMatching(new RegExp(`/api/plan/${operation}$`)), input]]);
});
