import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OutboundError } from "#api/adapters/outbound/check-address.ts";
import type { PinnedAnswer, PinnedRequest } from "#api/adapters/outbound/create-outbound.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createHostFunctionWorld, type HostFunctionWorld } from "#api/testing/host-function-world.ts";
import { pluginLimits } from "#contract/plugins.ts";

/** What names are looked up to; a name that is not here does not exist. */
const names = new Map<string, string[]>([
  ["api.example.com", ["93.184.216.34"]],
  ["v6.example.com", ["2606:2800:220:1:248:1893:25c8:1946"]],
  ["a.cdn.example.com", ["93.184.216.35"]],
  ["b.a.cdn.example.com", ["93.184.216.36"]],
  ["inside.example.com", ["10.0.0.5"]],
  ["half.example.com", ["93.184.216.34", "127.0.0.1"]],
]);
const hosts = [
  "api.example.com",
  "v6.example.com",
  "*.cdn.example.com",
  "inside.example.com",
  "half.example.com",
];

let world: HostFunctionWorld;
const sent: PinnedRequest[] = [];
let answer: (request: PinnedRequest) => PinnedAnswer | Promise<PinnedAnswer>;

const ok = (text: string, headers: Record<string, string> = {}): PinnedAnswer => ({
  status: 200,
  headers,
  body: new TextEncoder().encode(text),
});

beforeAll(async () => {
  world = await createHostFunctionWorld({
    resolve: async (name) => {
      const found = names.get(name);
      if (found === undefined) throw new Error(`ENOTFOUND ${name}`);
      return found.map((address) => ({ address }));
    },
    send: async (request) => {
      sent.push(request);
      return answer(request);
    },
  });
});
afterAll(() => world.close());

const caller = (granted = hosts) => world.plugin("caller", [{ name: "net.fetch", hosts: granted }]);

describe("a plugin's fetch", () => {
  test("goes to a granted host, at the address that was looked up", async () => {
    answer = () => ok("hello", { "content-type": "text/plain", "set-cookie": "a=b" });
    sent.length = 0;
    const result = await caller().call("fetch", "https://api.example.com/v1?q=1", {
      method: "POST",
      headers: { Authorization: "Bearer x" },
      text: "body",
    });
    expect(result).toEqual({
      status: 200,
      headers: { "content-type": "text/plain" },
      base64: Buffer.from("hello").toString("base64"),
    });
    expect(sent[0]).toMatchObject({ method: "POST", target: { address: "93.184.216.34", family: 4 } });
    expect(sent[0]?.headers).toMatchObject({ authorization: "Bearer x" });
  });

  test("reaches one label below a wildcard, and no host that was not granted", async () => {
    answer = () => ok("");
    const plugin = caller();
    await plugin.call("fetch", "https://a.cdn.example.com/");
    for (const url of [
      "https://cdn.example.com/",
      "https://b.a.cdn.example.com/",
      "https://api.example.com.evil.example/",
      "https://api.example.com:8443/",
      "https://example.com/",
    ])
      expect(await failureOf(plugin.call("fetch", url))).toMatchObject({ name: "PERMISSION_DENIED" });
  });

  test("is told in the activity log, with host and outcome and without what was sent", async () => {
    const read = createActivityReader(world.ctx);
    await read();
    answer = () => ok("");
    const told = world.plugin("told", [{ name: "net.fetch", hosts }]);
    await told.call("fetch", "https://api.example.com/secret-path?token=abc");
    const rows = (await read()).filter(
      ({ type, pluginName }) => type === "network_request" && pluginName === "told",
    );
    expect(rows).toMatchObject([{ action: "GET api.example.com" }]);
    expect(JSON.stringify(rows)).not.toContain("secret-path");
  });

  test("follows five redirects, checks each of them, and leaves credentials behind", async () => {
    const steps = ["https://v6.example.com/b", "/c", "https://api.example.com/d"];
    sent.length = 0;
    answer = () => {
      const location = steps.shift();
      return location === undefined
        ? ok("end")
        : { status: 302, headers: { location }, body: new Uint8Array() };
    };
    await caller().call("fetch", "https://api.example.com/a", {
      method: "POST",
      text: "form",
      headers: {
        ...{ authorization: "x", "content-type": "text/plain", accept: "text/html" },
        ...{ "X-API-Key": "x", apikey: "x", "x-amz-security-token": "x", "private-token": "x" },
      },
    });
    expect(sent.map(({ url, method }) => `${method} ${url.href}`)).toEqual([
      "POST https://api.example.com/a",
      "GET https://v6.example.com/b",
      "GET https://v6.example.com/c",
      "GET https://api.example.com/d",
    ]);
    expect(sent[0]?.headers).toMatchObject({ authorization: "x", "x-api-key": "x", apikey: "x" });
    for (const { headers } of sent.slice(1))
      expect(headers).toEqual({ "user-agent": "Atrium", accept: "text/html", "accept-encoding": "identity" });
    expect(sent[1]?.body).toBeNull();
    answer = () => ({ status: 302, headers: { location: "/again" }, body: new Uint8Array() });
    expect(await failureOf(caller().call("fetch", "https://api.example.com/"))).toMatchObject({
      name: "FAILED",
    });
    for (const location of ["https://evil.example/", "http://api.example.com/", "https://169.254.169.254/"]) {
      answer = () => ({ status: 302, headers: { location }, body: new Uint8Array() });
      sent.length = 0;
      const plugin = caller();
      const failure = await failureOf(plugin.call("fetch", "https://api.example.com/"));
      expect(failure).not.toMatchObject({ name: "PERMISSION_DENIED" });
      expect(plugin.lines).toEqual([]);
      expect(sent).toHaveLength(1);
    }
  });

  test("says nothing of the network behind this server", async () => {
    const plugin = caller([...hosts, "unknown.example.com"]);
    const messages = await Promise.all(
      ["inside", "half", "unknown"].map((name) =>
        plugin.call("fetch", `https://${name}.example.com/`).catch((error: Error) => error.message),
      ),
    );
    expect(messages).toEqual([
      "The call failed: connections to the address are not allowed",
      "The call failed: connections to the address are not allowed",
      "The call failed: the server could not be reached",
    ]);
  });

  test("is refused when it is written in a way that cannot be sent", async () => {
    const plugin = caller();
    for (const [url, init] of [
      ["http://api.example.com/", {}],
      ["https://user:pass@api.example.com/", {}],
      ["/relative", {}],
      ["https://api.example.com/", { method: "CONNECT" }],
      ["https://api.example.com/", { text: "a" }],
      ["https://api.example.com/", { headers: { Host: "evil" } }],
      ["https://api.example.com/", { headers: { cookie: "a=b" } }],
      ["https://api.example.com/", { headers: { "x-a": "b\r\nc: d" } }],
      ["https://api.example.com/", { headers: { "x a": "b" } }],
      ["https://api.example.com/", { timeoutMs: 60_000 }],
      ["https://api.example.com/", { redirect: "manual" }],
    ] as const)
      expect(await failureOf(plugin.call("fetch", url, init))).toMatchObject({ name: "INVALID" });
    const text = "x".repeat(pluginLimits.fetchBodyBytes + 1);
    expect(
      await failureOf(plugin.call("fetch", "https://api.example.com/", { method: "POST", text })),
    ).toMatchObject({ name: "LIMIT_EXCEEDED" });
  });

  test("unpacks what servers compress unasked, within the bound", async () => {
    answer = () => ({
      status: 200,
      headers: { "content-encoding": "gzip" },
      body: Bun.gzipSync(Buffer.from("packed")),
    });
    expect(await caller().call("fetch", "https://api.example.com/")).toMatchObject({
      base64: Buffer.from("packed").toString("base64"),
      headers: {},
    });
    const bomb = Bun.gzipSync(Buffer.alloc(pluginLimits.fetchAnswerBytes + 1));
    answer = () => ({ status: 200, headers: { "content-encoding": "gzip" }, body: bomb });
    expect(await failureOf(caller().call("fetch", "https://api.example.com/"))).toMatchObject({
      name: "FAILED",
    });
  });

  test("is one of at most four at the same time, and errors have a kind", async () => {
    const { promise, resolve } = Promise.withResolvers<PinnedAnswer>();
    answer = () => promise;
    const plugin = caller();
    const running = Array.from({ length: pluginLimits.fetchesAtOnce }, () =>
      plugin.call("fetch", "https://api.example.com/"),
    );
    expect(await failureOf(plugin.call("fetch", "https://api.example.com/"))).toMatchObject({
      name: "LIMIT_EXCEEDED",
    });
    resolve(ok(""));
    await Promise.all(running);
    answer = () => {
      throw new OutboundError("slow");
    };
    expect(await failureOf(plugin.call("fetch", "https://api.example.com/"))).toMatchObject({
      name: "FAILED",
      message: "The call failed: the server did not respond in time",
    });
  });
});

// Loopback, private, shared, link-local, metadata, documentation, in every spelling that programs know.
const targets = [
  ..."127.0.0.1 127.1 0.0.0.0 0 10.0.0.1 10.1 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 100.100.100.200".split(
    " ",
  ),
  ..."169.254.169.254 169.254.170.2 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 168.63.129.16".split(
    " ",
  ),
  ..."192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1".split(
    " ",
  ),
  ..."[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:169.254.169.254] [::127.0.0.1] [64:ff9b::a9fe:a9fe]".split(
    " ",
  ),
  ..."[2002:a9fe:a9fe::1] [2001:0:a9fe:a9fe::1] [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [ff02::1]".split(
    " ",
  ),
  ..."[2001:db8::1] [3fff::1] [100::1] [2001:10::1] [2001:2::1] [5f00::1] [0:0:0:0:0:ffff:7f00:1]".split(" "),
  ..."localhost localhost. LOCALHOST metadata.google.internal metadata.google.internal. metadata.goog instance-data".split(
    " ",
  ),
  ..."127.0.0.1.nip.example loop.example private.example mixed.example six.example meta.example".split(" "),
  ..."⑯⑨.254.169.254 １２７.0.0.1 127。0。0。1 ⓛocalhost 0x7f.1 017700000001 2130706433 127.0.1.3".split(" "),
];

describe("S3: a fetch to a place inside", () => {
  const inner = new Map([
    ["127.0.0.1.nip.example", "127.0.0.1"],
    ["loop.example", "127.0.0.2"],
    ["private.example", "192.168.1.1"],
    ["mixed.example", "::ffff:10.0.0.1"],
    ["six.example", "fd12:3456::1"],
    ["meta.example", "169.254.169.254"],
    ["localhost", "127.0.0.1"],
    ["localhost.", "127.0.0.1"],
  ]);

  test.each(targets)("%s is refused, and nothing is sent", async (host) => {
    for (const [name, address] of inner) names.set(name, [address]);
    sent.length = 0;
    answer = () => ok("inside");
    const url = `https://${host}/`;
    // Whoever granted such a host was deceived: the address decides.
    const granted = URL.canParse(url) ? [host, new URL(url).host] : [host];
    expect(await failureOf(caller(granted).call("fetch", url))).toMatchObject({
      name: expect.stringMatching(/^(?:FAILED|INVALID)$/),
    });
    expect(sent).toEqual([]);
  });

  test("a name that is looked up to another place the second time is dialled at the first", async () => {
    let looks = 0;
    const { get } = names;
    names.get = (name) => {
      looks += 1;
      return looks === 1 ? get.call(names, name) : ["127.0.0.1"];
    };
    sent.length = 0;
    answer = () => ok("");
    await caller().call("fetch", "https://api.example.com/");
    names.get = get;
    expect(sent[0]?.target.address).toBe("93.184.216.34");
    expect(looks).toBe(1);
  });
});
