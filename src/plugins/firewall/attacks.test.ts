import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type LiveFirewall, startLiveFirewall } from "#api/testing/live-firewall.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { rawCall } from "#api/testing/raw-call.ts";

let live: LiveFirewall;
beforeAll(async () => {
  live = await startLiveFirewall();
});
beforeEach(() => live.config({ masterSwitchEnabled: true, developmentModeEnabled: false }));
afterAll(() => live.host.close());

const payloads = [
  "1' union select name, password from users--",
  "<script>alert(document.cookie)</script>",
  "; cat /etc/passwd",
  "../../../../etc/passwd",
];

type Sent = {
  method: string;
  path: string;
  body: string | Uint8Array<ArrayBuffer> | null;
  headers?: Record<string, string>;
};

const nested = (value: string): string => {
  let json: unknown = value;
  for (let depth = 0; depth < 20; depth += 1) json = { inner: json };
  return JSON.stringify(json);
};
const escapedJson = (value: string): string =>
  `{"message":"${[...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`;
const form = { "content-type": "application/x-www-form-urlencoded" };
const post = { method: "POST", path: "/api/contact" };

const places: Record<string, (payload: string) => Sent> = {
  query: (payload) => ({ method: "GET", path: `/?q=${encodeURIComponent(payload)}`, body: null }),
  "query, encoded twice": (payload) => ({
    method: "GET",
    path: `/?q=${encodeURIComponent(encodeURIComponent(payload))}`,
    body: null,
  }),
  "JSON, 20 deep": (payload) => ({ ...post, body: nested(payload) }),
  "JSON, escaped": (payload) => ({ ...post, body: escapedJson(payload) }),
  form: (payload) => ({ ...post, body: `a=1&b=${encodeURIComponent(payload)}`, headers: form }),
  multipart: (payload) => ({
    ...post,
    body: `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${payload}\r\n--x--\r\n`,
    headers: { "content-type": "multipart/form-data; boundary=x" },
  }),
  "packed form": (payload) => ({
    ...post,
    body: new Uint8Array(gzipSync(`b=${encodeURIComponent(payload)}`)),
    headers: { ...form, "content-encoding": "gzip" },
  }),
  header: (payload) => ({ method: "GET", path: "/", body: null, headers: { "x-note": payload } }),
  cookie: (payload) => ({
    method: "GET",
    path: "/",
    body: null,
    headers: { cookie: `note=${encodeURIComponent(payload)}` },
  }),
  "behind 60 KB of honest text": (payload) => ({
    ...post,
    body: JSON.stringify({ fill: "honest words ".repeat(4_600), message: payload }),
  }),
};

describe("F2: an attack is blocked wherever it stands:", () => {
  for (const [place, make] of Object.entries(places))
    test(place, async () => {
      for (const payload of payloads) {
        const answer = await rawCall(live.host, live.host.visitor(), make(payload));
        expect([payload, answer.status]).toEqual([payload, 403]);
        expect(Object(await answer.json()).code).toBe("BLOCKED_BY_FIREWALL");
        expect(answer.headers.get("x-atrium-block")).toBe(answer.headers.get("x-request-id"));
      }
    });

  test("in the path, however it is written", async () => {
    for (const path of [
      "/..%2f..%2fetc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/a/%3Cscript%3Ealert(1)%3C/script%3E",
    ]) {
      const answer = await rawCall(live.host, live.host.visitor(), { method: "GET", path, body: null });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  test("what is too large to be looked through is refused, not passed", async () => {
    const body = JSON.stringify({ fill: "x".repeat(128_000), message: "hello" });
    const answer = await rawCall(live.host, live.host.visitor(), { ...post, body });
    expect([answer.status, Object(await answer.json()).code]).toEqual([403, "BLOCKED_BY_FIREWALL"]);
  });
});

describe("what is honest passes:", () => {
  test("a contact message with quotes, code words and signs", async () => {
    const message =
      "I'd like to select the best option from your table; drop me a line, O'Brien & sons <3 -- it's 100% fine?";
    const body = { name: "Pat O'Brien", email: "pat@example.test", subject: "Support", message };
    const answer = await live.host.visitor().call("POST", "/api/contact", body);
    expect(answer.status).toBe(201);
  });

  test("a password of any text at sign-in", async () => {
    const body = { email: "pat@example.test", password: "' or 1=1; <script>alert(1)</script> --" };
    const answer = await live.host.visitor().call("POST", "/api/auth/login", body);
    expect(answer.status).toBe(401);
  });

  test("a package that an admin uploads, larger than what is looked through", async () => {
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("base64");
    const backend = `export default { name: "visitor-notes", version: "1.0.0", setup() {} }; // ${noise}`;
    const bytes = await packPlugin({ backend });
    const data = new FormData();
    data.set("plugin", new File([Buffer.from(bytes)], "plugin.zip"));
    const sent = new Request("http://localhost", { method: "POST", body: data });
    const headers = { "content-type": sent.headers.get("content-type") ?? "" };
    const body = new Uint8Array(await sent.arrayBuffer());
    const answer = await rawCall(live.host, live.admin, {
      ...{ method: "POST", path: "/api/plugins/upload", headers },
      body,
    });
    expect([answer.status, await answer.text()]).toMatchObject([201, expect.anything()]);
  });

  test("whatever an admin writes, and it is written down", async () => {
    const path = `/api/admin/activity?search=${encodeURIComponent("<script>alert(1)</script>")}`;
    const answer = await live.admin.call("GET", path);
    expect([answer.status, answer.headers.get("x-atrium-block")]).toEqual([200, null]);
    const told = await live.admin.call("GET", `/api/firewall/explain/${answer.headers.get("x-request-id")}`);
    expect(Object(await told.json()).data.entry).toMatchObject({
      verdict: "noticed",
      user: { role: "admin" },
    });
    const member = await live.host.signedIn("user");
    expect((await member.call("GET", path)).status).toBe(403);
  });
});

test("in development mode attacks pass with x-atrium-would-block, to every path", async () => {
  await live.config({ developmentModeEnabled: true });
  for (const path of ["/api/auth/providers", "/", "/assets/x.js", "/api/nothing"]) {
    const answer = await rawCall(live.host, live.host.visitor(), {
      ...{ method: "GET", path: `${path}?q=${encodeURIComponent(payloads[0] ?? "")}`, body: null },
    });
    expect([path, answer.status === 403, answer.headers.get("x-atrium-block")]).toEqual([path, false, null]);
    expect(answer.headers.get("x-atrium-would-block")).toBe(answer.headers.get("x-request-id"));
  }
});

test("a browser's page load is answered by a page with the id, hardened like any other", async () => {
  const answer = await rawCall(live.host, live.host.visitor(), {
    ...{ method: "GET", path: "/?q=%3Cscript%3Ealert(1)%3C/script%3E", body: null },
    headers: { accept: "text/html,application/xhtml+xml" },
  });
  const page = await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
  expect(page).toContain(answer.headers.get("x-atrium-block") ?? "none");
  expect(answer.headers.get("content-security-policy")).not.toContain("unsafe");
});

test("who watches the process is never asked", async () => {
  const path = `/api/health?q=${encodeURIComponent(payloads[1] ?? "")}`;
  expect(
    (await rawCall(live.host, live.host.visitor(), { method: "GET", path, body: null })).status,
  ).not.toBe(403);
});

test("switched off, everything passes", async () => {
  await live.config({ masterSwitchEnabled: false });
  const path = `/api/auth/providers?q=${encodeURIComponent(payloads[1] ?? "")}`;
  const answer = await rawCall(live.host, live.host.visitor(), { method: "GET", path, body: null });
  expect([answer.headers.get("x-atrium-block"), answer.status === 403]).toEqual([null, false]);
});
