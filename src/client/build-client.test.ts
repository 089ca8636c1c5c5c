import { describe, expect, test } from "bun:test";
import { AtriumError } from "./atrium-error.ts";
import { buildClient } from "./build-client.ts";
import type { ClientOptions, Operations } from "./options.ts";

type Sent = { url: string; init: RequestInit; headers: Headers };
type Any = (...given: unknown[]) => Promise<unknown>;
type Client = { notes: Record<string, Any>; request: Any };

const operations: Operations = {
  notes: {
    list: { method: "GET", path: "/api/notes", takes: ["query"], answers: "data" },
    get: { method: "GET", path: "/api/notes/{id}/of/{owner}", takes: ["path", "path"], answers: "data" },
    add: { method: "POST", path: "/api/notes", takes: ["body"], answers: "data" },
    put: { method: "PUT", path: "/api/notes/{id}", takes: ["path", "body"], answers: "data" },
    file: { method: "GET", path: "/api/notes/file", takes: [], answers: "response" },
    upload: {
      method: "POST",
      path: "/api/notes/up",
      takes: ["file", "query"],
      answers: "data",
      field: "note",
    },
  },
};

/** A client whose calls are answered by `answers` in turn, the last one again and again. */
const clientFor = (
  answers: (Response | Error | (() => Promise<Response>))[],
  options: Partial<ClientOptions> = {},
) => {
  const sent: Sent[] = [];
  const client = buildClient<Client>(operations, {
    url: "https://atrium.example/",
    fetch: async (url, init) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push({ url, init, headers: new Headers(init.headers) });
      if (answer instanceof Error) throw answer;
      const response = typeof answer === "function" ? await answer() : answer;
      return response?.clone() ?? Response.json({});
    },
    ...options,
  });
  return { client, sent, notes: client.notes as Record<keyof (typeof operations)["notes"], Any> };
};

const ok = (data: unknown) => Response.json({ success: true, data });
const busy = (status: number, retryAfter?: string) =>
  Response.json(
    { success: false, code: "RATE_LIMITED", message: "Slow down", requestId: "r1" },
    { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } },
  );
const failureOf = async (call: Promise<unknown>): Promise<AtriumError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AtriumError) return error;
  throw new Error(`no AtriumError: ${String(error)}`);
};

describe("a call of the client", () => {
  test("goes to its path, with each part written so that it stays one, and answers the data", async () => {
    const { notes, sent } = clientFor([ok([1])]);
    expect(await notes.get?.("a/b?", "ü")).toEqual([1]);
    expect(sent[0]?.url).toBe("https://atrium.example/api/notes/a%2Fb%3F/of/%C3%BC");
    await notes.get?.("ada@example.com", "1.0.0+2");
    expect(sent[1]?.url).toBe("https://atrium.example/api/notes/ada@example.com/of/1.0.0+2");
    for (const part of ["", ".", ".."])
      expect((await failureOf(notes.get?.(part, "x") ?? Promise.resolve())).message).toContain(
        "`id` cannot be",
      );
    expect(sent).toHaveLength(2);
  });

  test("sends a query without what is undefined, and a body as JSON", async () => {
    const { notes, sent } = clientFor([Response.json({ success: true, message: "Done" })]);
    await notes.list?.({ limit: 5, search: undefined, open: true });
    expect(await notes.put?.(7, { text: "a" })).toEqual({ success: true, message: "Done" });
    await notes.add?.();
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?limit=5&open=true", "", ""]);
    expect(sent.map(({ init }) => init.body)).toEqual([undefined, '{"text":"a"}', "{}"]);
    expect(sent[1]?.headers.get("content-type")).toBe("application/json");
  });

  test("sends a file in the form's field, under its own name if it has one", async () => {
    const { notes, sent } = clientFor([ok(null)]);
    await notes.upload?.(new File(["x"], "mine.zip"), { force: true });
    await notes.upload?.(new Uint8Array([1, 2]));
    const forms = sent.map(({ init }) => init.body).filter((body) => body instanceof FormData);
    const files = forms.map((form) => form.get("note")).filter((file) => file instanceof File);
    expect(files.map(({ name, size }) => [name, size])).toEqual([
      ["mine.zip", 1],
      ["note.zip", 2],
    ]);
    expect(sent[0]?.headers.has("content-type")).toBe(false);
  });

  test("hands a file over with its body unread", async () => {
    const { notes } = clientFor([new Response("id\n1\n", { headers: { "content-type": "text/csv" } })]);
    const answer = await notes.file?.();
    expect(answer instanceof Response && (await answer.text())).toBe("id\n1\n");
  });

  test("sends the token, asked for each time, and no cookies; follows no redirect elsewhere", async () => {
    let asked = 0;
    const { notes, sent } = clientFor(
      [new Response(null, { status: 307, headers: { location: "https://else/" } })],
      {
        token: () => `atr_${++asked}`,
      },
    );
    const [first] = [
      await failureOf(Promise.resolve(notes.list?.())),
      await failureOf(Promise.resolve(notes.list?.())),
    ];
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer atr_1", "Bearer atr_2"]);
    expect(sent[0]?.init).toMatchObject({ credentials: "omit", redirect: "manual" });
    expect([first.code, first.message]).toEqual([
      "UNEXPECTED_ANSWER",
      "This is not a response from Atrium: status 307, redirected to https://else/",
    ]);
  });

  test("of a route without a function can be made by method and path", async () => {
    const { client, sent } = clientFor([ok(3)]);
    expect(await client.request("PUT", "/api/x", { query: { a: 1 }, body: { b: 2 } })).toBe(3);
    expect([sent[0]?.url, sent[0]?.init.method, sent[0]?.init.body]).toEqual([
      "https://atrium.example/api/x?a=1",
      "PUT",
      '{"b":2}',
    ]);
  });

  test("never leads away from the server, where it would take the token", async () => {
    const { client, sent } = clientFor([ok(1)], { token: "atr_secret" });
    for (const path of [
      "//evil.example/x",
      "/\\evil.example/x",
      "https://evil.example/x",
      "http://[",
      "data:,x",
    ]) {
      const { code, message } = await failureOf(client.request("GET", path));
      expect([path, code, message]).toEqual([
        path,
        "VALIDATION_FAILED",
        `${path} is not a path of https://atrium.example`,
      ]);
    }
    expect(sent).toEqual([]);
  });

  test("is refused for an address that is none", () => {
    for (const url of ["ftp://atrium.example", "atrium", ""])
      expect(() => buildClient(operations, { url })).toThrow(
        expect.objectContaining({
          name: "AtriumError",
          code: "VALIDATION_FAILED",
          message: `${url} is not a valid URL`,
        }),
      );
  });
});

describe("a refusal", () => {
  test("is told with code, status, request id, fields and what was found out", async () => {
    const body = {
      success: false,
      code: "VALIDATION_FAILED",
      message: "Please check",
      requestId: "r9",
      errors: [{ path: "a.b", message: "No" }, { path: 1 }],
      data: { x: 1 },
    };
    const { notes } = clientFor([Response.json(body, { status: 422, headers: { "x-request-id": "r9" } })]);
    const { name, message, code, status, requestId, errors, data } = await failureOf(
      Promise.resolve(notes.list?.()),
    );
    expect({ name, message, code, status, requestId, errors, data }).toEqual({
      name: "AtriumError",
      message: "Please check",
      code: "VALIDATION_FAILED",
      status: 422,
      requestId: "r9",
      errors: [{ path: "a.b", message: "No" }],
      data: { x: 1 },
    });
  });

  test("by something that is not Atrium is told as such, and so is a page with status 200", async () => {
    for (const status of [200, 502]) {
      const { notes } = clientFor([new Response("<html>", { status })]);
      const error = await failureOf(Promise.resolve(notes.list?.()));
      expect([error.code, error.status]).toEqual(["UNEXPECTED_ANSWER", status]);
    }
  });
});

describe("a call that the server puts off", () => {
  test("is made again after the time that it names, as often as agreed", async () => {
    const { notes, sent } = clientFor([busy(429, "0"), busy(503, new Date(0).toUTCString()), ok("there")]);
    expect(await notes.list?.()).toBe("there");
    expect(sent).toHaveLength(3);
    const patient = clientFor([busy(429, "0")], { retries: 4 });
    expect((await failureOf(Promise.resolve(patient.notes.list?.()))).status).toBe(429);
    expect(patient.sent).toHaveLength(5);
    await failureOf(Promise.resolve(patient.notes.list?.({}, { retries: 0 })));
    expect(patient.sent).toHaveLength(6);
  });

  test("and that may not be made twice is made once, unless its key makes it one", async () => {
    const { notes, sent } = clientFor([busy(503, "0")]);
    await failureOf(Promise.resolve(notes.add?.({})));
    expect(sent).toHaveLength(1);
    await failureOf(Promise.resolve(notes.add?.({}, { idempotencyKey: "key-12345678" })));
    expect(sent.slice(1).map(({ headers }) => headers.get("idempotency-key"))).toEqual(
      Array(3).fill("key-12345678"),
    );
  });

  test("for longer than the caller waits, or without a stated time, fails immediately", async () => {
    const { notes, sent } = clientFor([busy(429, "900"), busy(503)]);
    expect((await failureOf(Promise.resolve(notes.list?.()))).retryAfterS).toBe(900);
    expect((await failureOf(Promise.resolve(notes.list?.()))).retryAfterS).toBeNull();
    expect(sent).toHaveLength(2);
  });
});

/** A server that never answers, and lets go when it is told to. */
const silent = (_: string, { signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

describe("a call without an answer", () => {
  test("fails as unreachable, with what the platform said", async () => {
    const refused = new TypeError("fetch failed");
    const { notes } = clientFor([refused]);
    const { code, status, cause } = await failureOf(Promise.resolve(notes.list?.()));
    expect([code, status, cause]).toEqual(["UNREACHABLE", 0, refused]);
  });

  test("fails once its time is up, also while its body is still on the way", async () => {
    const quick = { timeoutMs: 5 };
    const never = clientFor([], { ...quick, fetch: silent });
    expect((await failureOf(Promise.resolve(never.notes.list?.()))).code).toBe("TIMEOUT");
    const dripping = (_: string, { signal }: RequestInit) =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (stream) => signal?.addEventListener("abort", () => stream.error(signal.reason)),
          }),
        ),
      );
    const late = clientFor([], { ...quick, fetch: dripping });
    expect((await failureOf(Promise.resolve(late.notes.list?.()))).code).toBe("TIMEOUT");
  });

  test("that its caller gives up throws the caller's reason, while waiting for another try as well", async () => {
    const reason = new Error("enough");
    for (const options of [{ fetch: silent }, { fetch: async () => busy(429, "20") }]) {
      const { notes } = clientFor([], options);
      const control = new AbortController();
      const call = notes.list?.({}, { signal: control.signal });
      setTimeout(() => control.abort(reason), 2);
      expect(await Promise.resolve(call).catch((thrown) => thrown)).toBe(reason);
    }
  });
});
