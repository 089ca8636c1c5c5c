import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { AppError } from "#api/core/app-error.ts";
import type { PasswordHasher } from "#api/core/context.ts";

/** Bounds of the hashing queue. */
export type PasswordHasherOptions = {
  /** Hashes computed at once; by default one core stays free for requests and file access. */
  concurrency?: number;
  /** Calls that may wait, new hashes in at most half of the places; the default keeps the wait below three seconds. */
  maxWaiting?: number;
};

// OWASP Password Storage Cheat Sheet, argon2id with 19 MiB and two passes. Bun fixes the parallelism at 1.
const memoryKib = 19_456;
const passes = 2;
const currentPrefix = `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$`;

// A hash takes about 24 ms, so the last of 64 waits a second and a half. Fifty new passwords at the same time must find room.
const waitingPerSlot = 64;
const waitingAtLeast = 100;

/**
 * argon2id behind a bounded queue. A password is taken as it is, encoded in UTF-8: nothing is trimmed, folded or
 * normalised. Above the bound a call fails at once with `BUSY`, to be tried again after a second. New hashes, which
 * anyone may ask for by registering, wait in half of the room at most: a sign-in finds the other half.
 */
export const createPasswordHasher = (options: PasswordHasherOptions = {}): PasswordHasher => {
  const concurrency = options.concurrency ?? Math.max(1, availableParallelism() - 1);
  const maxWaiting = options.maxWaiting ?? Math.max(waitingAtLeast, waitingPerSlot * concurrency);
  const inQueue = createBoundedQueue(concurrency, maxWaiting);
  const dummy = unmatchableHash();
  let computed = 0;
  const counted = <T>(lane: Lane, compute: () => Promise<T>) =>
    inQueue(lane, () => {
      computed += 1;
      return compute();
    });
  const hashes = { most: Math.floor(maxWaiting / 2), waiting: 0 };
  const checks = { most: maxWaiting, waiting: 0 };

  return {
    hash: (password) =>
      counted(hashes, () =>
        Bun.password.hash(password, { algorithm: "argon2id", memoryCost: memoryKib, timeCost: passes }),
      ),
    verify: async (password, hash) => {
      // Bun answers an empty password without any work, which would tell by its speed; a space costs the full work.
      const isRight = await counted(checks, () => Bun.password.verify(password || " ", hash ?? dummy));
      return isRight && password !== "" && hash !== null;
    },
    isOutdated: (hash) => !hash.startsWith(currentPrefix),
    get computed() {
      return computed;
    },
  };
};

/**
 * A well-formed hash with today's parameters whose digest is random: checking against it takes the same work as any
 * other, and no password matches.
 */
const unmatchableHash = (): string => `${currentPrefix}${phcBase64(32)}$${phcBase64(32)}`;

const phcBase64 = (length: number): string => randomBytes(length).toString("base64").replaceAll("=", "");

/** Jobs of one kind: how many of them may wait, and how many do. */
type Lane = { readonly most: number; waiting: number };

/**
 * Runs at most `concurrency` jobs at once, in order of arrival. Who would wait behind `maxWaiting` of all kinds, or behind
 * as many of its own kind as may, is refused.
 */
const createBoundedQueue = (concurrency: number, maxWaiting: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const release = () => {
    const next = waiting.shift();
    // The slot passes straight to the next in line, so that a newcomer cannot slip in between.
    if (next) next();
    else running -= 1;
  };

  const waitIn = async (lane: Lane): Promise<void> => {
    if (waiting.length >= maxWaiting || lane.waiting >= lane.most)
      throw new AppError("BUSY", undefined, { retryAfterS: 1 });
    lane.waiting += 1;
    await new Promise<void>((resolve) => waiting.push(resolve));
    lane.waiting -= 1;
  };

  return async <T>(lane: Lane, job: () => Promise<T>): Promise<T> => {
    if (running < concurrency) running += 1;
    else await waitIn(lane);
    try {
      return await job();
    } finally {
      release();
    }
  };
};
