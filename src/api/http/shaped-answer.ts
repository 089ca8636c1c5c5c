import { describeError } from "#api/core/describe-error.ts";
import { within } from "#api/core/timing.ts";
import type { Exchange } from "#api/door/exchange.ts";
import type { CountryOf } from "#api/plugin-host/guard/compile-rules.ts";
import type { Traffic } from "#api/plugin-host/native/traffic.ts";
import { isSafeMethod } from "./forged-call.ts";
import { arrivingOf } from "./inspected-call.ts";

export type ShapingOptions = {
  traffic: Traffic;
  countryOf: CountryOf | null;
  templateOf: (exchange: Exchange) => string | null;
};

/** What plugins do with responses. */
export type Shaping = {
  /** The cached response to a visitor's request; `null` where the application has to answer. */
  reuse(exchange: Exchange): Response | null;
  /** The response as it is sent. */
  shape(exchange: Exchange, response: Response): Response | Promise<Response>;
};

// The response is ready, and a user waits for it.
const patienceMs = 1_000;

/** Lets plugins change responses. If one throws or takes longer than a second, the response stays as it is. */
export const createShaping = ({ traffic, ...options }: ShapingOptions): Shaping => {
  const failed = (plugin: string, what: string, error: unknown): void =>
    traffic.failed(plugin, `response.shape: ${what} threw: ${describeError(error).message}`);

  return {
    reuse: (exchange) => {
      if (!isSafeMethod(exchange.request.method) || !isAnonymous(exchange)) return null;
      for (const { plugin, of } of traffic.shapers) {
        if (of.isIdle || of.reuse === undefined) continue;
        try {
          const kept = of.reuse(arrivingOf(exchange, options));
          if (kept instanceof Response) return kept;
        } catch (error) {
          failed(plugin, "reuse", error);
        }
      }
      return null;
    },
    shape: (exchange, response) => {
      const arriving = arrivingOf(exchange, options);
      const facts = { isAnonymous: isAnonymous(exchange) };
      const from = (at: number, now: Response): Response | Promise<Response> => {
        const owned = traffic.shapers[at];
        if (owned === undefined) return now;
        if (owned.of.isIdle || owned.of.shape === undefined) return from(at + 1, now);
        const fail = (error: unknown) => {
          failed(owned.plugin, "shape", error);
          return undefined;
        };
        try {
          const said = owned.of.shape(arriving, now, facts);
          if (!(said instanceof Promise)) return from(at + 1, said ?? now);
          return within(patienceMs, said)
            .catch(fail)
            .then((shaped) => from(at + 1, shaped ?? now));
        } catch (error) {
          fail(error);
          return from(at + 1, now);
        }
      };
      return from(0, response);
    },
  };
};

const isAnonymous = ({ request: { headers } }: Exchange): boolean =>
  headers.get("cookie") === null && headers.get("authorization") === null;
