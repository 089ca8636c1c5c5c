import { beforeEach, describe, expect, test } from "bun:test";
import { createTraffic } from "#api/plugin-host/native/native-host.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { operatorClient } from "#api/testing/host.ts";
import { rawCall } from "#api/testing/raw-call.ts";
import type {
  ArrivingRequest,
  Outcome,
  RequestInspector,
  ResponseShaper,
  Stop,
} from "#plugins/sdk/native-types.ts";
import { noPlugins } from "./plugin-entrance.ts";

const failures: string[] = [];
const traffic = createTraffic((plugin, reason) => void failures.push(`${plugin}: ${reason}`));
const countryOf = (ip: string) => (ip === "203.0.113.9" ? "NO" : null);
const host = await hostForFile({ entrance: () => ({ ...noPlugins, traffic, countryOf }) });
const admin = await host.signedIn("admin");
beforeEach(() => {
  traffic.remove("watch");
  failures.length = 0;
});

const watch = (inspector: Partial<RequestInspector>) =>
  traffic.set("watch", { inspector: { isIdle: false, ...inspector }, shaper: null });
const refusal = (sparesAdmins: boolean, spared?: Stop["spared"]): Stop => ({
  answer: () => new Response("stopped", { status: 403 }),
  sparesAdmins,
  ...(spared === undefined ? {} : { spared }),
});
const contact = (more: Record<string, string> = {}) => ({
  ...{ name: "Ada", email: "ada@example.com", subject: "General", message: "Hello", ...more },
});

describe("a plugin that inspects requests", () => {
  test("sees each request with its route, and blocks it with a mark that leads to the log", async () => {
    const seen: ArrivingRequest[] = [];
    watch({
      arrive: (request) => {
        seen.push(request);
        return refusal(false);
      },
    });
    const answer = await host.request("/api/admin/users/abc?x=%27", {}, "203.0.113.9");
    expect([answer.status, await answer.text()]).toEqual([403, "stopped"]);
    expect(answer.headers.get("x-atrium-block")).toBe(answer.headers.get("x-request-id"));
    const [request] = seen;
    const { id, method, path, query, ip, country, route, isCall } = request ?? {};
    expect({ id, method, path, query, ip, country, route, isCall }).toEqual({
      id: answer.headers.get("x-request-id") ?? "",
      ...{ method: "GET", path: "/api/admin/users/abc", query: "x=%27" },
      ...{ ip: "203.0.113.9", country: "NO", route: "/api/admin/users/:user", isCall: true },
    });
    await host.request("/somewhere/else");
    expect(seen[1]).toMatchObject({ route: null, isCall: false });
  });

  test("blocks unknown paths and pages in the same way", async () => {
    watch({ arrive: () => refusal(false) });
    for (const path of ["/api/nowhere", "/", "/api/../x", "/assets/none.js"])
      expect([path, (await host.request(path)).status]).toEqual([path, 403]);
  });

  test("is not asked about the operator's requests and health probes", async () => {
    watch({ arrive: () => refusal(false) });
    expect((await host.request("/api/health")).status).toBe(200);
    expect((await operatorClient(host).call("GET", "/api/system/status")).status).toBe(200);
  });

  test("can spare admins, and is told of it", async () => {
    const spared: string[] = [];
    watch({ arrive: () => refusal(true, ({ name }) => void spared.push(name)) });
    expect((await admin.call("GET", "/api/system/status")).status).toBe(200);
    expect(spared).toEqual([admin.user?.name ?? ""]);
    const user = await host.signedIn("user");
    expect((await user.call("GET", "/api/auth/user")).status).toBe(403);
    watch({ arrive: () => refusal(false) });
    expect((await admin.call("GET", "/api/system/status")).status).toBe(403);
  });

  test("can add headers to the response of a request that it lets pass", async () => {
    watch({ arrive: () => ({ headers: { "x-atrium-would-block": "abc" } }) });
    const answer = await host.request("/api/auth/user");
    expect([answer.status, answer.headers.get("x-atrium-would-block")]).toEqual([401, "abc"]);
  });

  test("sees as much of a body as it asks for, and the application still gets all of it", async () => {
    const seen: [text: string, isWhole: boolean][] = [];
    let wanted = 1_000;
    watch({
      bodyBytes: () => wanted,
      body: (_request, bytes, isWhole) => {
        seen.push([new TextDecoder().decode(bytes), isWhole]);
        return undefined;
      },
    });
    const body = contact();
    expect((await host.visitor().call("POST", "/api/contact", body)).status).toBe(201);
    wanted = 10;
    host.clock.advance(3_600_000);
    expect((await host.visitor().call("POST", "/api/contact", body)).status).toBe(201);
    const text = JSON.stringify(body);
    expect(seen).toEqual([
      [text, true],
      [text.slice(0, 10), false],
    ]);
  });

  test("can block a request by its body before it is parsed, whatever its content type", async () => {
    watch({ bodyBytes: () => 100, body: () => refusal(true) });
    const sent = { method: "POST", body: "{not json", headers: { "content-type": "text/plain" } };
    for (const path of ["/api/contact", "/api/nowhere", "/about"])
      expect([path, (await host.request(path, sent)).status]).toEqual([path, 403]);
  });

  test("learns who sends a request only where it asks for that", async () => {
    const people: (string | null)[] = [];
    let asks = true;
    watch({
      needsPerson: () => asks,
      person: (_request, user) => {
        people.push(user?.role ?? null);
        return undefined;
      },
    });
    await admin.call("GET", "/api/auth/user");
    await host.request("/api/auth/user");
    asks = false;
    await admin.call("GET", "/api/auth/user");
    expect(people).toEqual(["admin", null]);
  });

  test("is told the outcome of every request, including those that it blocked", async () => {
    const heard: [path: string, outcome: Outcome][] = [];
    watch({
      arrive: ({ path }) => (path === "/api/admin/users" ? refusal(false) : undefined),
      done: ({ path }, outcome) => void heard.push([path, outcome]),
    });
    await admin.call("GET", "/api/auth/user");
    await admin.call("GET", "/api/admin/users");
    expect(heard).toEqual([
      [
        "/api/auth/user",
        { status: 200, durationMs: expect.any(Number), user: expect.objectContaining({ role: "admin" }) },
      ],
      ["/api/admin/users", { status: 403, durationMs: expect.any(Number), user: null }],
    ]);
  });

  test("is not asked at all while it is idle", async () => {
    const wrong = () => {
      throw new Error("asked");
    };
    watch({ isIdle: true, arrive: wrong, bodyBytes: wrong, needsPerson: wrong, done: wrong });
    expect((await host.visitor().call("POST", "/api/contact", {})).status).toBe(422);
    expect(failures).toEqual([]);
  });

  test("that throws lets requests pass, and its failures are counted", async () => {
    const wrong = () => {
      throw new Error("broken");
    };
    watch({ arrive: wrong, bodyBytes: wrong, needsPerson: wrong, done: wrong });
    expect((await host.visitor().call("POST", "/api/contact", {})).status).toBe(422);
    watch({ arrive: async () => wrong() });
    expect((await host.request("/api/auth/user")).status).toBe(401);
    expect(failures).toEqual([
      ...["arrive", "bodyBytes", "needsPerson", "done", "arrive"].map(
        (what) => `watch: request.inspect: ${what} threw: broken`,
      ),
    ]);
  });
});

beforeEach(() => {
  traffic.remove("quick");
  failures.length = 0;
});

const shaped = (shaper: Partial<ResponseShaper>) =>
  traffic.set("quick", { inspector: null, shaper: { isIdle: false, ...shaper } });

describe("a plugin that changes responses", () => {
  test("sees each one last, and can replace it", async () => {
    shaped({
      shape: ({ route }, response, { isAnonymous }) => {
        const headers = new Headers(response.headers);
        headers.set("content-type", "text/plain");
        headers.set("x-seen", `${route} ${isAnonymous} ${headers.has("x-request-id")}`);
        return new Response("shaped", { status: response.status, headers });
      },
    });
    // What takes an answer's place need not be what the document says of it.
    const own = await rawCall(host, admin, { method: "GET", path: "/api/auth/user", body: null });
    expect([own.status, await own.text(), own.headers.get("x-seen")]).toEqual([
      ...[200, "shaped", "/api/auth/user false true"],
    ]);
    const foreign = await rawCall(
      host,
      { cookie: null },
      { method: "GET", path: "/api/admin/users/x", body: null },
    );
    expect(foreign.headers.get("x-seen")).toBe("/api/admin/users/:user true true");
  });

  test("can send visitors cached responses, with a request ID of their own", async () => {
    shaped({ reuse: ({ path }) => new Response(`kept ${path}`, { headers: { "x-request-id": "old" } }) });
    const page = await host.request("/about");
    expect(await page.text()).toBe("kept /about");
    expect(page.headers.get("x-request-id")).not.toBe("old");
    const path = "/api/auth/providers";
    const call = await rawCall(host, { cookie: null }, { method: "GET", path, body: null });
    expect(await call.text()).toBe(`kept ${path}`);
  });

  test("is never asked for cached responses of requests with credentials, changes, or routes that visitors cannot use", async () => {
    shaped({ reuse: () => new Response("kept") });
    expect(await (await admin.call("GET", "/api/auth/user")).text()).not.toBe("kept");
    const token = { headers: { authorization: "Bearer x" } };
    expect(await (await host.request("/api/auth/providers", token)).text()).not.toBe("kept");
    expect(await (await host.visitor().call("POST", "/api/contact", {})).text()).not.toBe("kept");
    expect((await host.request("/api/admin/users")).status).toBe(401);
  });

  test("leaves responses unchanged while it is idle, and when it throws", async () => {
    const wrong = () => {
      throw new Error("broken");
    };
    shaped({ isIdle: true, reuse: wrong, shape: wrong });
    expect((await host.request("/api/auth/user")).status).toBe(401);
    expect(failures).toEqual([]);
    shaped({ reuse: wrong, shape: async () => wrong() });
    expect((await host.request("/api/auth/providers")).status).toBe(200);
    expect(failures).toEqual([
      "quick: response.shape: reuse threw: broken",
      "quick: response.shape: shape threw: broken",
    ]);
  });
});
