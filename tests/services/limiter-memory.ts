/**
 * Measures what a limiter without Redis keeps, in a process of its own. Argument: `addresses` for a million clients with
 * one request each, `requests` for thousands of clients that use up what they may. Prints by how much the process
 * had grown at most, how many keys are known, and whether one who was refused before still is.
 */
import { createMemoryRateLimiter } from "#api/adapters/rate-limit/create-rate-limiter.ts";
import { createTestClock } from "#api/testing/clock.ts";

const windowMs = 900_000;
const hot = { max: 100, windowMs };
const clock = createTestClock();
const limiter = createMemoryRateLimiter({ clock });

for (let n = 0; n < hot.max; n += 1) limiter.take("core 203.0.113.9", hot);
Bun.gc(true);
const before = process.memoryUsage().rss;
let peak = before;

const look = (): void => {
  clock.advance(1);
  peak = Math.max(peak, process.memoryUsage.rss());
};

if (process.argv[2] === "addresses") {
  for (let n = 0; n < 1_000_000; n += 1) {
    if (n % 2_000 === 0) look();
    limiter.take(`core 2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::/64`, hot);
  }
} else {
  const wide = { max: 1_000, windowMs };
  for (let n = 0; n < 4_000_000; n += 1) {
    if (n % 1_000 === 0) look();
    limiter.take(`core 2001:db8:${Math.floor(n / 1_000_000)}:${n % 1_000}::/64`, wide);
    if (n % 10_000 === 0) limiter.take("core 203.0.113.9", hot);
  }
}

const grownBytes = peak - before;
const isHeld = !limiter.take("core 203.0.113.9", hot).isAllowed;
console.log(JSON.stringify({ grownBytes, keys: limiter.size(), isHeld }));
