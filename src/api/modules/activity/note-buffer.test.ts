import { expect, test } from "bun:test";
import type { ActivityEntry, ActivityFact } from "#api/core/activity.ts";
import { createNoteBuffer } from "./activity-writer.ts";

const begin = Date.parse("2026-01-31T12:00:00Z");
const at = (seconds: number) => new Date(begin + seconds * 1_000);

const fact = (seconds: number, entry: Partial<ActivityEntry> = {}, ip = "192.0.2.1"): ActivityFact => ({
  entry: { type: "suspicious_activity", action: "Failed to sign in", status: "failure", ...entry },
  source: { actor: { kind: "visitor" }, requestId: `r${seconds}`, ip, userAgent: "test" },
  at: at(seconds),
});

const countsOf = (drafts: { occurrences: number }[]) => drafts.map(({ occurrences }) => occurrences);

test(
  "the first of its kind is passed on immediately, its repeats as one row with their number when the " +
    "minute is over",
  () => {
    const buffer = createNoteBuffer();
    for (let second = 0; second < 50; second += 1) buffer.add(fact(second));
    expect(countsOf(buffer.take(100, at(50)))).toEqual([1]);
    expect(buffer.take(100, at(59))).toEqual([]);
    const [repeats, ...none] = buffer.take(100, at(60));
    expect(repeats).toMatchObject({ occurrences: 49, requestId: "r49", at: at(49).toISOString() });
    expect(none).toEqual([]);
  },
);

test("another action, person, place, status or severity is another row", () => {
  const buffer = createNoteBuffer();
  buffer.add(fact(0));
  buffer.add(fact(0, { action: "Failed to reset" }));
  buffer.add(fact(0, { userEmail: "ada@example.com" }));
  buffer.add(fact(0, {}, "192.0.2.2"));
  buffer.add(fact(0, { status: "warning" }));
  buffer.add(fact(0, { severity: "high" }));
  buffer.add(fact(0, { pluginName: "firewall" }));
  expect(buffer.take(100, at(0))).toHaveLength(7);
});

test("another description is another row, of a success as of a failure, and the same again is a repeat", () => {
  for (const status of ["success", "failure"] as const) {
    const buffer = createNoteBuffer();
    for (const description of ["As csv", "As ndjson", "As csv", undefined])
      buffer.add(fact(0, { status, ...(description !== undefined && { description }) }));
    buffer.closeAll();
    const drafts = buffer.take(10, at(0));
    expect(drafts.map(({ description }) => description)).toEqual(["As csv", "As ndjson", "", "As csv"]);
    expect(countsOf(drafts)).toEqual([1, 1, 1, 1]);
  }
});

test(
  "L4: a user who fails at ever more things keeps their name, and leaves rows for others on the same " +
    "network",
  () => {
    const buffer = createNoteBuffer();
    for (let index = 0; index < 500; index += 1)
      buffer.add(fact(0, { userEmail: "eve@example.com", description: `About ${index}` }));
    buffer.add(fact(1, { userEmail: "ada@example.com", description: "About 7" }));
    buffer.closeAll();
    const drafts = buffer.take(1_000, at(2));
    const ofEve = drafts.filter(({ userEmail }) => userEmail === "eve@example.com");
    expect(countsOf(ofEve)).toEqual([1, 1, 1, 1, 1, 495]);
    expect(ofEve.at(-1)?.description).toBe("More of the same by this user");
    expect(drafts.filter(({ userEmail }) => userEmail === "ada@example.com")).toMatchObject([
      { description: "About 7", occurrences: 1 },
    ]);
  },
);

test("L5: changing descriptions, users and IP addresses together doesn't get around the limits", () => {
  const buffer = createNoteBuffer();
  for (let index = 0; index < 10_000; index += 1) {
    const [person, ip] = [index % 100, `198.51.100.${index % 100}`];
    buffer.add(fact(0, { userEmail: `u${person}@example.com`, description: `About ${index}` }, ip));
  }
  buffer.closeAll();
  const drafts = buffer.take(20_000, at(0));
  expect(drafts.length).toBeLessThanOrEqual(121);
  expect(drafts.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(10_000);
});

test("what comes after its minute begins a new one, and loses no repeats of the old", () => {
  const buffer = createNoteBuffer();
  for (const second of [0, 1, 2, 61, 62]) buffer.add(fact(second));
  expect(countsOf(buffer.take(100, at(62)))).toEqual([1, 2, 1]);
  expect(countsOf(buffer.take(100, at(200)))).toEqual([1]);
});

test("L5: ten thousand failures from as many addresses become 61 rows that count them all", () => {
  const buffer = createNoteBuffer();
  for (let index = 0; index < 10_000; index += 1)
    buffer.add(
      fact(index / 200, { userEmail: `u${index}@example.com` }, `198.51.${index >> 8}.${index & 255}`),
    );
  const first = buffer.take(20_000, at(50));
  const later = buffer.take(20_000, at(120));
  expect(first).toHaveLength(60);
  expect(later).toHaveLength(1);
  expect(later[0]).toMatchObject({ ip: null, userEmail: null, userId: null, occurrences: 9_940 });
});

test("L4: who makes noise from one address cannot hide a guess from another behind it", () => {
  const buffer = createNoteBuffer();
  for (let index = 0; index < 500; index += 1) buffer.add(fact(0, { userEmail: `u${index}@example.com` }));
  buffer.add(fact(1, { userEmail: "ada@example.com" }, "198.51.100.66"));
  buffer.closeAll();
  const drafts = buffer.take(1_000, at(2));
  expect(drafts.filter(({ ip }) => ip === "198.51.100.66")).toMatchObject([{ userEmail: "ada@example.com" }]);
  const noise = drafts.filter(({ ip }) => ip === "192.0.2.1");
  expect(noise).toHaveLength(11);
  expect(noise.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(500);
});

test("addresses of one IPv6 network are one place", () => {
  const buffer = createNoteBuffer();
  for (let index = 1; index <= 50; index += 1) buffer.add(fact(0, {}, `2001:db8::${index.toString(16)}`));
  expect(buffer.take(1_000, at(0))).toHaveLength(10);
});

test("successes are never joined into a crowd", () => {
  const buffer = createNoteBuffer();
  for (let index = 0; index < 500; index += 1)
    buffer.add(fact(0, { status: "success", userEmail: `u${index}@example.com` }));
  expect(buffer.take(1_000, at(0))).toHaveLength(500);
});

test("while nothing can be written it holds 20,000, counts the rest, and says so afterwards", () => {
  const buffer = createNoteBuffer();
  for (let index = 0; index < 20_123; index += 1)
    buffer.add(fact(0, { status: "info", action: `Did ${index}` }));
  const kept = buffer.take(30_000, at(0));
  expect(kept).toHaveLength(20_001);
  expect(kept.at(-1)).toMatchObject({ type: "health_check_failed", status: "failure" });
  expect(kept.at(-1)?.description).toStartWith("123 activities could not be recorded");
  expect(buffer.take(10, at(0))).toEqual([]);
});

test("drafts that are put back come first the next time, in their order", () => {
  const buffer = createNoteBuffer();
  for (const action of ["one", "two", "three"]) buffer.add(fact(0, { action }));
  buffer.putBack(buffer.take(2, at(0)));
  expect(buffer.hasReady).toBe(true);
  expect(buffer.take(10, at(0)).map(({ action }) => action)).toEqual(["one", "two", "three"]);
  expect(buffer.hasReady).toBe(false);
});

test("closing ends every minute, so that nothing is lost at the end", () => {
  const buffer = createNoteBuffer();
  for (let second = 0; second < 5; second += 1) buffer.add(fact(second));
  buffer.closeAll();
  expect(countsOf(buffer.take(100, at(5)))).toEqual([1, 4]);
});
