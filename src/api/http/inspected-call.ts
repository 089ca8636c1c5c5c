import { personBehind } from "#api/core/actor.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Actor } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { within } from "#api/core/timing.ts";
import { type Exchange, visitor } from "#api/door/exchange.ts";
import type { CountryOf } from "#api/plugin-host/guard/compile-rules.ts";
import type { Traffic } from "#api/plugin-host/native/native-host.ts";
import { limits } from "#contract/limits.ts";
import type { ArrivingRequest, Look, RequestInspector, Stop } from "#plugins/sdk/native-types.ts";
import type { Principal } from "#plugins/sdk/types.ts";
import { type Answers, after } from "./answers.ts";
import { isSafeMethod, peekBody } from "./body.ts";
import { type Identify, leniently } from "./identity.ts";

export type InspectionOptions = {
  clock: Clock;
  traffic: Traffic;
  countryOf: CountryOf | null;
  identify: Identify;
  /** The template of the request's route, or `null`. */
  templateOf: (exchange: Exchange) => string | null;
  stop: Answers["stop"];
  refuse: Answers["refuse"];
};

/** A request with what plugins see of it; `headers` are added to its response. */
type Inspected = { exchange: Exchange; arriving: ArrivingRequest; headers: Record<string, string> };
type Next = () => Response | Promise<Response>;
type Ask = (inspector: RequestInspector) => Look | Promise<Look>;

// The user waits meanwhile, for a page or for a response that is ready.
const patienceMs = 1_000;
const mostBodyBytes = 1_048_576;

/**
 * Lets plugins inspect a request before `next` handles it: the head, the body if one of them asks for it, and the user.
 * The first that stops it decides. Stays synchronous where no plugin needs the user or the body.
 */
export const createInspectedCall = (options: InspectionOptions) => {
  const { traffic, stop } = options;
  const identify = leniently(options.identify);

  const failed = (plugin: string, what: string, error: unknown): undefined => {
    traffic.failed(plugin, `request.inspect: ${what} threw: ${describeError(error).message}`);
    return undefined;
  };

  /** Asks one plugin. If it throws or takes too long, the request continues. */
  const askOne = (plugin: string, what: string, ask: () => Look | Promise<Look>): Look | Promise<Look> => {
    try {
      const look = ask();
      if (!(look instanceof Promise)) return look;
      return within(patienceMs, look).catch((error) => failed(plugin, what, error));
    } catch (error) {
      return failed(plugin, what, error);
    }
  };

  /** A plugin's synchronous result; `otherwise` when it throws. */
  const told = <T>(plugin: string, what: string, otherwise: T, ask: () => T | undefined): T => {
    try {
      return ask() ?? otherwise;
    } catch (error) {
      failed(plugin, what, error);
      return otherwise;
    }
  };

  /** Decides on a request that a plugin would stop; `null` lets it continue. */
  const judge = (inspected: Inspected, look: Look): Response | null | Promise<Response | null> => {
    if (look === undefined) return null;
    if ("headers" in look) {
      Object.assign(inspected.headers, look.headers);
      return null;
    }
    const { exchange } = inspected;
    if (!look.sparesAdmins) return halt(exchange, look);
    const decide = () => {
      const admin = adminOf(exchange.actor);
      if (admin === null) return halt(exchange, look);
      look.spared?.(admin);
      return null;
    };
    if (exchange.actor.kind !== "visitor") return decide();
    return after(identify(exchange), decide);
  };

  const halt = (exchange: Exchange, verdict: Stop): Response => {
    // The plugin records what it stops.
    exchange.trace.isRecorded = true;
    return stop(exchange, { response: verdict.answer() });
  };

  /** Asks all plugins in order until one stops the request. */
  const askAll = (
    inspected: Inspected,
    what: string,
    ask: Ask,
    from = 0,
  ): Response | null | Promise<Response | null> => {
    const { inspectors } = traffic;
    for (let at = from; at < inspectors.length; at += 1) {
      const owned = inspectors[at];
      if (owned === undefined || owned.of.isIdle) continue;
      const look = askOne(owned.plugin, what, () => ask(owned.of));
      const judged = after(look, (seen) => judge(inspected, seen));
      if (judged instanceof Promise)
        return judged.then((answer) => answer ?? askAll(inspected, what, ask, at + 1));
      if (judged !== null) return judged;
    }
    return null;
  };

  const askForBody = (inspected: Inspected): Response | null | Promise<Response | null> => {
    const { exchange, arriving } = inspected;
    if (isSafeMethod(exchange.request.method) || exchange.request.body === null) return null;
    const wanted = traffic.inspectors.reduce(
      (most, { plugin, of }) =>
        of.isIdle
          ? most
          : Math.max(
              most,
              told(plugin, "bodyBytes", 0, () => of.bodyBytes?.(arriving)),
            ),
      0,
    );
    if (wanted === 0) return null;
    return peekBody(exchange.request, {
      mostBytes: Math.min(wanted, mostBodyBytes),
      withinMs: limits.bodyArrivalMs,
    }).then(({ bytes, isWhole, request }) => {
      exchange.request = request;
      // Seconds may have passed: who calls is decided by what is true now.
      exchange.at = options.clock.now();
      exchange.actor = visitor;
      return askAll(inspected, "body", (inspector) => inspector.body?.(arriving, bytes, isWhole));
    });
  };

  const askForPerson = (inspected: Inspected): Response | null | Promise<Response | null> => {
    const { exchange, arriving } = inspected;
    const asking = traffic.inspectors.filter(
      ({ plugin, of }) => !of.isIdle && told(plugin, "needsPerson", false, () => of.needsPerson?.(arriving)),
    );
    if (asking.length === 0) return null;
    const ask = () => {
      const person = personOf(exchange.actor);
      return askAll(inspected, "person", (inspector) =>
        asking.some(({ of }) => of === inspector) ? inspector.person?.(arriving, person) : undefined,
      );
    };
    if (exchange.actor.kind !== "visitor") return ask();
    return after(identify(exchange), ask);
  };

  const conclude = ({ exchange, arriving, headers }: Inspected, response: Response): Response => {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    const durationMs = (Bun.nanoseconds() - exchange.startedNs) / 1_000_000;
    const outcome = { status: response.status, durationMs, user: personOf(exchange.actor) };
    for (const { plugin, of } of traffic.inspectors) {
      if (of.isIdle) continue;
      told(plugin, "done", undefined, () => of.done?.(arriving, outcome));
    }
    return response;
  };

  return (exchange: Exchange, next: Next): Response | Promise<Response> => {
    const inspected: Inspected = { exchange, arriving: arrivingOf(exchange, options), headers: {} };
    const { arriving } = inspected;
    const end = (response: Response) => conclude(inspected, response);
    const steps = [
      () => askAll(inspected, "arrive", (inspector) => inspector.arrive?.(arriving)),
      () => askForBody(inspected),
      () => askForPerson(inspected),
    ];
    const run = (at: number): Response | Promise<Response> => {
      const step = steps[at];
      if (step === undefined) return next();
      return after(step(), (answer) => answer ?? run(at + 1));
    };
    const refuse = (error: unknown) => end(options.refuse(exchange, error));
    try {
      const answered = run(0);
      return answered instanceof Promise ? answered.then(end, refuse) : end(answered);
    } catch (error) {
      return refuse(error);
    }
  };
};

/** The caller; an operator's token counts as an admin under the token's name. */
const personOf = (actor: Actor): Principal | null => {
  const person = personBehind(actor);
  if (person !== null) return { id: person.id, name: person.name, role: person.role };
  return actor.kind === "token" ? { id: actor.token.id, name: actor.token.name, role: "admin" } : null;
};

const adminOf = (actor: Actor): Principal | null => {
  const person = personOf(actor);
  return person?.role === "admin" ? person : null;
};

/** A request as plugins see it that inspect requests or change responses. */
const arrivingOf = (
  exchange: Exchange,
  { countryOf, templateOf }: Pick<InspectionOptions, "countryOf" | "templateOf">,
): ArrivingRequest => {
  const { requestId, request, path, search, ip, isCall } = exchange;
  return {
    id: requestId,
    method: request.method,
    path,
    query: search.startsWith("?") ? search.slice(1) : search,
    headers: request.headers,
    ip,
    isCall,
    get country() {
      return countryOf?.(ip) ?? null;
    },
    get route() {
      return templateOf(exchange);
    },
  };
};

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
