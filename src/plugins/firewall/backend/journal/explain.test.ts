import { expect, test } from "bun:test";
import type { JournalEntry, Reason } from "../wire.ts";
import { explain } from "./explain.ts";

const reason = (more: Partial<Reason>): Reason => ({
  ...{ by: "pattern", rule: "930120", text: "A file of the system", score: 5 },
  ...{ place: "path", name: "", excerpt: "etc/passwd", ...more },
});
const entry = (path: string, reasons: Reason[]): JournalEntry => ({
  ...{ id: "r1", at: "2030-01-01T00:00:00.000Z", verdict: "blocked", address: "203.0.113.9", country: null },
  ...{ method: "GET", path, query: "", userAgent: "", user: null, score: 5, threshold: 5, status: 403 },
  ...{ reasons, replica: "a" },
});
const exempts = (path: string, reasons: Reason[]) =>
  explain(entry(path, reasons)).remedies.filter((remedy) => remedy.includes("exempt"));

test("nobody is told to exempt a path that is the attack itself", () => {
  const inQuery = reason({ place: "query", name: "q" });
  expect(exempts("/etc/passwd", [reason({}), inQuery])).toEqual([]);
  expect(exempts("/about", [inQuery])).toEqual([
    "If the text is legitimate, exempt the field q of GET /about",
  ]);
  expect(exempts("/api/files/etc/passwd", [reason({})])).toHaveLength(1);
});
