import type { ActivityEntry, ActivityFact, ActivityRecorder } from "#api/core/activity.ts";
import type { Actor, Services } from "#api/core/context.ts";
import type { CallTrace, Route, TokenFault } from "#api/door/exchange.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";
import { shippedPluginNames } from "#contract/plugin-names.ts";
import { faultText } from "./credentials.ts";

/** A call that has been answered, as far as the activity log wants to know: never its path, query, cookies or body. */
export type AnsweredCall = {
  /** `null` where the path leads nowhere. */
  route: Route | null;
  /** Whether it is for the API: anything else is a page or a file. */
  isCall: boolean;
  trace: CallTrace;
  actor: Actor;
  /** What came with it: a session that is over is no session. */
  cookies: { session: { token: string | null } };
  /** The API token that came with it, and what was wrong with that. */
  bearer: { readonly fault: TokenFault | null } | null;
  requestId: string;
  ip: string;
  userAgent: string | null;
  startedNs: number;
};

/**
 * The way to the activity log for what a call does: whatever leaves something there marks the call as recorded, and gets
 * the time since the call came as its duration unless it has one of its own.
 */
export const tracedRecorder = (
  recorder: ActivityRecorder,
  { trace, startedNs }: Pick<AnsweredCall, "trace" | "startedNs">,
): ActivityRecorder => {
  const traced = ({ entry, ...fact }: ActivityFact): ActivityFact => {
    trace.isRecorded = true;
    return { ...fact, entry: { durationMs: msSince(startedNs), ...entry } };
  };
  return {
    ...recorder,
    record: (tx, fact) => recorder.record(tx, traced(fact)),
    note: (fact) => recorder.note(traced(fact)),
  };
};

const msSince = (startedNs: number): number => Math.round((Bun.nanoseconds() - startedNs) / 1_000_000);

/**
 * Leaves with the activity log what it should know of HTTP traffic: refusals for want of rights, calls from other sites,
 * too many calls, failures of the server, and changes by people who are known, unless what was called recorded the call
 * itself. Reading is not recorded here, API tokens' failed attempts apart, except that readings of plugins which not only
 * admins may do are counted; of the shipped ones, what visitors do as a matter of course is not. Downloads of data record
 * themselves. `status` is the answer's: what a plugin refuses by itself is no success.
 */
export const recordCall = (
  { activity, clock }: Pick<Services, "activity" | "clock">,
  answered: AnsweredCall,
  status: number,
): void => {
  const { called } = answered.trace;
  const call = called === undefined ? answered : { ...answered, route: called };
  const entry = entryOf(call, status);
  if (entry === null) return;
  const { route, actor, requestId, ip, userAgent, startedNs } = call;
  const plugin = route?.plugin ?? null;
  const isOnePersons =
    plugin === null || call.trace.failure !== null || actor.kind === "token" || isKnownChange(call);
  activity.note({
    entry: { ...entry, ...(plugin === null ? {} : { pluginName: plugin }), durationMs: msSince(startedNs) },
    // What visitors read of a plugin is counted, whoever they are: a row for each of them would be a flood.
    source: isOnePersons
      ? { actor, requestId, ip, userAgent }
      : { actor: { kind: actor.kind }, requestId: null, ip: null, userAgent: null },
    at: clock.now(),
  });
};

const isKnownChange = ({ route, actor }: Pick<AnsweredCall, "route" | "actor">): boolean =>
  route !== null &&
  changesState(route) &&
  (actor.kind === "user" || actor.kind === "token" || actor.kind === "operator");

const entryOf = (
  { route, isCall, trace, actor, cookies, bearer }: AnsweredCall,
  status: number,
): ActivityEntry | null => {
  if (trace.isRecorded && !isFault(trace.failure)) return null;
  if (route === null) return isCall && trace.failure !== null ? failureEntry(null, trace.failure) : null;
  // A page that is still open when its session ends asks on, which matters little; but whoever makes a cookie up looks the
  // same, so it counts among the refusals.
  if (trace.failure === "NOT_SIGNED_IN" && cookies.session.token !== null && isForAdmins(route))
    return {
      type: "permission_violation",
      status: "failure",
      severity: "low",
      action: `Called ${nameOf(route)} with a session that is not valid`,
      description: answeredWith(route, trace.failure),
    };
  const fault = bearer?.fault ?? null;
  if (trace.failure === "NOT_SIGNED_IN" && fault !== null)
    return {
      type: "permission_violation",
      status: "failure",
      severity: "medium",
      action: `Called ${nameOf(route)} with an API token that is not valid`,
      description: `${answeredWith(route, trace.failure)}: ${faultText(fault)}`,
    };
  const failed = trace.failure === null ? null : failureEntry(route, trace.failure);
  if (failed !== null) return failed;
  if (actor.kind === "token")
    return changesState(route) || trace.failure !== null || status >= 400
      ? usedEntry(route, trace.failure, status)
      : null;
  if (trace.failure !== null) return null;
  if (isRoutine({ route, actor })) return null;
  // What admins change is recorded in its transaction; where nothing was recorded, nothing was changed.
  if (route.plugin === null && (!isKnownChange({ route, actor }) || isForAdmins(route))) return null;
  // An admin's page of a plugin asks again and again while it is open.
  if (route.plugin !== null && isForAdmins(route) && !changesState(route)) return null;
  const entry = { type: "api_call", action: route.summary, description: nameOf(route) } as const;
  return status < 400 ? entry : { ...entry, status: "failure" };
};

/** What every page view brings about: the footer's license, figures of the page's speed. */
const isRoutine = ({ route, actor }: { route: Route; actor: Actor }): boolean =>
  route.plugin !== null && shippedPluginNames.includes(route.plugin) && !isKnownChange({ route, actor });

/** That a token was used, whatever came of it. */
const usedEntry = (route: Route, failure: ErrorKind | null, status: number): ActivityEntry => {
  const entry = { type: "api_call", action: route.summary } as const;
  if (failure !== null) return { ...entry, description: answeredWith(route, failure), status: "failure" };
  return { ...entry, description: nameOf(route), ...(status < 400 ? {} : { status: "failure" as const }) };
};

const failureEntry = (route: Route | null, kind: ErrorKind): ActivityEntry | null => {
  const status = errorStatus[kind];
  const answered = answeredWith(route, kind);
  const refused = { type: "permission_violation", status: "failure", description: answered } as const;
  if (kind === "FORBIDDEN")
    return { ...refused, severity: "medium", action: `Called ${nameOf(route)} without permission` };
  if (kind === "NOT_SIGNED_IN") {
    // Everybody's browser asks once whether it is signed in; only at the doors of admins that means something.
    if (route === null || !isForAdmins(route)) return null;
    return { ...refused, severity: "medium", action: `Called ${nameOf(route)} without signing in` };
  }
  if (kind === "CROSS_ORIGIN")
    return { ...refused, severity: "high", action: `Called ${nameOf(route)} from another site` };
  if (kind === "RATE_LIMITED")
    return {
      type: "suspicious_activity",
      status: "warning",
      severity: "medium",
      action: `Called ${nameOf(route)} too often`,
      description: answered,
    };
  if (status < 500 || kind === "SHUTTING_DOWN") return null;
  return {
    type: route?.template === "/api/ready" ? "health_check_failed" : "api_call",
    status: "failure",
    severity: passing.has(kind) ? "medium" : "high",
    action: route?.summary ?? `Call ${nameOf(null)}`,
    description: answered,
  };
};

/** Failures that are no fault of the program: they pass by themselves, or a plugin has to be mended. */
const passing: ReadonlySet<ErrorKind> = new Set([
  "BUSY",
  "DB_UNAVAILABLE",
  "PROVIDER_UNAVAILABLE",
  "PLUGIN_ERROR",
  "PLUGIN_UNAVAILABLE",
]);

// What was left with the log before the fault may have been undone with everything else.
const isFault = (failure: ErrorKind | null): boolean => failure !== null && errorStatus[failure] >= 500;

const isForAdmins = ({ access }: Route): boolean => access === "admin" || access === "operator";

const answeredWith = (route: Route | null, kind: ErrorKind): string =>
  `${nameOf(route)} was answered with ${errorStatus[kind]} ${kind}`;

const changesState = ({ method, stateChange }: Route): boolean => method !== "GET" || stateChange !== null;

// What a stranger writes as a path has no place in the log, and would make each call of a flood a row of its own.
const nameOf = (route: Route | null): string =>
  route === null ? "an unknown path" : `${route.method} ${route.template}`;
