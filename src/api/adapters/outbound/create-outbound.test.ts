import { afterAll, describe, expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import { checkAddress, OutboundError } from "./check-address.ts";
import { createOutbound } from "./create-outbound.ts";

const secret = "secret-canary";
let seen: Request[] = [];

const drip = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      await Bun.sleep(20);
      controller.enqueue(new TextEncoder().encode("x"));
    },
  });

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: async (request) => {
    seen.push(request.clone());
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/echo")
      return new Response(`${request.method} ${await request.text()}`, { status: 201 });
    if (pathname === "/redirect")
      return new Response(null, {
        status: Number(searchParams.get("status")),
        headers: { location: "/elsewhere" },
      });
    if (pathname === "/fits") return new Response("x".repeat(1_000));
    if (pathname === "/large") return new Response("x".repeat(1_001));
    // Less than may come over the line.
    if (pathname === "/bomb") {
      const headers = { "content-encoding": "gzip" };
      return new Response(Bun.gzipSync(new Uint8Array(500_000)), { headers });
    }
    if (pathname === "/packed")
      return new Response(Bun.gzipSync("unpacked"), { headers: { "content-encoding": "gzip" } });
    if (pathname === "/drip") return new Response(drip());
    if (pathname === "/silent") return new Promise<Response>(() => {});
    return new Response("elsewhere");
  },
});
const url = `http://127.0.0.1:${server.port}`;
afterAll(() => server.stop(true));

const outbound = createOutbound({ deadlineMs: 300, mostBytes: 1_000 });
const faultOf = async (work: Promise<unknown>) => {
  const error = await failureOf(work);
  expect(String(error)).not.toContain(secret);
  return error instanceof OutboundError ? error.fault : error;
};

describe("a call to another server", () => {
  test("sends method, headers and body, says who calls, and gives status and text", async () => {
    seen = [];
    const answer = await outbound({
      url: `${url}/echo`,
      method: "POST",
      headers: { "x-a": "b" },
      body: "hello",
    });
    expect(answer).toEqual({ status: 201, text: "POST hello" });
    expect(seen[0]?.headers.get("x-a")).toBe("b");
    expect(seen[0]?.headers.get("user-agent")).toBe("Atrium");
  });

  test.each([301, 302, 303, 307, 308])("follows no redirect of status %i", async (status) => {
    seen = [];
    const address = `${url}/redirect?status=${status}&${secret}`;
    expect(await faultOf(outbound({ url: address }))).toBe("redirect");
    expect(seen).toHaveLength(1);
  });

  test("reads an answer up to the size that is allowed, and no further, packed or not", async () => {
    expect((await outbound({ url: `${url}/fits` })).text).toHaveLength(1_000);
    expect((await outbound({ url: `${url}/packed` })).text).toBe("unpacked");
    expect(await faultOf(outbound({ url: `${url}/large` }))).toBe("large");
    expect(await faultOf(outbound({ url: `${url}/bomb` }))).toBe("large");
  });

  test.each(["silent", "drip"])("ends when its time is over, though the server is %s", async (path) => {
    const startedAt = performance.now();
    expect(await faultOf(outbound({ url: `${url}/${path}?${secret}` }))).toBe("slow");
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  test("ends when the caller has had enough", async () => {
    const patient = createOutbound({ deadlineMs: 30_000 });
    expect(await faultOf(patient({ url: `${url}/silent`, signal: AbortSignal.timeout(50) }))).toBe("slow");
  });

  test("that reaches no one says so", async () => {
    const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const { port } = gone;
    await gone.stop(true);
    expect(await faultOf(outbound({ url: `http://127.0.0.1:${port}/?${secret}` }))).toBe("unreachable");
  });

  test("is not made to an address that may not be called", async () => {
    expect(await faultOf(outbound({ url: `http://169.254.169.254/${secret}` }))).toBe("refused");
  });
});

describe("S3: a name", () => {
  const port = String(server.port);
  const found = (...addresses: string[]) => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return addresses.map((address) => ({ address }));
    };
    return { asked, call: createOutbound({ deadlineMs: 2_000, resolve }) };
  };

  test.each(["0.0.0.0", "169.254.169.254", "100.100.100.200", "fd00:ec2::254", "::ffff:169.254.169.254"])(
    "behind which %s lies is not called, whatever else lies there",
    async (address) => {
      seen = [];
      for (const addresses of [[address], ["127.0.0.1", address]])
        for (const url of [`https://rebind.test:${port}/`, `http://localhost:${port}/`])
          expect(await faultOf(found(...addresses).call({ url }))).toBe("refused");
      expect(seen).toEqual([]);
    },
  );

  test("is looked up once, and dialled as it was judged, one address after another", async () => {
    const { asked, call } = found("127.0.0.1");
    expect((await call({ url: `http://localhost:${port}/fits` })).status).toBe(200);
    expect(asked).toEqual(["localhost"]);
    seen = [];
    // Whoever looked the name up again would reach the server.
    expect(await faultOf(found("127.0.0.9").call({ url: `http://localhost:${port}/fits` }))).toBe(
      "unreachable",
    );
    expect(seen).toEqual([]);
    const next = found("127.0.0.9", "127.0.0.1");
    expect((await next.call({ url: `http://localhost:${port}/fits` })).status).toBe(200);
    expect(seen[0]?.headers.get("host")).toBe(`localhost:${port}`);
  });

  test("that is never found ends with the call's time, and one that does not exist is told as no more", async () => {
    const silent = createOutbound({ deadlineMs: 100, resolve: () => new Promise(() => {}) });
    expect(await faultOf(silent({ url: `https://${secret}.test/` }))).toBe("slow");
    const absent = createOutbound({ resolve: () => Promise.reject(new Error(`ENOTFOUND ${secret}`)) });
    expect(await faultOf(absent({ url: `https://${secret}.test/` }))).toBe("unreachable");
  });
});

describe("an address", () => {
  test.each([
    "https://accounts.google.com/.well-known/openid-configuration",
    "https://10.1.2.3/realms/main",
    "https://id.internal:8443/x?y=1",
    "http://localhost:8080/x",
    "http://127.0.0.1:8080/x",
    "http://[::1]:8080/x",
  ])("%s may be called", (address) => {
    expect(checkAddress(address).href).toBe(address);
  });

  test.each([
    "",
    "nonsense",
    "http://id.example/",
    "http://10.1.2.3/",
    "http://localhost.evil.example/",
    "ftp://id.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "data:text/plain,x",
    "https://user:word@id.example/",
    "https://user@id.example/",
    "https://169.254.169.254/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://0251.0376.0251.0376/",
    "https://169.16689662/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[fe80::1]/",
    "https://[ff02::1]/",
    "https://[::]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[::169.254.169.254]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[2002:a9fe:a9fe::]/",
    "https://[fd00:ec2::254]/",
    "https://metadata.google.internal/",
    "https://metadata.google.internal./",
    "https://METADATA.goog/",
  ])("%j may not", (address) => {
    expect(() => checkAddress(address)).toThrow(OutboundError);
  });
});
