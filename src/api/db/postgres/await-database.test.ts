import { expect, test } from "bun:test";
import postgres from "postgres";
import { AppError } from "#api/core/app-error.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { awaitDatabase } from "./await-database.ts";

const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const answer = (code: string) => Object.assign(new postgres.PostgresError("FATAL: no"), { code });

/** A server that fails its first checks with these, and is there afterwards. */
const serverAfter = (...failures: Error[]) => {
  const left = [...failures];
  let checks = 0;
  const check = async () => {
    checks += 1;
    const cause = left.shift();
    if (cause) throw new AppError("DB_UNAVAILABLE", undefined, { cause });
  };
  return { check, checks: () => checks };
};
const wait = async (server: ReturnType<typeof serverAfter>, patienceMs = 10_000) => {
  const log = createRecordingLog();
  await awaitDatabase(server, { log, patienceMs, pauseMs: 1 });
  return log.entries.map(({ message }) => message);
};

test("a server that is there is asked once, and nothing is logged", async () => {
  const server = serverAfter();
  expect(await wait(server)).toEqual([]);
  expect(server.checks()).toBe(1);
});

test("a server that comes up later is waited for, with a line in five tries and one at the end", async () => {
  const starting = answer("57P03");
  const server = serverAfter(away, away, starting, new Error("no answer within 2500 ms"), away, away);
  const waiting = "waiting for the database";
  expect(await wait(server)).toEqual([waiting, waiting, "the database is available"]);
  expect(server.checks()).toBe(7);
});

test.each(["28P01", "3D000", "28000"])("a server that refuses with %s is not waited for", async (code) => {
  const server = serverAfter(answer(code), away);
  expect(await wait(server)).toEqual([]);
  expect(server.checks()).toBe(1);
});

test("patience ends", async () => {
  const server = serverAfter(...Array.from({ length: 10_000 }, () => away));
  await wait(server, 30);
  expect(server.checks()).toBeLessThan(40);
});

test("who wants to know is told once that the server is away, and never of one that is there or refuses", async () => {
  const told = async (...failures: Error[]) => {
    let times = 0;
    const onAway = () => {
      times += 1;
    };
    await awaitDatabase(serverAfter(...failures), { log: createRecordingLog(), onAway, pauseMs: 1 });
    return times;
  };
  expect(await told()).toBe(0);
  expect(await told(answer("28P01"))).toBe(0);
  expect(await told(away, away, away)).toBe(1);
});
