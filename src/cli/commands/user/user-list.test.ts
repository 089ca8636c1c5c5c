import { describe, expect, test } from "bun:test";
import { type Outcome, run, success } from "#cli/testing/run.ts";

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
const pagination = { total: 1, limit: 25, offset: 0 };

/** The calls of a run: method and path with query. */
const callsOf = ({ calls }: Outcome): string[] =>
  calls.map(({ method, url }) => `${method} ${new URL(url).pathname}${new URL(url).search}`);

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
    expect(callsOf(outcome)).toEqual(["GET /api/admin/users?sort=lastSeen&order=asc"]);
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
    expect(callsOf(outcome)).toEqual(["GET /api/admin/users?role=admin&status=disabled"]);
  });

  test("--all asks page by page, and shows a row that moved to the next page once", async () => {
    const answer = ({ url }: Request) => {
      const offset = Number(new URL(url).searchParams.get("offset"));
      const users = offset === 0 ? rows(100) : rows(21, 99);
      return success({ users, pagination: { total: 120, limit: 100, offset } });
    };
    const outcome = await run(["user", "list", "--all", "--search", "a", "--json"], { answer });
    expect(callsOf(outcome)).toEqual([
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
    expect(callsOf(outcome)).toEqual(["GET /api/admin/pending-users?limit=5"]);
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
