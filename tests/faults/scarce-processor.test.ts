import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { hashToken, newToken } from "#api/core/ids.ts";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { residentBytes } from "../bench/measure/processes.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";

const sessions = sized(8_000, 100_000);
const sessionsOfAUser = 100;
const atOnce = 32;
const busyLoops = 4;
const grownBytes = 60_000_000;
const givenBackWithinMs = 60_000;

let postgres: PostgresServer;
let server: ServerProcess;
let tokens: string[];
const loops: Bun.Subprocess[] = [];

beforeAll(async () => {
  if (findPostgres() === null) return;
  postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  server = await startServer({ env: { DATABASE_URL: url } });
  tokens = await addSessions(url);
}, 120_000);

afterAll(async () => {
  for (const loop of loops) loop.kill("SIGKILL");
  if (findPostgres() === null) return;
  await server.stop("SIGKILL");
  removeFolder(server.dataDir);
  postgres.stop();
});

/** Sessions that were used an hour ago, so that each is to be recorded as used now; resolves to their tokens. */
const addSessions = async (url: string): Promise<string[]> => {
  const made = Array.from({ length: sessions }, () => newToken(32));
  const sql = new SQL(url, { max: 1 });
  for (let first = 0; first < made.length; first += sessionsOfAUser) {
    const hashes = made.slice(first, first + sessionsOfAUser).map(hashToken);
    await sql`with person as (
      insert into users (id, name, email, email_key, email_verified_at)
      values (gen_random_uuid(), 'Ada', ${`${first}@example.test`}, ${`${first}@example.test`}, now()) returning id
    ) insert into sessions (token_hash, id, user_id, ip, created_at, last_used_at, expires_at)
      select hash, gen_random_uuid(), person.id, '192.0.2.1', now() - interval '1 day', now() - interval '1 hour', now() + interval '20 days'
      from person, json_array_elements_text(${JSON.stringify(hashes)}::text::json) as hash`;
  }
  await sql.close();
  return made;
};

/** Asks once with each session; resolves to the most that the server held meanwhile, and to how many were let in. */
const askAll = async (): Promise<{ most: number; letIn: number }> => {
  let [asked, most, letIn] = [0, 0, 0];
  const ask = async (): Promise<void> => {
    for (let token = tokens[asked++]; token !== undefined; token = tokens[asked++]) {
      const answer = await fetch(`${server.url}/api/auth/user`, { headers: { cookie: `sid=${token}` } });
      await answer.arrayBuffer();
      // A database that gets no turn for seconds counts as away: that is no matter of memory.
      expect([200, 503]).toContain(answer.status);
      if (answer.status === 200) letIn += 1;
      if (asked % 100 === 0) most = Math.max(most, residentBytes([server.pid]));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return { most, letIn };
};

// Memory is read where Linux shows it.
describe.skipIf(findPostgres() === null || process.platform !== "linux")(
  "X12: while the processor is scarce",
  () => {
    test(
      "memory grows by a bounded amount however many sessions ask, and is given back within a minute",
      async () => {
        const before = residentBytes([server.pid]);
        for (let n = 0; n < busyLoops; n += 1) loops.push(Bun.spawn([process.execPath, "-e", "for (;;);"]));
        const { most, letIn } = await askAll();
        expect(letIn).toBeGreaterThan(sessions / 2);
        const isGivenBack = () => residentBytes([server.pid]) - before < grownBytes;
        await until(isGivenBack, givenBackWithinMs);
        const after = residentBytes([server.pid]);
        console.log(
          `${[before, most, after].map((bytes) => Math.round(bytes / 1e6)).join(", ")} MB before, at most, after`,
        );
        expect(most - before).toBeLessThan(grownBytes);
      },
      sized(600_000, 3_600_000),
    );
  },
);
