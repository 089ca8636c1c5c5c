import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { within } from "#api/core/within.ts";
import { unlessRefused } from "./redis-failure.ts";

/**
 * Ends a connection, for as long as it lives, on which far more arrives than what is asked of a server here: within a
 * second, or within one answer, however slowly it comes. Nothing is asked of a quiet one.
 */
export const boundFlow = (client: Redis): void => {
  const { stream } = client;
  let sizeBytes = 0;
  let isAsked = false;
  const end = (): void => void stream.destroy(new Error("too much"));
  const ask = async (): Promise<void> => {
    isAsked = true;
    try {
      // Nothing is answered behind an answer that does not end; one that may not be asked has answered, too.
      const answer = within(answerMs, unlessRefused(client.ping()));
      await Promise.all([answer, sleep(windowMs, null, { ref: false })]);
      sizeBytes = 0;
      isAsked = false;
    } catch {
      end();
    }
  };
  stream.on("data", (chunk: Uint8Array) => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > mostBytes) end();
    else if (sizeBytes > quietBytes && !isAsked) void ask();
  });
};

// The largest cached value has 100 kB, and of the largest events 500 are read a second.
const mostBytes = 4_000_000;
const quietBytes = 64_000;
const windowMs = 1_000;
const answerMs = 1_000;
