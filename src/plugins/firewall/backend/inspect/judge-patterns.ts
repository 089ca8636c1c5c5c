import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import type { Engine, Hit, Inspection } from "../engine/engine-types.ts";
import { allPatterns } from "../engine/patterns/all-patterns.ts";
import type { Reason } from "../wire.ts";
import { reasonOf } from "./judge-address.ts";
import { reasonOfHit } from "./redact.ts";
import { isBrowsersWayIn } from "./way-in.ts";

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
