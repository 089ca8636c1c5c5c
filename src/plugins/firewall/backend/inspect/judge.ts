import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import type { Compiled } from "../change/in-force.ts";
import type { Engine, Hit, Inspection } from "../engine/engine-types.ts";
import { allPatterns } from "../engine/patterns/all-patterns.ts";
import { networkOf, readRange } from "../rules/range.ts";
import type { Reason } from "../wire.ts";
import { reasonOfHit } from "./redact.ts";
import { isBrowsersWayIn } from "./way-in.ts";

/** Whether an address is banned at a moment: why, or `null`. */
export type BanOf = (address: string) => { reason: string; until: number } | null;

/** What the rules about places say. */
type AddressVerdict = {
  /** An entry lets it in: then neither ban nor country is asked. */
  isAllowed: boolean;
  /** The entry that decided, `null` where none did. */
  entry: string | null;
  /** Why it is kept out; `null` lets it go on. */
  reason: Reason | null;
};

const passes: AddressVerdict = { isAllowed: false, entry: null, reason: null };

/**
 * Judges where a request comes from. The narrowest entry of the lists that an address lies in decides, so that one address
 * of a range can be let in, and another of an allowed range kept out. An allowed address is neither asked for its ban nor
 * for its country; rates and patterns are asked all the same.
 */
export const judgeAddress = (
  compiled: Compiled,
  { ip, country, banOf }: { ip: string; country: () => string | null; banOf: BanOf },
): AddressVerdict => {
  const entry = compiled.entryAt(ip);
  if (entry?.kind === "allow") return { isAllowed: true, entry: entry.id, reason: null };
  if (entry !== null) {
    const note = entry.note === "" ? "" : ` (${entry.note})`;
    const isWhole = readRange(ip)?.text === entry.range;
    const words = isWhole ? `${ip} is denied` : `${ip} is in ${entry.range}, which is denied`;
    return {
      isAllowed: false,
      entry: entry.id,
      reason: reasonOf("address", entry.id, `${words}${note}`),
    };
  }
  const ban = banOf(networkOf(ip));
  if (ban !== null) {
    const until = new Date(ban.until).toISOString();
    return {
      ...passes,
      reason: reasonOf("ban", networkOf(ip), `${ip} is banned until ${until}: ${ban.reason}`),
    };
  }
  if (compiled.countryMode === "off") return passes;
  const code = country();
  if (code === null || compiled.countries.has(code) === (compiled.countryMode === "allow")) return passes;
  const text =
    compiled.countryMode === "allow" ? `${code} is not among the allowed countries` : `${code} is denied`;
  return { ...passes, reason: reasonOf("country", code, text) };
};

/** A reason without place and score. */
export const reasonOf = (by: Reason["by"], rule: string, text: string): Reason => ({
  ...{ by, rule, text },
  ...{ score: 0, place: "", name: "", excerpt: "" },
});

/** What the patterns say of a request so far. */
export type PatternVerdict = {
  score: number;
  isAttack: boolean;
  /** Patterns that found something already: each counts once. */
  found: ReadonlySet<number>;
  reasons: Reason[];
};

/** Nothing was found. */
export const cleanVerdict: PatternVerdict = { score: 0, isAttack: false, found: new Set(), reasons: [] };

const firstLevel = new Set(allPatterns.filter(({ paranoia }) => paranoia === 1).map(({ id }) => id));

/** On the way in only fields count; of all the rest, what hardly any honest request has. */
const countsOnWayIn = ({ place, pattern }: Hit): boolean => place === "query" || firstLevel.has(pattern);

/** Looks through all of a request but its body. Throws what the engine throws. */
export const judgeHead = (engine: Engine, request: ArrivingRequest, threshold: number): PatternVerdict => {
  const inspection = engine.inspect({
    method: request.method,
    path: request.path,
    query: request.query,
    headers: [...request.headers],
    body: null,
  });
  const hits = isBrowsersWayIn(request) ? inspection.hits.filter(countsOnWayIn) : inspection.hits;
  return add(cleanVerdict, inspection, { threshold, hits });
};

// What tells how a body is to be read; the rest was looked at before.
const bodyHeaders = ["content-type", "content-encoding"];

/** Adds what is found in the body to what was found before. Throws what the engine throws. */
export const judgeBody = (
  engine: Engine,
  request: ArrivingRequest,
  { before, bytes, threshold }: { before: PatternVerdict; bytes: Uint8Array; threshold: number },
): PatternVerdict => {
  const inspection = engine.inspect({
    method: request.method,
    path: request.path,
    query: "",
    headers: bodyHeaders.flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body: bytes,
    // What is found there once more would stand before what the body has of it.
    isHeadKnown: true,
  });
  return add(before, inspection, { threshold, hits: inspection.hits });
};

const obstacles: Record<NonNullable<Inspection["obstacle"]>, string> = {
  "too-large": "The request is too large to inspect (more than 64 KB, or too many parts)",
  "too-deep": "The request is nested too deeply to inspect",
  undecodable: "The request cannot be decoded with its declared encoding",
};

const add = (
  before: PatternVerdict,
  { obstacle }: Inspection,
  { threshold, hits }: { threshold: number; hits: Hit[] },
): PatternVerdict => {
  if (hits.length === 0 && obstacle === null) return before;
  const fresh = hits.filter(({ pattern }) => !before.found.has(pattern));
  const score = fresh.reduce((sum, hit) => sum + hit.score, before.score);
  return {
    score,
    isAttack: before.isAttack || obstacle !== null || score >= threshold,
    found: new Set([...before.found, ...fresh.map(({ pattern }) => pattern)]),
    reasons: [
      ...before.reasons,
      ...(obstacle === null ? [] : [reasonOf("obstacle", obstacle, obstacles[obstacle])]),
      ...fresh.map(reasonOfHit),
    ],
  };
};
