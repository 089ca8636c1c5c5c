import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "bun";
import { openS3Bucket } from "#api/adapters/object-store/s3-client.ts";
import { OutboundError } from "#api/adapters/outbound/check-address.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { endings, secrets, statuses, stubOf, targetAt, testAt } from "./bucket-stage.ts";
import { runChecked } from "./run-checked.ts";
import { foreignWords, plainStorage, type Script, s3Error, startS3Stub } from "./s3-stub.ts";

/**
 * Measures the longest time for which nothing else was done, until the returned function is called. Time in which this
 * process had no processor does not count: what else the machine does is not its doing.
 */
const watchPauses = (): (() => number) => {
  const spentMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let [lastAt, lastSpent, longest] = [performance.now(), spentMs(), 0];
  const look = (): void => {
    const [now, spent] = [performance.now(), spentMs()];
    longest = Math.max(longest, Math.min(now - lastAt, spent - lastSpent));
    [lastAt, lastSpent] = [now, spent];
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
};

describe("S4: a server that answers badly ends the bucket's test within five seconds, named and not quoted", () => {
  const huge = () => new Response(foreignWords.repeat(400_000));
  const drip = () =>
    new Response(
      new ReadableStream({
        pull: async (controller) => {
          await Bun.sleep(300);
          controller.enqueue(new TextEncoder().encode("x"));
        },
      }),
    );
  test.each<[string, Script, string]>([
    [
      "knows no such key",
      () => s3Error(403, "InvalidAccessKeyId"),
      "The storage does not know the access key ID.",
    ],
    [
      "finds the signature wrong",
      () => s3Error(403, "SignatureDoesNotMatch"),
      "The access key ID and the secret access key do not match.",
    ],
    ["denies access", () => s3Error(403, "AccessDenied"), "The keys do not allow this."],
    ["denies without a word", () => new Response(null, { status: 403 }), "The keys do not allow this."],
    ["has no such bucket", () => s3Error(404, "NoSuchBucket"), "There is no bucket of that name."],
    [
      "has another time",
      () => s3Error(403, "RequestTimeTooSkewed"),
      "This server's clock differs too much from the storage's.",
    ],
    ["is full", () => s3Error(507, "QuotaExceeded"), "The storage does not accept more data."],
    ["fails", () => s3Error(500, "InternalError"), "The storage server failed."],
    ["is busy", () => s3Error(503, "SlowDown"), "The storage server failed."],
    ["is silent", () => null, "There was no response in time."],
    ["drips", drip, "There was no response in time."],
    ["sends 10 MB", huge, "Its response is too large."],
    [
      "redirects to metadata",
      () => Response.redirect("http://169.254.169.254/latest/meta-data", 307),
      "It answered with a redirect, which is not followed.",
    ],
    [
      "speaks of something else",
      () => new Response(`<html>${foreignWords}</html>`, { status: 404 }),
      "It does not answer as object storage does.",
    ],
    [
      "has the bucket elsewhere",
      () => s3Error(301, "PermanentRedirect", "<Endpoint>http://169.254.169.254</Endpoint>"),
      "It answered with a redirect, which is not followed.",
    ],
  ])("one that %s", async (_, script, message) => {
    const report = await testAt(stubOf(script).origin);
    expect(report).toMatchObject({ isWorking: false, summary: message });
    expect(report.details).not.toBe("");
  });

  test("one that answers a write with 10 MB is not read to its end", async () => {
    const { origin } = stubOf(huge);
    const bucket = openS3Bucket(targetAt(origin), { otherOrigins: [origin] });
    expect(await failureOf(bucket.delete("a"))).toMatchObject({ fault: "large" });
    expect(await failureOf(bucket.put("a", new Uint8Array(1), { contentType: "a/b" }))).toMatchObject({
      fault: "large",
    });
  });

  const tags = (count: number) =>
    `<Error><Code>AccessDenied</Code>${'<a b="c" d="e"/>'.repeat(count)}</Error>`;

  test.each<[string, { status: number; count: number; fault: string }]>([
    ["denies access in 2 MB of XML", { status: 403, count: 130_000, fault: "denied" }],
    ["fails in 10 MB of XML", { status: 500, count: 650_000, fault: "broken" }],
    ["denies access in as much as is read", { status: 403, count: 4_000, fault: "denied" }],
    ["lists 10 MB", { status: 200, count: 650_000, fault: "large" }],
    ["lists as much as is read", { status: 200, count: 16_000, fault: "denied" }],
  ])("one that %s blocks no other work, and its status counts", async (_, { status, count, fault }) => {
    const { origin } = stubOf(() => new Response(tags(count), { status }));
    const bucket = openS3Bucket(targetAt(origin), { otherOrigins: [origin] });
    // What is loaded and made ready with the first call is not the server's doing.
    await failureOf(bucket.delete("a"));
    const longestMs = watchPauses();
    expect(await failureOf(bucket.discard("a"))).toMatchObject({ fault });
    expect(longestMs()).toBeLessThan(150);
  });

  test("one that fails in the middle is left without a probe object", async () => {
    for (const [failing, expected] of [
      ["GET", ["passed", "passed", "failed", "passed", "skipped"]],
      ["PUT", ["passed", "failed", "skipped", "passed", "skipped"]],
    ] as const) {
      const storage = plainStorage();
      const stub = stubOf(async (request, body) => {
        const answer = await storage(request, body);
        return request.method === failing ? s3Error(500, "InternalError") : answer;
      });
      const report = await testAt(stub.origin);
      expect(statuses(report)).toEqual([...expected]);
      const [path] = stub.seen.filter(({ method }) => method === "PUT").map((request) => request.path);
      expect(
        await storage({ method: "GET", path: path ?? "", headers: new Headers() }, new Uint8Array()),
      ).toMatchObject({ status: 404 });
    }
  });

  test("one that gives back something else is not said to work", async () => {
    const storage = plainStorage();
    const stub = stubOf((request, body) =>
      request.method === "GET" ? new Response("0".repeat(64)) : storage(request, body),
    );
    expect(statuses(await testAt(stub.origin))).toEqual(["passed", "passed", "failed", "passed", "skipped"]);
  });
});

describe("S3: nothing is sent", () => {
  const refused = "Connections to this address are not allowed";

  test.each([
    "http://169.254.169.254",
    "http://0.0.0.0:1",
    "https://2852039166",
    "http://[::ffff:7f00:1]:1",
    "https://metadata.google.internal.",
    "gopher://127.0.0.1:1",
  ])("to %s, though the operator lists it", async (endpoint) => {
    const report = await testAt(endpoint);
    expect(report).toMatchObject({ isWorking: false, summary: refused });
    expect(statuses(report)).toEqual(["failed", "skipped", "skipped", "skipped"]);
  });

  test("to an origin that is not listed", async () => {
    const stub = stubOf(plainStorage());
    expect(await testAt(stub.origin, { otherOrigins: [] })).toMatchObject({ summary: refused });
    expect(
      await failureOf(openS3Bucket(targetAt(stub.origin), { otherOrigins: [] }).get("x", 1)),
    ).toMatchObject({
      fault: "refused",
    });
    expect(stub.seen).toEqual([]);
  });

  test("to a listed name that leads to an address which must not be called, or in the open to a far one", async () => {
    const stub = stubOf(plainStorage());
    const named = stub.origin.replace("127.0.0.1", "storage.example.test");
    const refuse = () => Promise.reject(new OutboundError("refused"));
    expect(await testAt(named, { resolve: refuse })).toMatchObject({ summary: refused });
    const far = { address: "203.0.113.7", family: 4 as const };
    expect(await testAt(named, { resolve: async () => far })).toMatchObject({ summary: refused });
    expect(stub.seen).toEqual([]);
  });

  test("anywhere but to the address that was checked: a name is looked up once", async () => {
    const stub = stubOf(plainStorage());
    const named = stub.origin.replace("127.0.0.1", "storage.example.test");
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return { address: lookups === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 as const };
    };
    expect(await testAt(named, { resolve })).toMatchObject({ isWorking: true });
    expect(lookups).toBe(1);
    expect(stub.seen[0]?.headers.get("host")).toBe(new URL(named).host);
  });
});

test("a region that the server names is used from then on", async () => {
  const storage = plainStorage();
  const stub = stubOf((request, body) =>
    request.headers.get("authorization")?.includes("/garage/s3/")
      ? storage(request, body)
      : s3Error(400, "AuthorizationHeaderMalformed", "<Region>garage</Region>"),
  );
  const bucket = openS3Bucket(targetAt(stub.origin), { otherOrigins: [stub.origin] });
  await bucket.put("a", new Uint8Array([1]), { contentType: "text/plain" });
  expect(await bucket.get("a", 10)).toEqual(new Uint8Array([1]));
  expect(stub.seen).toHaveLength(3);
});

test("S1: an error of a bucket holds neither keys nor what the server said", async () => {
  const stub = stubOf(() => s3Error(418, "Teapot", `<Detail>${foreignWords}</Detail>`));
  const bucket = openS3Bucket(targetAt(stub.origin), { otherOrigins: [stub.origin] });
  const error = await failureOf(bucket.put("name", new Uint8Array(3), { contentType: "text/plain" }));
  expect(error).toMatchObject({ name: "BucketError", fault: "odd" });
  for (const word of [...secrets, foreignWords]) expect(inspect(error, { depth: 9 })).not.toContain(word);
});

test("a bucket that is closed ends the calls under way", async () => {
  const stub = stubOf(() => null);
  const bucket = openS3Bucket(targetAt(stub.origin), {
    otherOrigins: [stub.origin],
    quietMs: 20_000,
    deadlineMs: 20_000,
  });
  const startedAt = performance.now();
  const call = failureOf(bucket.get("a", 10));
  while (stub.seen.length === 0) await Bun.sleep(5);
  bucket.close();
  expect(await call).toMatchObject({ fault: "unreachable" });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("a certificate that is not trusted is refused before anything is sent", async () => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-s3-tls-"));
  endings.push(() => rmSync(folder, { recursive: true }));
  const words =
    "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=other.example.test";
  runChecked(["openssl", ...words.split(" ")], folder);
  let arrived = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key: Bun.file(join(folder, "key.pem")), cert: Bun.file(join(folder, "cert.pem")) },
    fetch: () => {
      arrived += 1;
      return new Response();
    },
  });
  endings.push(() => void server.stop(true));
  const report = await testAt(`https://127.0.0.1:${server.port}`);
  expect(report.summary).toBe("This server does not trust its certificate.");
  expect(arrived).toBe(0);
});

test("a closed port and an unknown host name are told apart", async () => {
  const stub = startS3Stub(plainStorage());
  stub.stop();
  expect((await testAt(stub.origin)).summary).toBe("Nothing answers at that address.");
  const unknown = () => Promise.reject(Object.assign(new Error(foreignWords), { code: "ENOTFOUND" }));
  expect((await testAt("https://storage.invalid", { resolve: unknown })).summary).toBe(
    "The host name is not known.",
  );
  const report = await testAt("https://storage.invalid", { resolve: () => new Promise(() => {}) });
  expect(report.summary).toBe("There was no response in time.");
});
