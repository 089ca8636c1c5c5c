import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";

const ada = {
  id: "018f7a5e-0000-7000-8000-000000000001",
  name: "Ada",
  email: "ada@example.com",
  role: "user",
  googleId: null,
  githubId: "42",
  emailVerified: true,
  createdAt: "2026-11-20T18:40:12.000Z",
  disabled: false,
};
const detail = {
  ...ada,
  lastSeenAt: "2026-11-20T19:00:00.000Z",
  hasPassword: true,
  isLastAdmin: false,
  secondFactor: null,
  sessionCount: 1,
  sessions: [
    {
      id: "018f7a5e-0000-7000-8000-000000000002",
      ip: "192.0.2.1",
      userAgent: null,
      device: "Firefox on\u001b Linux",
      createdAt: ada.createdAt,
      lastUsedAt: "2026-11-20T19:00:00.000Z",
      expiresAt: "2026-12-20T19:00:00.000Z",
    },
  ],
};
const pagination = { total: 1, limit: 25, offset: 0 };

const path = "/api/admin/users/ada@example.com";

type Change = { argv: string[]; call: string; data: object; text: string; isAsked?: true };
const changes: Change[] = [
  {
    argv: ["set-role", ada.email, "admin"],
    call: `PUT ${path}/role {"role":"admin"}`,
    data: { ...ada, role: "admin" },
    text: "Ada <ada@example.com> has the role admin\n",
  },
  {
    argv: ["disable", ada.email],
    call: `POST ${path}/disable`,
    data: { ...ada, disabled: true },
    text: "Disabled Ada <ada@example.com>\n",
    isAsked: true,
  },
  {
    argv: ["enable", ada.email],
    call: `POST ${path}/enable`,
    data: ada,
    text: "Enabled Ada <ada@example.com>\n",
  },
  {
    argv: ["verify", ada.email],
    call: "POST /api/admin/pending-users/ada@example.com/verify",
    data: ada,
    text: "Verified Ada <ada@example.com>; a link to choose a password was emailed to them\n",
  },
  {
    argv: ["send-reset", ada.email],
    call: `POST ${path}/send-reset`,
    data: { email: ada.email },
    text: "A link to choose a new password is sent to ada@example.com when the server starts; no server is running\n",
  },
  {
    argv: ["end-sessions", ada.email],
    call: `DELETE ${path}/sessions`,
    data: { ended: 1 },
    text: "Ended 1 session\n",
  },
  {
    argv: ["delete", ada.email],
    call: `DELETE ${path}`,
    data: ada,
    text: "Deleted Ada <ada@example.com>\n",
    isAsked: true,
  },
];

describe.each(changes)("user $argv.0", ({ argv, call, data, text, isAsked }) => {
  const answer = (request: Request) => success(request.method === "GET" ? detail : data);
  const words = ["user", ...argv];

  test("makes its one call with --yes, and says what was done", async () => {
    const outcome = await run([...words, "--yes"], { answer });
    expect({ code: outcome.code, out: outcome.out, err: outcome.err }).toEqual({
      code: 0,
      out: text,
      err: "",
    });
    expect(await callsOf(outcome)).toEqual([call]);
    expect(outcome.isClosed).toBe(true);
  });

  test(isAsked ? "is not done before it was confirmed" : "is done without a question", async () => {
    const without = await run(words, { answer });
    if (!isAsked) return expect(await callsOf(without)).toEqual([call]);
    expect(without).toMatchObject({ code: 2, out: "" });
    expect(without.err).toContain("--yes");
    expect(await callsOf(without)).toEqual([]);
    for (const typed of ["", "n", "yess", "delete"]) {
      const declined = await run(words, { answer, typed: [typed] });
      expect([typed, declined.code]).toEqual([typed, 1]);
      expect(declined.err).toContain("Ada <ada@example.com>");
      expect(declined.err).toContain("nothing was changed");
      expect(await callsOf(declined)).toEqual([`GET ${path}`]);
    }
    for (const typed of ["y", "Y", " yes "]) {
      const agreed = await run(words, { answer, typed: [typed] });
      expect(agreed).toMatchObject({ code: 0, out: text });
      expect(await callsOf(agreed)).toEqual([`GET ${path}`, call]);
    }
  });
});

describe("the number of sessions", () => {
  test.each([
    [0, "Disable Ada <ada@example.com>?"],
    [1, "Disable Ada <ada@example.com> and end their session?"],
    [3, "Disable Ada <ada@example.com> and end their 3 sessions?"],
  ])("%p is asked for in plain words", async (sessionCount, question) => {
    const answer = () => success({ ...detail, sessionCount });
    const { err } = await run(["user", "disable", ada.email], { answer, typed: ["n"] });
    expect(err).toStartWith(`${question} [y/N]`);
  });

  test("none is told when they were to be ended", async () => {
    const { out } = await run(["user", "end-sessions", ada.email], { answer: () => success({ ended: 0 }) });
    expect(out).toBe("There are no active sessions; nothing was changed\n");
  });
});

describe("wrong usage ends with 2 and sends nothing:", () => {
  const table: [string, string[], RegExp][] = [
    ["no account", ["show"], /missing required argument/],
    ["two accounts", ["show", "a@x.example", "b@x.example"], /too many arguments/],
    ["a role that does not exist", ["set-role", "a@x.example", "owner"], /user, admin/],
    ["no role", ["set-role", "a@x.example"], /missing required argument/],
    ["a status that does not exist", ["list", "--status", "gone"], /active, disabled/],
    ["registrations by role", ["list", "--pending", "--role", "user"], /no role or status/],
    ["a sort that does not exist", ["list", "--sort", "password"], /created, name, email, lastSeen/],
    ["sorted registrations", ["list", "--pending", "--sort", "name"], /remove --sort/],
    ["everything, but not all of it", ["list", "--all", "--limit", "5"], /remove --limit/],
  ];
  test.each(table)("%s", async (_title, argv, words) => {
    const outcome = await run(["user", ...argv], { answer: () => success(detail) });
    expect({ code: outcome.code, out: outcome.out, calls: outcome.calls }).toEqual({
      code: 2,
      out: "",
      calls: [],
    });
    expect(outcome.err).toMatch(words);
  });
});

test("user invite FILE names the first line without an address, but for the headings of columns, and invites no one", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "atrium-invite-")), "people.csv");
  const invite = async (text: string) => {
    writeFileSync(file, text);
    const { err, calls } = await run(["user", "invite", file], { answer: () => success({ results: [] }) });
    return [/in line (\d+)/.exec(err)?.[1], calls.length];
  };
  expect(await invite("Name;Email\r\nAda;a@b.example\r\nbad\r\n")).toEqual(["3", 0]);
  expect(await invite("Name;Email\r\nAda;a@b.example\r\n\r\n")).toEqual([undefined, 1]);
  rmSync(dirname(file), { recursive: true });
});

describe("an account that a path cannot name", () => {
  const odd = "o'brien#1@example.com";
  const answer: World["answer"] = (request) =>
    success(
      request.url.includes("?")
        ? {
            users: [
              { ...ada, email: "x" },
              { ...ada, email: odd },
            ],
            pagination,
          }
        : detail,
    );

  test("is looked up by its address, and called by its id", async () => {
    const outcome = await run(["user", "show", odd.toUpperCase()], { answer });
    expect(outcome.code).toBe(0);
    expect(await callsOf(outcome)).toEqual([
      "GET /api/admin/users?search=O%27BRIEN%231%40EXAMPLE.COM&limit=100",
      `GET /api/admin/users/${ada.id}`,
    ]);
  });

  test("is looked for among the registrations when one is to be verified", async () => {
    const outcome = await run(["user", "verify", odd], { answer });
    expect(await callsOf(outcome)).toEqual([
      "GET /api/admin/pending-users?search=o%27brien%231%40example.com&limit=100",
      `POST /api/admin/pending-users/${ada.id}/verify`,
    ]);
  });

  test("is none of several registrations: nothing is verified", async () => {
    const several = { ...ada, email: odd, registrations: 2, waiting: [ada, { ...ada, id: "another" }] };
    const outcome = await run(["user", "verify", odd], {
      answer: () => success({ users: [several], pagination }),
    });
    expect(outcome).toMatchObject({ code: 1, out: "" });
    expect(outcome.err).toContain("choose one by its id");
    expect(outcome.calls).toHaveLength(1);
  });

  test.each(["nobody?@example.com", "../../auth/logout", "..", ".", "", "a/b", "a%2fb"])(
    "%p is no user, and no other request is sent instead",
    async (typed) => {
      const outcome = await run(["user", "delete", typed, "--yes"], { answer });
      expect(outcome).toMatchObject({ code: 1, out: "" });
      expect(outcome.err).toContain("This user doesn't exist");
      for (const call of outcome.calls) expect(new URL(call.url).pathname).toBe("/api/admin/users");
    },
  );
});

describe("user show", () => {
  test("prints facts and sessions with tabs without a terminal, control characters replaced", async () => {
    const { out } = await run(["user", "show", ada.id], { answer: () => success(detail) });
    expect(out.split("\n")).toEqual([
      `Id\t${ada.id}`,
      "Name\tAda",
      "Email\tada@example.com",
      "Role\tuser",
      "Status\tverified",
      "Signs in with\tpassword, GitHub",
      "Second factor\tnone",
      "Created\t2026-11-20 18:40Z",
      "Last seen\t2026-11-20 19:00Z",
      "Sessions\t1",
      "",
      "Firefox on\uFFFD Linux\t192.0.2.1\t2026-11-20 19:00Z\t2026-11-20 18:40Z",
      "",
    ]);
  });
});

test("user show tells of a second factor since when it is on, and how many recovery codes are left", async () => {
  const secondFactor = { enabledAt: "2026-11-20T18:40:00Z", ways: ["code"], recoveryCodesLeft: 3 };
  const { out } = await run(["user", "show", ada.id], { answer: () => success({ ...detail, secondFactor }) });
  expect(out).toContain("Second factor\tauthenticator app since 2026-11-20 18:40Z, 3 recovery codes left\n");
});

test("user factors lists them, with how many recovery codes are left and what is blocked", async () => {
  const at = "2026-11-20T18:40:00Z";
  const factors = [
    { way: "passkey", name: "Ada's \u001bphone", addedAt: at, lastUsedAt: null, left: null, blockedAt: at },
    { way: "recovery", name: null, addedAt: at, lastUsedAt: null, left: 3, blockedAt: null },
  ];
  const { out } = await run(["user", "factors", ada.id], { answer: () => success({ factors }) });
  expect(out.split("\n")).toEqual([
    ...["passkey\tAda's \uFFFDphone, blocked since 2026-11-20 18:40Z\t2026-11-20 18:40Z\tnever"],
    ...["recovery codes\t3 left\t2026-11-20 18:40Z\tnever", ""],
  ]);
});

describe("user list", () => {
  const rows = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => ({ ...ada, id: `id-${from + at}`, lastSeenAt: null }));

  test("on a terminal of 80 columns shows a page without a line that wraps", async () => {
    const wide = {
      ...ada,
      email: `${"a".repeat(60)}@example.com`,
      name: "Augusta Ada King",
      lastSeenAt: null,
    };
    const answer = () => success({ users: [wide, ...rows(1)], pagination });
    const { out } = await run(["user", "list"], { isTerminal: true, columns: 80, answer });
    const lines = Bun.stripANSI(out).trimEnd().split("\n");
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
    expect(lines[0]).toMatch(/^EMAIL +NAME +ROLE +STATUS +LAST SEEN$/);
    expect(lines[1]).toMatch(/^a{23,}… {2}/);
    expect(lines.at(-1)).toBe("Columns that don't fit: CREATED");
  });

  test("passes the sort on", async () => {
    const answer = () => success({ users: rows(1), pagination });
    const outcome = await run(["user", "list", "--sort", "lastSeen", "--order", "asc"], { answer });
    expect(await callsOf(outcome)).toEqual(["GET /api/admin/users?sort=lastSeen&order=asc"]);
  });

  test("says in one sentence that a search found no user, and after the last page how many there are", async () => {
    const none = (total: number, offset: number) => () =>
      success({ users: [], pagination: { total, limit: 25, offset } });
    const search = await run(["user", "list", "--search", "x"], { isTerminal: true, answer: none(0, 0) });
    expect([search.out, search.err]).toEqual(["No accounts.\n", ""]);
    const beyond = await run(["user", "list", "--offset", "9"], { isTerminal: true, answer: none(3, 9) });
    expect([beyond.out, beyond.err]).toEqual(["No accounts.\n", "0 of 3 accounts\n"]);
  });

  test("passes role and status on", async () => {
    const answer = () => success({ users: rows(1), pagination });
    const outcome = await run(["user", "list", "--role", "admin", "--status", "disabled"], { answer });
    expect(await callsOf(outcome)).toEqual(["GET /api/admin/users?role=admin&status=disabled"]);
  });

  test("--all asks page by page, and shows a row that moved to the next page once", async () => {
    const answer = ({ url }: Request) => {
      const offset = Number(new URL(url).searchParams.get("offset"));
      const users = offset === 0 ? rows(100) : rows(21, 99);
      return success({ users, pagination: { total: 120, limit: 100, offset } });
    };
    const outcome = await run(["user", "list", "--all", "--search", "a", "--json"], { answer });
    expect(await callsOf(outcome)).toEqual([
      "GET /api/admin/users?search=a&limit=100&offset=0",
      "GET /api/admin/users?search=a&limit=100&offset=100",
    ]);
    const { users, pagination: bounds } = JSON.parse(outcome.out);
    expect(users.map(({ id }: { id: string }) => id)).toEqual(rows(120).map(({ id }) => id));
    expect(bounds).toEqual({ total: 120, totalIsEstimate: false, limit: 120, offset: 0 });
  });

  test("--pending lists the registrations that wait", async () => {
    const newest = {
      id: ada.id,
      name: "Ada",
      createdAt: ada.createdAt,
      mailedAt: null,
      expiresAt: "2026-11-21T18:40:12.000Z",
    };
    const older = { ...newest, id: "older-id", name: "Ada the First", mailedAt: ada.createdAt };
    const row = { ...newest, email: ada.email, registrations: 2, waiting: [newest, older] };
    const data = { users: [row], pagination };
    const outcome = await run(["user", "list", "--pending", "--limit", "5"], { answer: () => success(data) });
    expect(await callsOf(outcome)).toEqual(["GET /api/admin/pending-users?limit=5"]);
    expect(outcome.out).toBe(
      `ada@example.com\tAda\tnever\t2026-11-20 18:40Z\t2026-11-21 18:40Z\t${ada.id}\n` +
        "ada@example.com\tAda the First\t2026-11-20 18:40Z\t2026-11-20 18:40Z\t2026-11-21 18:40Z\tolder-id\n",
    );
    const json = await run(["user", "list", "--pending", "--json"], { answer: () => success(data) });
    expect(JSON.parse(json.out)).toEqual(data);
    const terminal = await run(["user", "list", "--pending"], {
      isTerminal: true,
      answer: () => success(data),
    });
    expect(terminal.err).toBe("1 of 1 addresses\n");
  });
});
