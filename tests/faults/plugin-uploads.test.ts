import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { activities, activityKinds } from "#api/db/schema.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { residentBytes } from "../bench/measure/processes.ts";
import { signedInPeople } from "../driver/people.ts";
import { asAdmin, type PluginCaller } from "../driver/plugin-caller.ts";
import { openConnection } from "../driver/raw-request.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";
import { bombs } from "../fixtures/hostile-archives/bombs.ts";
import { hostileArchives } from "../fixtures/hostile-archives/hostile-archives.ts";
import { packNotes } from "../fixtures/plugins/notes-plugin.ts";

setDefaultTimeout(120_000);

const grownBytes = 150_000_000;
const refusedWithinMs = 2_000;
const others = hostileArchives.filter((archive) => !bombs.includes(archive));
const sample = [...bombs, ...others.filter((_, at) => at % sized(4, 1) === 0)];
const abortedBytes = 18_000_000;
const aborted = 4;

let invalid = 0;
/** Everything that the server may take for a place of its own lies in here. */
const root = temporaryFolder();
const dataDir = join(root, "data");
let server: ServerProcess;
let admin: PluginCaller;
let cookie: string;

beforeAll(async () => {
  for (const folder of ["data", "home", "tmp"]) mkdirSync(join(root, folder), { mode: 0o700 });
  const env = { HOME: join(root, "home"), TMPDIR: join(root, "tmp") };
  server = await startServer({ dataDir, env });
  cookie = (await signedInPeople(server)).admin;
  admin = asAdmin(server.url, cookie);
});
afterAll(async () => {
  await server.stop();
  removeFolder(root);
});

/** All files but those of the database, which come and go. */
const filesInRoot = (): string[] =>
  [...new Bun.Glob("**/*").scanSync({ cwd: root, dot: true, onlyFiles: true })]
    .filter((path) => !path.startsWith("data/database/"))
    .sort();

const isSame = (one: string[], other: string[]): boolean => Bun.deepEquals(one, other);

/** What a server has open: files, its connections, and what it has to itself. */
const openFilesOf = ({ pid }: ServerProcess): number => readdirSync(`/proc/${pid}/fd`).length;

/** What a name that leads out would have left on the way up from where the server works. */
const filesAbove = (): string[] =>
  [root, tmpdir(), "/", join(tmpdir(), ".ssh"), "/etc/cron.d", join(root, "..", "..")].flatMap((folder) =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /evil|authorized_keys/.test(name)),
  );

/** The most memory that the server has in use while `work` is done, beyond what it had before. */
const growthDuring = async (work: () => Promise<void>): Promise<number> => {
  const before = residentBytes([server.pid]);
  let most = before;
  const look = () => {
    most = Math.max(most, residentBytes([server.pid]));
  };
  const watch = setInterval(look, 5);
  await work();
  clearInterval(watch);
  look();
  return most - before;
};

/** How many refusals the log of a server that has stopped tells of: those of a minute beyond the first few share a row. */
const recordedRefusals = async (db: Database): Promise<number> => {
  const rows = await db
    .select({ occurrences: activities.occurrences })
    .from(activities)
    .innerJoin(activityKinds, eq(activityKinds.id, activities.kindId))
    .where(inArray(activityKinds.type, ["plugin_failed", "signature_failed"]));
  return rows.reduce((sum, { occurrences }) => sum + occurrences, 0);
};

/** Sends half of an upload and hangs up. */
const abortUpload = async (): Promise<void> => {
  const socket = await openConnection(server.url);
  const head =
    `POST /api/plugins/upload HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\norigin: ${server.url}\r\n` +
    `cookie: ${cookie}\r\nsec-fetch-site: same-origin\r\ncontent-type: multipart/form-data; boundary=xx\r\n` +
    `content-length: ${abortedBytes}\r\n\r\n--xx\r\ncontent-disposition: form-data; name="plugin"; filename="a.zip"\r\n` +
    "content-type: application/zip\r\n\r\nPK\u0003\u0004";
  socket.write(head);
  const isOut = Promise.withResolvers<void>();
  socket.write(Buffer.alloc(abortedBytes / 2, 7), () => isOut.resolve());
  await isOut.promise;
  socket.destroy();
};

// The last one reads what the others have left in the log.
const step = inOrder();

step(
  `P1: ${sample.length} hostile archives sent to a server are refused soon, grow it by less than 150 MB, and leave nothing anywhere`,
  async () => {
    expect((await admin.ask("POST", "/api/plugins/upload", new FormData())).status).toBe(400);
    const before = filesInRoot();
    const above = filesAbove();
    const listed = async () => (await admin.ask("GET", "/api/plugins")).body.data;
    const shipped = await listed();
    const grown = await growthDuring(async () => {
      for (const { what, build } of sample) {
        const zip = build();
        const begun = performance.now();
        const { status, body } = await admin.upload(zip);
        const isSoon = performance.now() - begun < refusedWithinMs;
        expect({
          what,
          isRefused: [400, 413, 415, 422].includes(status),
          isSoon,
          code: typeof body.code,
        }).toEqual({
          ...{ what, isRefused: true, isSoon: true, code: "string" },
        });
        if (status === 422) invalid += 1;
      }
    });
    console.log(`${sample.length} archives, grown by ${Math.round(grown / 1e6)} MB`);
    expect(grown).toBeLessThan(grownBytes);
    expect(filesInRoot()).toEqual(before);
    expect(filesAbove()).toEqual(above);
    expect(await listed()).toEqual(shipped);
  },
);

step(
  "P3: uploads that end in the middle grow it by less than 150 MB, leave nothing, and the next one is taken",
  async () => {
    const before = filesInRoot();
    const connections = openFilesOf(server);
    const grown = await growthDuring(async () => {
      await Promise.all(Array.from({ length: aborted }, abortUpload));
      // Until the server has noticed that they are gone.
      await until(() => openFilesOf(server) <= connections && isSame(filesInRoot(), before));
    });
    console.log(`${aborted} uploads broken off, grown by ${Math.round(grown / 1e6)} MB`);
    expect(grown).toBeLessThan(grownBytes);
    expect(filesInRoot()).toEqual(before);
    expect((await admin.upload(await packNotes("whole-notes", "1.0.0"))).status).toBe(201);
    expect((await admin.toggle("whole-notes", true)).status).toBe(200);
    const ours = filesInRoot().filter((path) => !before.includes(path));
    expect(ours.filter((path) => !path.startsWith("data/plugins/whole-notes/"))).toEqual([]);
  },
);

step("P1: each archive that was refused as a package is in the log, counted once", async () => {
  await server.stop();
  expect(invalid).toBeGreaterThan(20);
  expect(await readRows({ dataDir, env: {} }, recordedRefusals)).toBe(invalid);
});
