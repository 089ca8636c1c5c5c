import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import type { BucketTarget } from "#api/core/settings.ts";
import { runChecked } from "./run-checked.ts";
import { hasSwift, programOf, python, swiftFiles, swiftServers } from "./swift-files.ts";

/** A throw-away OpenStack Swift on loopback that speaks S3 and checks signatures. */
export type SwiftServer = {
  origin: string;
  region: string;
  /** A bucket with the keys that open it; with other keys or of another name when they are given. */
  target(other?: Partial<BucketTarget>): BucketTarget;
  /** What lies in a bucket now, by name. */
  names(bucket?: string): Promise<string[]>;
  /** What is being uploaded in parts to the first bucket, or was and is not finished, by name. */
  uploads(): Promise<string[]>;
  /** Ends the part that answers, at once. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with all that was stored. */
  restart(): Promise<void>;
  /** Stops it where it stands: the system still takes connections for it. */
  freeze(): void;
  thaw(): void;
  /** Ends all parts and removes their files. Safe to call twice. */
  stop(): void;
};

/** The two buckets that are there. */
export const swiftBuckets = ["first-bucket", "second-bucket"] as const;

const keyId = "atrium:swift-access-key-id";
const secret = "swift-secret-access-key-canary";
const region = "us-east-1";
const limitMs = 30_000;

/** Starts a server of its own. Throws when Swift is not installed. */
export const startSwift = async (): Promise<SwiftServer> => {
  if (!hasSwift()) throw new Error("Swift is not installed (looked for swift-proxy-server and its like)");
  const folder = mkdtempSync(join(tmpdir(), "atrium-swift-"));
  const ports = await freePorts(swiftServers.length);
  const portOf = (name: (typeof swiftServers)[number]) => ports[swiftServers.indexOf(name)] ?? 0;
  const files = swiftFiles({ folder, portOf, keyId, secret, region });
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text);
  mkdirSync(join(folder, "devices/disk"), { recursive: true });
  runChecked([python, join(folder, "rings.py")], folder);

  const children = new Map<string, Bun.Subprocess>();
  const start = async (name: (typeof swiftServers)[number]): Promise<void> => {
    const log = Bun.file(join(folder, `${name}.log`));
    const command = [python, programOf(name), join(folder, `${name}.conf`)];
    const child = Bun.spawn([...withParent(), ...command], {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin", PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["ignore", log, log],
    });
    children.set(name, child);
    const deadline = performance.now() + limitMs;
    while (!(await isOpen(portOf(name)))) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`Swift's ${name} server did not start: ${await log.text()}`);
      await Bun.sleep(20);
    }
  };
  const stop = (): void => {
    process.off("exit", stop);
    for (const child of children.values()) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.on("exit", stop);

  const origin = `http://127.0.0.1:${portOf("proxy")}`;
  const bucketAt = (bucket: string) =>
    new Bun.S3Client({ endpoint: origin, region, accessKeyId: keyId, secretAccessKey: secret, bucket });
  try {
    await Promise.all(swiftServers.map(start));
    for (const bucket of swiftBuckets) await createBucket(origin, bucket);
  } catch (error) {
    stop();
    throw error;
  }
  const proxy = () => children.get("proxy");
  return {
    origin,
    region,
    target: (other = {}) => ({
      endpoint: origin,
      bucket: swiftBuckets[0],
      accessKeyId: keyId,
      secretAccessKey: secret,
      token: null,
      ...other,
    }),
    names: async (bucket = swiftBuckets[0]) => {
      const { contents = [] } = await bucketAt(bucket).list();
      return contents.map(({ key }) => key);
    },
    uploads: async () => {
      const client = connectTo(origin);
      const { Uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket: swiftBuckets[0] }),
      );
      client.destroy();
      return Uploads.map(({ Key = "" }) => Key);
    },
    kill: async () => {
      proxy()?.kill("SIGKILL");
      await proxy()?.exited;
    },
    restart: () => start("proxy"),
    freeze: () => proxy()?.kill("SIGSTOP"),
    thaw: () => proxy()?.kill("SIGCONT"),
    stop,
  };
};

/** A test process that is killed must not leave a server behind: the system then ends it, where it knows how to. */
const withParent = (): string[] =>
  Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect({ port, host: "127.0.0.1" });
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });

/** All are held at the same time: none is given out twice. */
const freePorts = async (count: number): Promise<number[]> => {
  const probes = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Server>((resolve, reject) => {
          const probe = createServer().once("error", reject);
          probe.listen(0, "127.0.0.1", () => resolve(probe));
        }),
    ),
  );
  const ports = probes.map((probe) => {
    const address = probe.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(probes.map((probe) => new Promise((closed) => probe.close(closed))));
  return ports;
};

const connectTo = (origin: string): S3Client =>
  new S3Client({
    endpoint: origin,
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    forcePathStyle: true,
  });

const createBucket = async (origin: string, bucket: string): Promise<void> => {
  const client = connectTo(origin);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
};
