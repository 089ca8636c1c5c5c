import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { type LiveStream, readStream } from "#api/testing/live-stream.ts";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { addUser } from "../driver/add-user.ts";
import { signedInPeople } from "../driver/people.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { openConnection } from "../driver/raw-request.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";

const path = "/api/admin/activity/stream";
const streams: LiveStream[] = [];
const servers: ServerProcess[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close();
});
afterAll(async () => {
  for (const server of servers) {
    await server.stop("SIGKILL");
    removeFolder(server.dataDir);
  }
});

const startOwn = async (env: Record<string, string> = {}): Promise<ServerProcess> => {
  const server = await startServer({ env });
  servers.push(server);
  return server;
};

/** An admin of the server, and someone whose role they change, there and back: each change is a row. */
const peopleOf = async (server: ServerProcess) => {
  const cookies = await signedInPeople(server);
  const admin = createPerson(server.url);
  admin.cookie = cookies.admin;
  const writes = async (rows: number): Promise<void> => {
    for (let row = 0; row < rows; row += 1) {
      const role = row % 2 === 0 ? "admin" : "user";
      const { status } = await admin.call("PUT", "/api/admin/users/grace@example.test/role", { role });
      if (status !== 200) throw new Error(`changing a role was answered with ${status}`);
    }
  };
  return { admin, writes };
};

const listen = async (person: Person, server: ServerProcess, lastId?: string): Promise<LiveStream> => {
  const response = await fetch(`${server.url}${path}?search=role of a user`, {
    headers: {
      cookie: person.cookie ?? "",
      ...(lastId === undefined ? {} : { "last-event-id": lastId }),
    },
  });
  expect(response.status).toBe(200);
  const stream = readStream(response);
  streams.push(stream);
  await stream.begun();
  return stream;
};

const idsOf = (all: LiveStream[]): string[] =>
  all.flatMap(({ events }) => events.filter(({ type }) => type === "activity").map(({ id }) => id));

/** Reads a stream that is cut and resumed again and again, until so many activities came; their ids. */
const readInPieces = async (person: Person, places: ServerProcess[], rows: number): Promise<string[]> => {
  const parts: LiveStream[] = [];
  for (let turn = 0; idsOf(parts).length < rows; turn += 1) {
    const had = idsOf(parts).length;
    const place = places[turn % places.length];
    if (place === undefined) throw new Error("nowhere to listen");
    const stream = await listen(person, place, parts.at(-1)?.lastId);
    parts.push(stream);
    await until(() => idsOf(parts).length > had, 20_000);
    await stream.close();
  }
  return idsOf(parts);
};

const inOrder = (ids: string[]): string[] =>
  [...new Set(ids)].sort((one, other) => Number(one) - Number(other));

describe("a live stream", () => {
  let server: ServerProcess;
  let admin: Person;
  let writes: (rows: number) => Promise<void>;
  beforeAll(async () => {
    server = await startOwn();
    ({ admin, writes } = await peopleOf(server));
  }, 60_000);

  test("brings every row once and in order, however often its line is cut", async () => {
    const rows = sized(40, 400);
    const reading = readInPieces(admin, [server], rows);
    await until(() => streams.length > 0);
    await writes(rows);
    const ids = await reading;
    expect(ids).toEqual(inOrder(ids));
    expect(ids).toHaveLength(rows);
  }, 60_000);

  test("stays open while nothing happens, beside one that no client reads", async () => {
    const quiet = await listen(admin, server);
    const deaf = await openConnection(server.url);
    deaf.on("error", () => {});
    deaf.pause();
    deaf.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost:${new URL(server.url).port}\r\nCookie: ${admin.cookie}\r\n\r\n`,
    );
    // Longer than the server leaves a connection open on which nothing moves.
    await Bun.sleep(20_000);
    await writes(2);
    expect(await quiet.actions(2)).toHaveLength(2);
    expect(quiet.text).toContain(":\nid: ");
    deaf.destroy();
  }, 60_000);

  test("X5: does not hold up an orderly stop, which ends it", async () => {
    const own = await startOwn();
    const { admin: listener } = await peopleOf(own);
    const open = await Promise.all(Array.from({ length: 8 }, () => listen(listener, own)));
    const begun = performance.now();
    expect(await own.stop("SIGTERM")).toBe(0);
    expect(performance.now() - begun).toBeLessThan(5_000);
    for (const stream of open) await stream.ended();
  }, 60_000);

  test("is there for the operator at the control socket", async () => {
    const response = await fetch(`http://localhost${path}?search=role of a user`, {
      unix: `${server.dataDir}/control.sock`,
    });
    const stream = readStream(response);
    streams.push(stream);
    await stream.begun();
    await writes(2);
    expect(await stream.actions(2)).toEqual(Array(2).fill("Changed the role of a user"));
  }, 60_000);
});

describe.skipIf(findPostgres() === null)("with two replicas on one PostgreSQL", () => {
  let postgres: PostgresServer;
  let one: ServerProcess;
  let two: ServerProcess;
  let admin: Person;
  let writes: (rows: number) => Promise<void>;
  // They share a database and a key.
  beforeAll(async () => {
    postgres = await startPostgres();
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      APP_SECRET: randomBytes(36).toString("base64"),
    };
    one = await startOwn(env);
    two = await startOwn(env);
    ({ admin, writes } = await peopleOf(one));
  }, 60_000);
  afterAll(() => postgres.stop());

  test("each row comes once and in order, wherever it was written and whichever is listened to", async () => {
    const rows = sized(40, 400);
    const near = await listen(admin, one);
    const far = await listen(admin, two);
    const reading = readInPieces(admin, [two, one], rows);
    await until(() => streams.length > 2);
    await writes(rows);
    const ids = await reading;
    expect(ids).toHaveLength(rows);
    expect(ids).toEqual(inOrder(ids));
    for (const stream of [near, far]) {
      await stream.actions(rows);
      expect(idsOf([stream])).toEqual(ids);
    }
  }, 60_000);

  test("A2: a demotion at one ends the streams at the other, which bring nothing more", async () => {
    const person = { name: "Mary Shelley", email: "mary@example.test", role: "admin" } as const;
    const mary = await addUser(one.url, admin.cookie ?? "", person);
    const [hers, mine] = [await listen(mary, two), await listen(admin, two)];
    await writes(2);
    await hers.actions(2);
    const demoted = await admin.call("PUT", `/api/admin/users/${person.email}/role`, { role: "user" });
    expect(demoted.status).toBe(200);
    await writes(2);
    await mine.actions(5);
    await hers.ended();
    expect(idsOf([hers])).toHaveLength(2);
  }, 60_000);
});
