import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { askProofWith, notConfirmedText } from "#ui/lib/api.ts";
import { CallFailure, createPluginCaller, type WantedCall } from "./call-plugin.ts";
import { createFrameHandler } from "./plugin-frontend.tsx";

let now: number;
let told: unknown[];

beforeEach(() => {
  now = 1_000_000;
  told = [];
});

const openHandler = (call: (wanted: WantedCall) => Promise<unknown> = async () => "done") =>
  createFrameHandler({
    page: { plugin: "notes", base: "/admin/plugins/notes" },
    call,
    answer: (message) => told.push(message),
    notify: (text) => told.push(`notice ${text}`),
    navigate: (address) => told.push(`to ${address}`),
    onHeight: (px) => told.push(px),
    onMounted: () => told.push("mounted"),
    onInput: () => told.push("input"),
    onFailed: (message) => told.push(`failed ${message}`),
    now: () => now,
  });

describe("P9: what a frame asks for", () => {
  test("is answered by the number of the question, failures with their status and fields", async () => {
    const errors = [{ path: "text", message: "Please enter text" }];
    const handle = openHandler(async (wanted) => {
      if (JSON.stringify(wanted).includes("bad")) throw new CallFailure("Not so", 404);
      if (JSON.stringify(wanted).includes("wrong")) throw new CallFailure("Look again", 422, { errors });
      return { ok: true };
    });
    handle({ id: 1, op: "call", args: { method: "GET", path: "/good" } });
    handle({ id: 2, op: "call", args: { method: "GET", path: "/bad" } });
    handle({ id: 3, op: "call", args: { method: "POST", path: "/wrong" } });
    await Bun.sleep(0);
    expect(told).toEqual([
      { id: 1, value: { ok: true } },
      { id: 2, error: "Not so", status: 404 },
      { id: 3, error: "Look again", status: 422, errors },
    ]);
  });

  test("is passed over where it is no question", () => {
    const handle = openHandler();
    for (const message of [
      null,
      1,
      "call",
      [],
      { op: "call" },
      { op: "notify", args: { text: 1 } },
      { op: "other" },
    ])
      handle(message);
    for (const px of ["1", Number.NaN, Number.POSITIVE_INFINITY, null])
      handle({ op: "height", args: { px } });
    expect(told).toEqual([]);
  });

  test("as a height is kept within bounds", () => {
    const handle = openHandler();
    for (const px of [-5, 300.2, 1e9]) handle({ op: "height", args: { px } });
    expect(told).toEqual([120, 301, 20_000]);
  });

  test("as notices is five in ten seconds, each of bounded length", () => {
    const handle = openHandler();
    for (const text of Array(8).fill("x".repeat(500))) handle({ op: "notify", args: { text } });
    expect(told).toEqual(Array(5).fill(`notice ${"x".repeat(300)}`));
    now += 10_001;
    handle({ op: "notify", args: { text: "again" } });
    expect(told).toHaveLength(6);
  });

  test("as a way leads to the plugin's own page alone", () => {
    const warn = spyOn(console, "warn").mockImplementation(() => {});
    const handle = openHandler();
    for (const path of ["/reports", "/../../users"]) handle({ op: "navigate", args: { path } });
    expect(told).toEqual(["to /admin/plugins/notes/reports"]);
    warn.mockRestore();
  });
});

describe("P9: a frontend's calls", () => {
  const asFetch = (answer: (url: string, init: RequestInit) => Response | Promise<Response>): typeof fetch =>
    // Nothing else of `fetch` is used.
    Object.assign(async (url: unknown, init: RequestInit = {}) => answer(String(url), init), {
      preconnect: () => {},
    });
  const caller = (send: typeof fetch) => createPluginCaller({ plugin: "notes", send, now: () => now });

  test("go to the plugin's routes as JSON, follow no redirect, and give back what was answered", async () => {
    const seen: unknown[] = [];
    const call = caller(
      asFetch((url, { method, body, redirect }) => {
        seen.push([url, method, body, redirect]);
        return Response.json({ n: 1 });
      }),
    );
    expect(await call({ method: "POST", path: "/notes", body: { text: "a" } })).toEqual({ n: 1 });
    expect(seen).toEqual([["/api/notes/notes", "POST", '{"text":"a"}', "error"]]);
  });

  test("that need proof are made again once the reader has confirmed, and fail with their status if not", async () => {
    let isConfirmed = false;
    const call = caller(
      asFetch(() => {
        const code = "REAUTHENTICATION_REQUIRED";
        const data = { wanted: "recent", ways: ["password"] };
        return isConfirmed ? Response.json(1) : Response.json({ code, message: "", data }, { status: 403 });
      }),
    );
    const handle = openHandler(call);
    const stop = askProofWith(async () => isConfirmed);
    handle({ id: 1, op: "call", args: { method: "POST", path: "/off" } });
    await Bun.sleep(0);
    stop();
    const stopAgain = askProofWith(async () => {
      isConfirmed = true;
      return true;
    });
    handle({ id: 2, op: "call", args: { method: "POST", path: "/off" } });
    await Bun.sleep(0);
    stopAgain();
    expect(told).toEqual([
      { id: 1, error: notConfirmedText, status: 403 },
      { id: 2, value: 1 },
    ]);
  });

  test("with another method, elsewhere, or too large are not made", async () => {
    let sent = 0;
    const call = caller(
      asFetch(() => {
        sent += 1;
        return new Response("");
      }),
    );
    for (const wanted of [
      { method: "TRACE", path: "/" },
      { method: "get", path: "/" },
      { method: "GET", path: "/../admin" },
      { method: "GET", path: 1 },
      { method: "POST", path: "/", body: "x".repeat(1_000_001) },
    ])
      await expect(call(wanted)).rejects.toBeInstanceOf(CallFailure);
    await Bun.sleep(0);
    expect(sent).toBe(0);
  });

  test("are limited to 16 at the same time and 120 in ten seconds", async () => {
    const waiting: (() => void)[] = [];
    const slow = caller(
      asFetch(() => new Promise((resolve) => waiting.push(() => resolve(Response.json(1))))),
    );
    const calls = Array.from({ length: 16 }, () => slow({ method: "GET", path: "/" }));
    await expect(slow({ method: "GET", path: "/" })).rejects.toMatchObject({ status: 429 });
    for (const answer of waiting) answer();
    await Promise.all(calls);
    const quick = caller(asFetch(() => Response.json(1)));
    for (let count = 0; count < 120; count += 1) await quick({ method: "GET", path: "/" });
    await expect(quick({ method: "GET", path: "/" })).rejects.toMatchObject({ status: 429 });
    now += 10_001;
    expect(await quick({ method: "GET", path: "/" })).toBe(1);
  });

  test("that are refused tell the answer's words and status; what is no JSON comes as text", async () => {
    const refused = caller(asFetch(() => Response.json({ code: "X", message: "Not now" }, { status: 409 })));
    await expect(refused({ method: "GET", path: "/" })).rejects.toMatchObject({
      message: "Not now",
      status: 409,
    });
    const plain = caller(asFetch(() => new Response("plain")));
    expect(await plain({ method: "GET", path: "/" })).toBe("plain");
    const huge = caller(asFetch(() => new Response("x".repeat(5_000_001))));
    await expect(huge({ method: "GET", path: "/" })).rejects.toThrow("too large");
  });
});
