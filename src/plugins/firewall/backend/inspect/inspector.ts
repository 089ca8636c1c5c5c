import type {
  ArrivingRequest,
  Look,
  NativeHost,
  Outcome,
  RequestInspector,
  Stop,
} from "#plugins/sdk/native-types.ts";
import type { Principal } from "#plugins/sdk/types.ts";
import type { Compiled, CompiledRate } from "../change/in-force.ts";
import { texts } from "../texts.ts";
import type { Reason, Verdict } from "../wire.ts";
import {
  type BanOf,
  cleanVerdict,
  judgeAddress,
  judgeBody,
  judgeHead,
  type PatternVerdict,
  reasonOf,
} from "./judge.ts";
import {
  type Caller,
  coreNeedsPerson,
  countersOf,
  createRouteKinds,
  hasCredentials,
  judgeRates,
  type Limited,
  type RateVerdict,
  ruleNeedsPerson,
  visitor,
} from "./judge-rates.ts";
import { isFromOtherSite, isWayIn } from "./way-in.ts";

/** What the inspector asks, and the parts of the firewall that it tells what it finds. */
type InspectorParts = {
  host: Pick<NativeHost, "coreLimit" | "takeRate" | "routes" | "appUrl">;
  /** What is in force; asked once for each request. */
  compiled(): Compiled;
  bans: { of: BanOf };
  /** Of each entry of the lists that decided a request. */
  hits: { add(kind: "address" | "rate" | "pattern" | "country", id: string): void };
  now(): number;
  /** A request was stopped for what it is; not for how many there were. */
  offended(ip: string, why: string): void;
  /** A rule says that who makes more requests than it allows is banned. */
  banByRate(ip: string, why: string): void;
  alarm(what: string, error: unknown): void;
  finished(finished: Finished): void;
  /** A request could not be counted, and goes on. */
  rateFailed(error: unknown): void;
};

// Source: the scan cap of the engine, 64 KB over all of a request; one byte more tells that there is more.
const bodyBytes = 64 * 1024 + 1;
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Looks at each request, in this order: address lists, bans, countries, rates, patterns in all but the body; then the body;
 * then the rates that depend on who makes it. What stops it first, stops it. Bans and patterns spare signed-in admins,
 * address and country rules nobody.
 */
export const createInspector = (parts: InspectorParts): RequestInspector => {
  const { host } = parts;
  const notes = createNotes();
  const kindOf = createRouteKinds(host, parts.now);

  /** Stops a request, or only says that it would be stopped. */
  const block = (request: ArrivingRequest, note: Note, sparesAdmins: boolean): Look => {
    if (parts.compiled().switches.developmentModeEnabled && !isBan(note)) return wouldBlock(request, note);
    return {
      answer: () => {
        note.verdict = "blocked";
        if (sparesAdmins && !isBan(note) && !isFromOtherSite(request))
          parts.offended(request.ip, note.reasons.at(-1)?.text ?? "");
        return answer(request, blocked);
      },
      sparesAdmins,
      spared: (admin) => spare(note, admin),
    } satisfies Stop;
  };

  const judgePlace = (request: ArrivingRequest, note: Note): Look => {
    const { reason, entry } = judgeAddress(parts.compiled(), {
      ip: request.ip,
      country: () => request.country,
      banOf: parts.bans.of,
    });
    if (entry !== null) parts.hits.add("address", entry);
    if (reason === null) return undefined;
    // Admins among the banned are spared as soon as they are known: they have to be able to say who they are.
    if (reason.by === "ban" && isWayIn(request.path)) return undefined;
    if (reason.by === "country") parts.hits.add("country", reason.rule);
    note.reasons.push(reason);
    return block(request, note, reason.by === "ban");
  };

  const limited = (request: ArrivingRequest, note: Note, verdict: RateVerdict): Look => {
    for (const reason of verdict.noticed) parts.hits.add("rate", reason.rule);
    if (verdict.noticed.length > 0 && note.verdict === "passed") note.verdict = "noticed";
    note.reasons.push(...verdict.noticed);
    const { limited: stop, headers } = verdict;
    if (stop === null) return Object.keys(headers).length > 0 ? { headers } : undefined;
    note.reasons.push(stop.reason);
    parts.hits.add("rate", stop.reason.rule);
    return {
      answer: () => {
        note.verdict = "limited";
        if (stop.isBan && !isFromOtherSite(request)) parts.banByRate(request.ip, stop.reason.text);
        return answer(request, limitedBy(stop, headers));
      },
      sparesAdmins: false,
    };
  };

  const judgeCounts = (
    request: ArrivingRequest,
    { note, caller, wants }: { note: Note; caller: Caller; wants(rule: CompiledRate | null): boolean },
  ): Look | Promise<Look> => {
    const compiled = parts.compiled();
    const limit = compiled.switches.rateLimitingEnabled ? host.coreLimit() : null;
    if (limit === null && compiled.rates.length === 0) return undefined;
    const facts = { request, kind: kindOf(request), caller };
    const counted = countersOf(compiled, facts, { limit, wants });
    if (counted.length === 0) return undefined;
    const verdict = judgeRates({
      takeRate: host.takeRate,
      coreMessage: limit?.message ?? "",
      counted,
      failed: parts.rateFailed,
    });
    return verdict instanceof Promise
      ? verdict.then((made) => limited(request, note, made))
      : limited(request, note, verdict);
  };

  /** Takes down what patterns found, and stops what is an attack. */
  const judged = (request: ArrivingRequest, note: Note, verdict: PatternVerdict): Look => {
    const fresh = verdict.reasons.slice(note.patterns.reasons.length);
    const wasAttack = note.patterns.isAttack;
    note.patterns = verdict;
    note.reasons.push(...fresh);
    for (const { by, rule } of fresh) if (by === "pattern") parts.hits.add("pattern", rule);
    if (!verdict.isAttack || wasAttack) return undefined;
    return block(request, note, true);
  };

  /** Patterns that cannot be asked let pass what changes nothing, and nothing else. */
  const withEngine = (request: ArrivingRequest, note: Note, look: () => PatternVerdict): Look => {
    try {
      return judged(request, note, look());
    } catch (error) {
      parts.alarm("The firewall's patterns failed on a request", error);
      note.reasons.push(reasonOf("engine", "", "The attack patterns failed on this request"));
      if (note.verdict === "passed") note.verdict = "noticed";
      return safeMethods.has(request.method) ? undefined : block(request, note, true);
    }
  };

  const judgeText = (request: ArrivingRequest, note: Note): Look => {
    const { engine, switches, isExempt } = parts.compiled();
    if (engine === null || isExempt(request.method, request.path)) return undefined;
    note.wantsBody = true;
    return withEngine(request, note, () => judgeHead(engine, request, switches.threshold));
  };

  const isForeign = createForeignTest(host.appUrl);
  /** Links in mail arrive as `none`, and old browsers say nothing of where a link was: only what changes something counts then. */
  const teaches = (request: ArrivingRequest): boolean => {
    const site = request.headers.get("sec-fetch-site");
    const isOurs = site === null ? !safeMethods.has(request.method) : site === "same-origin";
    return isOurs && !isForeign(request) && (request.route !== null || !request.isCall);
  };
  const callerOf = (request: ArrivingRequest, user: Principal | null): Caller =>
    user === null || isForeign(request) ? visitor : { role: user.role, id: user.id };
  const needs = (request: ArrivingRequest) => (rule: CompiledRate | null) =>
    rule === null ? coreNeedsPerson(kindOf(request)) : ruleNeedsPerson(rule, request.path);

  return {
    get isIdle() {
      return !parts.compiled().switches.masterSwitchEnabled;
    },
    arrive: (request) => {
      const note = notes.of(request);
      note.teaches = teaches(request);
      const place = judgePlace(request, note);
      // Whoever is banned is asked nothing else; the admins among them are known only later, and spared.
      if (place !== undefined && "answer" in place) return place;
      const isKnown = hasCredentials(request.headers);
      const needsPerson = needs(request);
      const wants = (rule: CompiledRate | null) => !isKnown || !needsPerson(rule);
      const counted = judgeCounts(request, { note, caller: visitor, wants });
      const goOn = (look: Look): Look => {
        if (look !== undefined && "answer" in look) return look;
        return merged([place, look, judgeText(request, note)]);
      };
      return counted instanceof Promise ? counted.then(goOn) : goOn(counted);
    },
    bodyBytes: (request) => (notes.of(request).wantsBody ? bodyBytes : 0),
    body: (request, bytes) => {
      const note = notes.of(request);
      const { engine, switches } = parts.compiled();
      if (!note.wantsBody || engine === null || bytes.length === 0) return undefined;
      const seen = bytes.subarray(0, bodyBytes);
      return withEngine(request, note, () =>
        judgeBody(engine, request, { before: note.patterns, bytes: seen, threshold: switches.threshold }),
      );
    },
    needsPerson: (request) => {
      if (!hasCredentials(request.headers)) return false;
      const { rates, switches } = parts.compiled();
      const needsPerson = needs(request);
      return (switches.rateLimitingEnabled && request.isCall && needsPerson(null)) || rates.some(needsPerson);
    },
    person: (request, user) => {
      const note = notes.of(request);
      return judgeCounts(request, { note, caller: callerOf(request, user), wants: needs(request) });
    },
    done: (request, outcome) =>
      parts.finished({ request, note: notes.of(request), outcome, atMs: parts.now() }),
  };
};

const isBan = ({ reasons }: Note): boolean => reasons.at(-1)?.by === "ban";

const wouldBlock = ({ id }: ArrivingRequest, note: Note): Look => {
  note.verdict = "would-block";
  return { headers: { "x-atrium-would-block": id } };
};

const spare = (note: Note, admin: Principal): void => {
  note.isSpared = true;
  note.admin = admin;
  note.verdict = "noticed";
};

/** One look for several of which none stops; or the first that does. */
const merged = (looks: readonly Look[]): Look => {
  const headers: Record<string, string> = {};
  for (const look of looks) {
    if (look === undefined) continue;
    if ("answer" in look) return look;
    Object.assign(headers, look.headers);
  }
  return Object.keys(headers).length > 0 ? { headers } : undefined;
};

/** Whether another site made a call that changes something: then it is not the admin's, whatever cookie came with it. */
const createForeignTest = (appUrl: string) => {
  const { origin } = new URL(appUrl);
  return ({ method, headers }: ArrivingRequest): boolean => {
    if (safeMethods.has(method)) return false;
    const said = headers.get("origin");
    if (said !== null) return said !== origin;
    const site = headers.get("sec-fetch-site");
    return site !== null && site !== "same-origin" && site !== "none";
  };
};

/** What was found of a request on its way. */
type Note = {
  verdict: Verdict;
  reasons: Reason[];
  patterns: PatternVerdict;
  /** Whether the body is to be looked through. */
  wantsBody: boolean;
  /** It would have been stopped, had it not been an admin's. */
  isSpared: boolean;
  /** Nobody elsewhere can have started it: see `JournalEntry.teaches`. */
  teaches: boolean;
  admin: Principal | null;
};

/** Everything about a request that is over. */
export type Finished = { request: ArrivingRequest; note: Note; outcome: Outcome; atMs: number };

/** Notes of requests on their way: they go with the requests. */
const createNotes = () => {
  const notes = new WeakMap<ArrivingRequest, Note>();
  return {
    of: (request: ArrivingRequest): Note => {
      const known = notes.get(request);
      if (known !== undefined) return known;
      const note: Note = {
        verdict: "passed",
        reasons: [],
        patterns: cleanVerdict,
        wantsBody: false,
        isSpared: false,
        teaches: false,
        admin: null,
      };
      notes.set(request, note);
      return note;
    },
  };
};

type Refusal = {
  status: 403 | 429;
  code: "BLOCKED_BY_FIREWALL" | "RATE_LIMITED";
  message: string;
  /** What a page says besides. */
  long: string;
  headers: Record<string, string>;
};

/** What a request that is blocked gets. */
const blocked: Refusal = {
  ...{ status: 403, code: "BLOCKED_BY_FIREWALL", headers: {} },
  ...{ message: texts.blocked, long: texts.blockedLong },
};

/** What a request that is one too many gets: the time to wait. */
const limitedBy = ({ message, retryAfterS }: Limited, headers: Record<string, string>): Refusal => ({
  ...{ status: 429, code: "RATE_LIMITED", message, long: texts.tooManyLong(retryAfterS) },
  headers: { ...headers, "retry-after": String(retryAfterS) },
});

/** The answer to a request that is stopped: a page where a browser loads one, else the usual envelope. */
const answer = (request: ArrivingRequest, refusal: Refusal): Response => {
  const { status, code, message } = refusal;
  const headers = { ...refusal.headers, "cache-control": "no-store" };
  if (request.isCall || !(request.headers.get("accept") ?? "").includes("text/html"))
    return Response.json({ success: false, code, message, requestId: request.id }, { status, headers });
  return new Response(page(refusal, request.id), {
    status,
    headers: { ...headers, "content-type": "text/html; charset=utf-8" },
  });
};

/** Words and nothing else: no script, no style of its own, readable in light and in dark. */
const page = ({ status, message, long }: Refusal, id: string): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
    `<title>${escaped(message)}</title></head><body><main>`,
    `<h1>${escaped(message)}</h1><p>${escaped(long)}</p>`,
    `<p><code>${escaped(id)}</code></p><p>${status}</p></main></body></html>`,
  ].join("");

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
