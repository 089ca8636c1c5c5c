import { describe, expect, test } from "bun:test";
import { keyRules, namesIn } from "./keys-section.tsx";

const key = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=";

describe("a pasted key", () => {
  test("is taken with the line breaks that it was copied with", () => {
    expect(keyRules.publicKey(`  ${key.slice(0, 20)}\n${key.slice(20)} `)).toBeNull();
  });

  test.each(["", key.slice(1), `${key}${key}`, "-----BEGIN PUBLIC KEY-----"])("is refused: %p", (text) => {
    expect(keyRules.publicKey(text)).toContain("44 base64 characters");
  });

  test("signs the names that are listed, at least one", () => {
    expect(namesIn(" shop-*, ,weather ")).toEqual(["shop-*", "weather"]);
    expect(keyRules.names(" , ")).not.toBeNull();
  });
});
