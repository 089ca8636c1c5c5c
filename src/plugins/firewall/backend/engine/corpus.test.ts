import { expect, test } from "bun:test";
import { coreCategories, readCases } from "../../../../../tests/fixtures/crs/read-cases.ts";
import {
  messageOf,
  readAttacks,
  readHonestRequests,
  readTechnicalMessages,
  type SetCase,
} from "../../../../../tests/fixtures/firewall/read-sets.ts";
import { naturalSentences } from "../../../../../tests/fixtures/sentences/natural-sentences.ts";
import { createEngine } from "./engine.ts";
import { usualOptions } from "./testing/inspect.ts";

const engine = createEngine(usualOptions);
const cases = await readCases();

const shareBlocked = (requests: readonly Parameters<typeof engine.inspect>[0][]): number =>
  requests.filter((request) => engine.inspect(request).isAttack).length / requests.length;

test("F1: at least 90 % of the corpus' attacks of the core categories are blocked, and 85 % of each", () => {
  const attacks = cases.filter(
    ({ kind, paranoia, category }) => kind === "attack" && paranoia === 1 && category in coreCategories,
  );
  expect(attacks.length).toBeGreaterThan(500);
  expect(shareBlocked(attacks.map(({ request }) => request))).toBeGreaterThanOrEqual(0.9);
  for (const core of Object.keys(coreCategories)) {
    const share = shareBlocked(
      attacks.filter(({ category }) => category === core).map(({ request }) => request),
    );
    expect([core, share >= 0.85]).toEqual([core, true]);
  }
});

test("F1: of the corpus' harmless requests at most 1.5 % are blocked", () => {
  const harmless = cases.filter(({ isBenign }) => isBenign).map(({ request }) => request);
  expect(harmless.length).toBeGreaterThan(300);
  expect(shareBlocked(harmless)).toBeLessThanOrEqual(0.015);
});

test("F1: each stricter level finds 4 points more of the attacks that are meant for it, for 2 points of what is honest", async () => {
  const attacks = cases
    .filter(
      ({ kind, paranoia, category }) =>
        kind === "attack" && (paranoia ?? 0) > 1 && category in coreCategories,
    )
    .map(({ request }) => request);
  const honest = [
    ...cases.filter(({ isBenign }) => isBenign).map(({ request }) => request),
    ...requestsOf([...(await readHonestRequests()), ...(await readTechnicalMessages())]),
  ];
  const shares = ([1, 2, 3, 4] as const).map((paranoia) => {
    const strict = createEngine({ ...usualOptions, paranoia });
    const shareOf = (requests: readonly Parameters<typeof strict.inspect>[0][]): number =>
      requests.filter((request) => strict.inspect(request).isAttack).length / requests.length;
    return { found: shareOf(attacks), taken: shareOf(honest) };
  });
  for (const [index, { found, taken }] of shares.entries()) {
    const before = shares[index - 1];
    if (before === undefined) continue;
    expect([index + 1, found - before.found >= 0.04, taken - before.taken <= 0.02]).toEqual([
      index + 1,
      true,
      true,
    ]);
  }
});

test("F1: of 10,000 natural sentences at most 0.1 % are blocked", () => {
  expect(shareBlocked(naturalSentences(10_000).map(messageOf))).toBeLessThanOrEqual(0.001);
});

const requestsOf = (set: readonly SetCase[]) => set.map(({ request }) => request);

test("F1: of hundreds of own attacks of every kind at least 95 % are blocked, and 1 % of as many honest requests at most", async () => {
  const [attacks, honest] = [await readAttacks(), await readHonestRequests()];
  expect([attacks.length, honest.length].every((count) => count >= 400)).toBe(true);
  expect(shareBlocked(requestsOf(attacks))).toBeGreaterThanOrEqual(0.95);
  expect(shareBlocked(requestsOf(honest))).toBeLessThanOrEqual(0.01);
});

test("F1: of honest messages about technical things at most 3 % are blocked, of attacks in messages all are", async () => {
  const messages = requestsOf(await readTechnicalMessages());
  expect(messages.length).toBeGreaterThanOrEqual(150);
  expect(shareBlocked(messages)).toBeLessThanOrEqual(0.03);
  const attacks = (await readAttacks()).filter(({ family }) => family === "message");
  expect(shareBlocked(requestsOf(attacks))).toBe(1);
});
