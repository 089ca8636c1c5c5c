import { expect, test } from "bun:test";
import { builtInExemptions } from "../rules/built-in.ts";
import { createEngine } from "./engine.ts";
import type { Exemption } from "./engine-types.ts";
import { requestWith, usualOptions } from "./testing/inspect.ts";

const attack = "<script>alert(1)</script>";
const body = new TextEncoder().encode(JSON.stringify({ message: attack }));
const isBlocked = (exemption: Exemption, parts = {}): boolean =>
  createEngine({ ...usualOptions, exemptions: [exemption] }).inspect(
    requestWith({ path: "/api/contact", body, ...parts }),
  ).isAttack;

const contact: Exemption = { method: "POST", path: "/api/contact", fields: [], categories: [] };
const message: Exemption = { ...contact, fields: ["message"], categories: ["cross-site-scripting"] };

test("a field is exempt from the categories named, on its route alone", () => {
  expect(isBlocked(message)).toBe(false);
  expect(isBlocked({ ...message, method: "*" })).toBe(false);
  expect(isBlocked({ ...message, path: "/api/*" })).toBe(false);
  expect(isBlocked({ ...message, fields: ["subject"] })).toBe(true);
  expect(isBlocked({ ...message, categories: ["sql-injection"] })).toBe(true);
  expect(isBlocked({ ...message, method: "PUT" })).toBe(true);
  expect(isBlocked({ ...message, path: "/api/con" })).toBe(true);
});

test("a cookie or a header of a field's name is not exempt", () => {
  expect(isBlocked(message, { headers: [["message", attack]] })).toBe(true);
  expect(isBlocked(message, { headers: [["cookie", `message=${attack}`]] })).toBe(true);
});

test("a route that is exempt wholly takes what is too large as well", () => {
  expect(isBlocked(contact, { body: new Uint8Array(100_000) })).toBe(false);
  expect(isBlocked(message, { body: new Uint8Array(100_000) })).toBe(true);
});

test("an odd writing of a path is not what is exempt", () => {
  const all: Exemption = { ...contact, path: "/api/*" };
  for (const path of ["/api/../admin", "/api/%2e%2e/admin", "/api//x", "/api/..\\x"])
    expect(isBlocked(all, { path })).toBe(true);
  expect(isBlocked(contact, { path: "/api/contact/" })).toBe(true);
});

test("an exemption of a body leaves the rest of the request to be looked at", () => {
  const upload: Exemption = { ...contact, places: ["body"] };
  expect(isBlocked(upload)).toBe(false);
  expect(isBlocked(upload, { body: new Uint8Array(100_000) })).toBe(false);
  expect(isBlocked(upload, { query: `a=${encodeURIComponent(attack)}` })).toBe(true);
  expect(isBlocked(upload, { headers: [["cookie", `a=${attack}`]] })).toBe(true);
  expect(isBlocked(upload, { headers: [["user-agent", attack]] })).toBe(true);
});

test("built-in exemptions are for passwords in bodies of the routes that take them, and for packages", () => {
  const engine = createEngine({ ...usualOptions, exemptions: builtInExemptions });
  const passes = (path: string, parts = {}): boolean =>
    !engine.inspect(requestWith({ path, ...parts })).isAttack;
  const password = new TextEncoder().encode(JSON.stringify({ password: attack }));
  for (const path of ["/api/auth/login", "/api/account", "/api/account/password", "/api/admin/users"])
    expect([path, passes(path, { body: password })]).toEqual([path, true]);
  for (const path of ["/api/accounting", "/api/accounting/report", "/api/account-x", "/api/contact"])
    expect([path, passes(path, { body: password })]).toEqual([path, false]);
  const query = `password=${encodeURIComponent(attack)}`;
  for (const path of ["/api/auth/login", "/api/account", "/api/account/password"])
    expect([path, passes(path, { query })]).toEqual([path, false]);
  expect(passes("/api/plugins/upload", { body: new Uint8Array(100_000) })).toBe(true);
  expect(passes("/api/plugins/upload", { query })).toBe(false);
});
