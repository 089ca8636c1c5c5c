import { expect, test } from "bun:test";
import { rarePiece } from "./selection-store.ts";

const sample = "request to a plugin by anna.miller@example.com answered 200\n".repeat(20);

test("of a long text the piece is chosen that is rarest among the rows, from within one word", () => {
  expect(rarePiece("wilhelmina.fitzgerald@example.com", sample)).toHaveLength(8);
  expect("wilhelmina fitzgerald").toContain(rarePiece("wilhelmina.fitzgerald@example.com", sample));
  expect(rarePiece("answered quarantine", sample)).not.toContain("answer");
  expect(rarePiece("plugin zebra7", sample)).toBe("zebra7");
  expect("xyzabcde").toContain(rarePiece("requestxyzabcde", sample).replace(/^st/, ""));
});

test("a short text, one without a long word and one of common words are taken whole", () => {
  expect(rarePiece("request", sample)).toBe("request");
  expect(rarePiece("203.0.113.99", sample)).toBe("203.0.113.99");
  expect(rarePiece("a b c d e f g", "")).toBe("a b c d e f g");
  expect(rarePiece("plugin answered", sample)).toBe("plugin answered");
});
