import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openBucketFiles } from "#api/adapters/object-store/s3-files.ts";
import { BucketError } from "#api/core/objects.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, startServer, temporaryFolder } from "../driver/start-server.ts";
import { type StubBucket, startStubBucket } from "./s3-bucket.ts";
import { foreignWords, s3Error } from "./s3-stub.ts";

let stub: StubBucket;
let refuses: (method: string, path: string) => boolean = () => false;
const folders: string[] = [];

beforeAll(() => {
  stub = startStubBucket((method, path) => (refuses(method, path) ? s3Error(403, "AccessDenied") : null));
});
afterEach(() => {
  refuses = () => false;
});
afterAll(() => {
  stub.stop();
  for (const folder of folders) removeFolder(folder);
});

const bucket = "credentials.cloudflareR2";
const keys = { id: "key-id-canary-0123456", secret: "secret-key-canary-0123" };

test("X15: kept in object storage a backup is looked into, removed and restored from there by plain commands, also without the installation that made it", async () => {
  const server = await startServer({ env: { S3_ENDPOINTS: stub.origin } });
  folders.push(server.dataDir, temporaryFolder());
  const env = { DATA_DIR: server.dataDir, S3_ENDPOINTS: stub.origin };
  const set = await runCommand(
    [
      ..."settings set".split(" "),
      ...[`${bucket}.bucket`, "files", `${bucket}.endpointS3`, stub.origin],
      ...[`${bucket}.accessKeyId`, `${bucket}.secretAccessKey`, "--stdin"],
    ],
    { env, input: `${keys.id}\n${keys.secret}\n` },
  );
  expect([set.exitCode, set.stderr]).toEqual([0, ""]);

  // Refused halfway: nothing of it is listed or left.
  refuses = (method, path) => method === "POST" && path.includes("uploadId");
  const half = await runCommand(["backup", "--to-storage"], { env });
  expect(half.exitCode).toBe(1);
  expect(half.stderr).toContain("The object storage can't be used");
  expect(half.stderr).not.toContain(foreignWords);
  refuses = () => true;
  const away = await runCommand(["backup", "list", "--json"], { env });
  const missing = JSON.parse(away.stdout);
  expect(missing).toMatchObject({ backups: [], run: { state: "failed" }, last: null });
  expect(missing.storageFault).toBeString();
  refuses = () => false;
  const backupsIn = () => [...stub.objects.keys()].filter((path) => path.includes("/backups/"));
  expect([backupsIn(), stub.parts.size]).toEqual([[], 0]);

  const made = await runCommand(["backup", "--to-storage", "--json"], { env });
  const { file: name, place } = JSON.parse(made.stdout);
  expect([made.exitCode, place, backupsIn().length]).toEqual([0, "storage", 1]);
  const plan = await runCommand(["restore", name, "--from-storage", "--plan", "--json"], { env });
  expect(JSON.parse(plan.stdout)).toMatchObject({
    key: "same",
    complaint: expect.stringContaining("A server is running on"),
  });
  const [[path = "", content = new Uint8Array()] = []] = [...stub.objects].filter(([at]) =>
    at.includes(name),
  );
  const gone = await runCommand(["backup", "remove", name, "--yes"], { env });
  expect([gone.exitCode, backupsIn()]).toEqual([0, []]);
  stub.objects.set(path, content);
  await server.stop();

  // Over what is there, by its settings; and where there is nothing, by the bucket's address.
  const empty = { DATA_DIR: join(folders[1] ?? "", "new") };
  const keysOf = { AWS_ACCESS_KEY_ID: keys.id, AWS_SECRET_ACCESS_KEY: keys.secret };
  const [over, fresh] = await Promise.all([
    runCommand(["restore", name, "--from-storage", "--yes"], { env }),
    runCommand(["restore", name, "--bucket", `${stub.origin}/files`, "--drop-secrets", "--yes"], {
      env: { ...empty, ...keysOf },
    }),
  ]);
  expect([over.exitCode, over.stderr]).toEqual([0, ""]);
  expect(readdirSync(server.dataDir).some((entry) => entry.startsWith("database.replaced-"))).toBeTrue();
  expect([fresh.exitCode, fresh.stderr]).toEqual([0, ""]);
  expect(existsSync(join(empty.DATA_DIR, "database/PG_VERSION"))).toBeTrue();
});

async function* chunks(total: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < total; at += 300) yield new Uint8Array(Math.min(300, total - at)).fill(7);
}

test("X15: object storage lists a backup once all of it is there, and nothing of half an upload or a refused one", async () => {
  const files = openBucketFiles(
    { endpoint: stub.origin, bucket: "b", accessKeyId: "key", secretAccessKey: "secret", token: null },
    { otherOrigins: [stub.origin], prefix: "backups/i/", partBytes: 1000 },
  );
  const { objects, parts } = stub;
  objects.clear();
  parts.clear();
  try {
    expect((await files.write("whole", chunks(2500))).sizeBytes).toBe(2500);
    expect(await files.list()).toEqual([{ name: "whole", sizeBytes: 2500 }]);
    refuses = (method, path) => method === "PUT" && path.includes("partNumber=3");
    await expect(files.write("half", chunks(5000))).rejects.toBeInstanceOf(BucketError);
    refuses = () => false;
    const broken = async function* () {
      yield* chunks(1500);
      throw new Error("the database went away");
    };
    await expect(files.write("broken", broken())).rejects.toThrow("the database went away");
    expect([...objects.keys()]).toEqual(["/b/backups/i/whole"]);
    expect(parts.size).toBe(0);
    expect(await files.remove("whole")).toBeTrue();
    expect(await files.list()).toEqual([]);
  } finally {
    files.close();
  }
});
