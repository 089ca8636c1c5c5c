import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { sized } from "#api/testing/size.ts";
import { rawRequest } from "../driver/raw-request.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

const failures = sized(3_000, 10_000);
const addresses = 400;
// What a failure of one kind may leave in a minute: sixty places, each first alone and then with its repeats, and the rest.
const rowsAMinute = 2 * 60 + 2;

let server: ServerProcess | null = null;
afterEach(async () => {
  await server?.stop("SIGKILL");
  if (server !== null) removeFolder(server.dataDir);
});

/** What would break a line, color a terminal, turn a text round or be too long, as far as a header can carry it. */
const agents = [
  "\u009b31mred\ttext",
  "next\u0085line\u2028separated\u2029",
  "\u202ednuora denrut\u2066",
  "x".repeat(7_000),
  '{"level":"error","message":"forged"}',
].map((agent) => Buffer.from(agent, "utf8").toString("latin1"));

type Row = { rows: number; occurrences: number; longest: number; visible: boolean };

test(`L5: ${failures} failures from ${addresses} places leave a bounded number of rows, which count them all`, async () => {
  server = await startServer();
  const { url } = server;
  const begunAt = performance.now();
  let sent = 0;
  const send = async (): Promise<void> => {
    for (let number = sent++; number < failures; number = sent++) {
      const address = `198.51.${Math.floor((number % addresses) / 200)}.${number % 200}`;
      const { status } = await fetch(`${url}/api/admin/users?token=canary-${number}`, {
        headers: { "x-forwarded-for": address, "user-agent": agents[number % agents.length] ?? "" },
      });
      if (status !== 401) throw new Error(`a stranger was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));
  const minutes = Math.ceil((performance.now() - begunAt) / 60_000) + 1;

  // No header can hold these, nor a megabyte: such a call is no call, and leaves nothing.
  const own = `Host: localhost:${new URL(url).port}`;
  for (const agent of ["a\0b", "a\rb", "\u001b[31mred", "x".repeat(1_000_000)]) {
    const { status } = await rawRequest(
      url,
      `GET /api/admin/users HTTP/1.1\r\n${own}\r\nUser-Agent: ${agent}\r\n\r\n`,
    );
    expect([400, 431, null]).toContain(status);
  }

  expect(await server.stop()).toBe(0);
  const lines = server
    .output()
    .split("\n")
    .filter((line) => line.includes("/api/admin/users"));
  expect(lines).toHaveLength(failures);
  for (const line of lines) {
    expect(line.length).toBeLessThan(1_024);
    expect(JSON.parse(line)).toMatchObject({ message: "request", status: 401, route: "/api/admin/users" });
  }

  const { dataDir } = server;
  const [row] = await readRows({ dataDir, env: {} }, (db) =>
    db.execute<Row>(sql`
      select count(*)::int as rows, sum(occurrences)::int as occurrences,
        max(length(user_agent))::int as longest,
        bool_and(user_agent is null or user_agent !~ '[\\x01-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]') as visible
      from activities where action = 'Called GET /api/admin/users without signing in'`),
  );
  expect(row?.occurrences).toBe(failures);
  expect(row?.rows).toBeLessThanOrEqual(rowsAMinute * minutes);
  expect(row?.longest).toBeLessThanOrEqual(1_024);
  expect(row?.visible).toBe(true);
  const [canaries] = await readRows({ dataDir, env: {} }, (db) =>
    db.execute<{ rows: number }>(
      sql`select count(*)::int as rows from activities where activities::text like '%canary%'`,
    ),
  );
  expect(canaries?.rows).toBe(0);
}, 600_000);
