import { describe, expect, test } from "bun:test";
import { createHostRule } from "./target.ts";

const isOurs = createHostRule("https://atrium.example", ["Other.example", "a", "10.0.0.11"]);

describe("T3: the Host header", () => {
  for (const host of [
    "atrium.example",
    "ATRIUM.example",
    "atrium.example:443",
    "other.example",
    "localhost:3000",
    "[::1]:3000",
    "10.0.0.11:3000",
  ])
    test(`${host} is served`, () => expect(isOurs(host)).toBe(true));
  for (const host of [
    null,
    "",
    "evil.example",
    "evil-atrium.example",
    "evil.localhost",
    "atrium.example.evil.example",
    "atrium.example, evil.example",
    "evil.example/x?",
    "atrium.example:443@evil.example",
    ":443@evil.example",
    "atrium.example:999999",
    "a",
    "user@atrium.example",
    "10.0.0.12",
    "atrium.example#",
    "[::1",
  ])
    test(`${JSON.stringify(host)} is not`, () => expect(isOurs(host)).toBe(false));
});
