/**
 * A process with a limiter of its own. Argument: the address of a Redis server. For each message, a JSON text with key,
 * rule and count, it sends a burst and answers how many passed. It says `ready` when Redis is in use.
 */
import { burst, passedOf } from "#api/testing/rate-limiter-contract.ts";
import { until } from "#api/testing/until.ts";
import { openLimiter } from "./limiters.ts";

const { limiter, link } = openLimiter({ url: process.argv[2] ?? "" });
await until(() => link.isUp);
process.on("message", async (text) => {
  process.send?.(passedOf(await burst(limiter, JSON.parse(String(text)))));
});
process.send?.("ready");
