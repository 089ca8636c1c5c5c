import { describe, expect, test } from "bun:test";
import { pluginLimits } from "#contract/plugins.ts";
import { readFromChild, readRegistration } from "./read-from-child.ts";
import { isDeeperThan, sandboxLimits } from "./sandbox-limits.ts";

const read = (head: unknown, body = "") =>
  readFromChild({
    head: Buffer.from(typeof head === "string" ? head : JSON.stringify(head)),
    body: Buffer.from(body),
  });

describe("a message of a plugin's process", () => {
  const good: [unknown, string?][] = [
    [{ type: "ready", isolation: "process+seccomp" }],
    [{ type: "started" }, "{}"],
    [{ type: "refused", reason: "no", isSlow: false }],
    [{ type: "result", id: 1 }, '{"a":1}'],
    [{ type: "failure", id: 1, kind: "threw", reason: "no", stack: "" }],
    [{ type: "call", id: 1, op: "kv.get", handler: "r0" }, '["key"]'],
    [{ type: "log", level: "info", message: "hello" }],
    [{ type: "pong", id: 1, rssBytes: 0 }],
    [{ type: "recovered", kind: "cpu", reason: "slow", handler: null }, "{}"],
    [{ type: "broken", kind: "crash", reason: "gone", handler: "r0" }],
  ];
  test.each(good.map(([head, body = ""]) => ({ head, body })))("$head is read", ({ head, body }) => {
    expect(read(head, body)?.message).toEqual(head as never);
  });

  const bad: [string, unknown, string?][] = [
    ["no JSON", "{"],
    ["no object", "[]"],
    ["null", "null"],
    ["nested without end", "[".repeat(10_000)],
    ["an unknown type", { type: "exec" }],
    ["a type that objects inherit", { type: "constructor" }],
    ["an unknown isolation", { type: "ready", isolation: "native" }],
    ["an id that is no number", { type: "result", id: "1" }],
    ["a negative id", { type: "result", id: -1 }],
    ["an unknown operation", { type: "call", id: 1, op: "process.exit", handler: null }, "[]"],
    ["an operation that objects inherit", { type: "call", id: 1, op: "toString", handler: null }, "[]"],
    ["a body that is no JSON", { type: "result", id: 1 }, "{"],
    ["a deep body", { type: "result", id: 1 }, `${"[".repeat(500)}${"]".repeat(500)}`],
    ["a large body", { type: "result", id: 1 }, `"${"x".repeat(sandboxLimits.invocationBytes)}"`],
    ["a body where none belongs", { type: "pong", id: 1, rssBytes: 1 }, "1"],
    ["a long line", { type: "log", level: "info", message: "x".repeat(pluginLimits.logLineLength + 1) }],
    ["an unknown level", { type: "log", level: "fatal", message: "x" }],
    ["a violation that it wants told", { type: "broken", kind: "violation", reason: "x", handler: null }],
    ["a handler that is no text", { type: "broken", kind: "crash", reason: "x", handler: 1 }],
    ["a long reason", { type: "refused", reason: "x".repeat(10_000) }],
  ];
  test.each(bad.map(([what, head, body = ""]) => ({ what, head, body })))(
    "with $what is refused",
    ({ head, body }) => {
      expect(read(head, body)).toBeNull();
    },
  );
});

describe("a registration", () => {
  const whose = { name: "tried", version: "1.0.0" };
  const route = {
    handler: "r0",
    method: "GET",
    path: "/",
    access: "admin",
    proof: null,
    headers: ["x-api"],
    body: null,
    query: null,
    params: { id: "Which one" },
    response: null,
    answers: { 404: { description: "There is no such note" } },
    summary: null,
    description: "Reads a note",
  };
  const good = {
    ...whose,
    description: null,
    adminPanel: null,
    routes: [route],
    jobs: [{ handler: "j0", name: "tidy", everyMs: 1000 }],
    listeners: [{ handler: "l0", event: "user.login" }],
    hasHealth: true,
    hasMigrate: false,
  };

  test("is read as it is, with what does not belong to it left out", () => {
    expect(readRegistration({ ...good, extra: 1 }, whose)).toEqual(good as never);
  });

  const bad: [string, object][] = [
    ["another plugin's", { name: "other" }],
    ["of another version", { version: "2.0.0" }],
    ["without routes", { routes: undefined }],
    ["with too many routes", { routes: Array.from({ length: pluginLimits.routes + 1 }, () => route) }],
    ["with an unknown method", { routes: [{ ...route, method: "TRACE" }] }],
    ["with an unknown proof", { routes: [{ ...route, proof: "password" }] }],
    ["with an unknown access", { routes: [{ ...route, access: "everyone" }] }],
    ["with an overlong description", { routes: [{ ...route, description: "x".repeat(2_001) }] }],
    ["with a summary that turns the text around it", { routes: [{ ...route, summary: "a \u202eb" }] }],
    ["with a handler that is no text", { routes: [{ ...route, handler: {} }] }],
    ["with a job without its time", { jobs: [{ handler: "j0", name: "tidy" }] }],
    ["with a listener that is no object", { listeners: [null] }],
    ["whose health is no claim", { hasHealth: "yes" }],
  ];
  test.each(bad)("%s is refused", (_, change) => {
    expect(readRegistration({ ...good, ...change }, whose)).toBeNull();
  });

  test("keeps of what is shown only the fields that are texts", () => {
    const adminPanel = { enabled: true, menuItem: { title: "Notes", icon: 5 }, card: "no", path: "x" };
    expect(readRegistration({ ...good, adminPanel }, whose)?.adminPanel).toEqual({
      enabled: true,
      menuItem: { title: "Notes" },
    });
  });
});

test("the depth of JSON is that of its lists and objects, not of text that looks like them", () => {
  const bytes = (text: string) => Buffer.from(text);
  expect(isDeeperThan(bytes("[[[]]]"), 3)).toBe(false);
  expect(isDeeperThan(bytes("[[[[]]]]"), 3)).toBe(true);
  expect(isDeeperThan(bytes('["[[[[\\"[[[[","[[["]'), 2)).toBe(false);
  expect(isDeeperThan(bytes("[[],[],[],[],[]]"), 2)).toBe(false);
  expect(isDeeperThan(bytes('{"a":{"b":{"c":1}}}'), 2)).toBe(true);
});
