import { createConnection, type Socket } from "node:net";
import { connect } from "node:tls";
import type { Redis } from "ioredis";
import type { ConnectionReport, RedisTarget } from "#api/core/settings.ts";
import { within } from "#api/core/timing.ts";
import { settingsTexts, type TestStep } from "#contract/settings.ts";
import { OutboundError, outboundFaults, type Resolver, resolveAllowed } from "../outbound/check-address.ts";
import { boundBytes, type DialStage, dialRedis, readRedisUrl, redisServer } from "./dial-redis.ts";
import { type Finding, mayGoOn, type RedisFacts, redisChecks } from "./redis-checks.ts";
import { explainRedisFailure, isRefusal, remedyForRedis } from "./redis-failure.ts";

/**
 * What the checks of a Redis server found. `failure` says in a clause why it cannot be used, `null` that it can; `warnings`
 * are clauses too.
 */
type CheckedRedis = RedisFacts & {
  server: string;
  steps: TestStep[];
  failure: string | null;
  warnings: string[];
};

type RedisCheckOptions = {
  /** For everything together. */
  limitMs?: number;
  /** Tests bring their own. */
  resolver?: Resolver | undefined;
};

/**
 * Connects as the server itself does, tries what Atrium will ask for, and hangs up; what is written is deleted. Takes no
 * longer than `limitMs` (5 s), whatever answers, and repeats nothing of what it says. Never throws.
 */
const runRedisChecks = async (
  target: RedisTarget,
  { limitMs = 5_000, resolver }: RedisCheckOptions = {},
): Promise<CheckedRedis> => {
  const untilMs = performance.now() + limitMs * (1 - marginShare);
  const leftMs = (): number => Math.max(1, untilMs - performance.now());
  const facts: RedisFacts = { version: null, latencyMs: null };
  const { steps, client, failure } = await dial(target, leftMs, resolver);
  const checked = client === null ? null : await checkAll(client, facts, leftMs);
  client?.disconnect();
  const done = [...steps, ...(checked?.steps ?? [])];
  return {
    ...facts,
    server: redisServer(target.url),
    failure: failure ?? checked?.failure ?? null,
    warnings: checked?.warnings ?? [],
    steps: [...done, ...allNames.slice(done.length).map(notReached)],
  };
};

type Dialled = { steps: TestStep[]; client: Redis | null; failure: string | null };

const dial = async (
  target: RedisTarget,
  leftMs: () => number,
  resolver: Resolver | undefined,
): Promise<Dialled> => {
  const steps: TestStep[] = [];
  const at: { stage: DialStage; startedAt: number } = { stage: "address", startedAt: performance.now() };
  const end = (finding: Finding): void =>
    void steps.push(stepOf(stages[at.stage].name, at.startedAt, finding));
  const pass = (): void => end({ status: "passed", message: stages[at.stage].passed });
  const onStage = (next: DialStage): void => {
    if (next === at.stage) return;
    pass();
    at.stage = next;
    at.startedAt = performance.now();
  };
  try {
    const client = await dialRedis(target, { limitMs: leftMs() * dialShare, resolver, onStage });
    boundBytes(client, mostBytes);
    pass();
    return { steps, client, failure: null };
  } catch (error) {
    const guess = await guessProtocol(target, { error, limitMs: leftMs() / 2, resolver });
    if (guess === null) {
      end(failureOf(error));
      return { steps, client: null, failure: explainRedisFailure(error) };
    }
    // It was reached, but not by the protocol that it speaks.
    if (at.stage === "authentication") steps.pop();
    at.stage = "connection";
    end({ status: "failed", message: guess.cause, remedy: guess.remedy });
    return { steps, client: null, failure: guess.cause };
  }
};

const checkAll = async (
  client: Redis,
  facts: RedisFacts,
  leftMs: () => number,
): Promise<Pick<CheckedRedis, "steps" | "failure" | "warnings">> => {
  const steps: TestStep[] = [];
  const warnings: string[] = [];
  let failure: string | null = null;
  for (const { name, run } of redisChecks) {
    const startedAt = performance.now();
    try {
      const finding = await within(leftMs(), run(client, facts));
      steps.push(stepOf(name, startedAt, finding));
      if (finding.status === "warning") warnings.push(finding.message);
      if (finding.status === "failed") failure ??= finding.message;
    } catch (error) {
      steps.push(stepOf(name, startedAt, failureOf(error)));
      failure ??= explainRedisFailure(error);
      if (!mayGoOn(error)) break;
    }
  }
  return { steps, failure, warnings };
};

const stages = {
  address: { name: "Address", passed: "Connections to the address are allowed" },
  connection: { name: "Connection", passed: "The server was reached" },
  authentication: { name: "Authentication", passed: "The server accepted the sign-in" },
} satisfies Record<DialStage, { name: string; passed: string }>;

const allNames = [...Object.values(stages), ...redisChecks].map(({ name }) => name);

const stepOf = (name: string, startedAt: number, { status, message, remedy }: Finding): TestStep => ({
  name,
  status,
  message: message === settingsTexts.addressRefused ? message : sentence(message),
  ...(remedy === undefined ? {} : { remedy: sentence(remedy) }),
  durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
});

const notReached = (name: string): TestStep => ({
  name,
  status: "skipped",
  message: "Not tried: an earlier step failed.",
});

const failureOf = (error: unknown): Finding => {
  if (error instanceof OutboundError && error.fault === "refused")
    return { status: "failed", message: settingsTexts.addressRefused };
  const remedy = remedyForRedis(error);
  return {
    status: "failed",
    message: explainRedisFailure(error),
    ...(remedy === undefined ? {} : { remedy }),
  };
};

/** A clause as a sentence of its own. */
const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

// What is left of the limit for hanging up and for a busy machine.
const marginShare = 0.08;
const dialShare = 0.6;
const mostBytes = 1_000_000;

/** The connection test of the settings: tries a Redis server within `limitMs` (5 s), reports each step, throws nothing. */
export const testRedisConnection = async (
  target: RedisTarget,
  options?: RedisCheckOptions,
): Promise<ConnectionReport> => {
  const { server, steps, failure, version, latencyMs } = await runRedisChecks(target, options);
  if (failure === outboundFaults.refused)
    return { isWorking: false, summary: settingsTexts.addressRefused, details: "", steps };
  if (failure !== null)
    return {
      isWorking: false,
      summary: `${server} can't be used: ${failure}.`,
      details: steps.find(({ status }) => status === "failed")?.remedy ?? "",
      steps,
    };
  const facts = [version && `Redis ${version}`, latencyMs !== null && `${latencyMs.toFixed(1)} ms`]
    .filter(Boolean)
    .join(", ");
  const warnings = steps.filter(({ status }) => status === "warning");
  return {
    isWorking: true,
    summary: `${server} can be used.`,
    details: [...(facts === "" ? [] : [`${facts}.`]), ...warnings.map(({ message }) => message)].join(" "),
    steps,
  };
};

/** What a Redis server says of itself, or why it cannot be used. `server` is its host and port. */
export type RedisReport =
  | { server: string; isUsable: true; version: string | null; latencyMs: number | null; warnings: string[] }
  | { server: string; isUsable: false; reason: string };

/** What `atrium doctor` is told of a server: tried as in the connection test of the settings, within `limitMs` in all. */
export const inspectRedis = async (target: RedisTarget, limitMs = 5_000): Promise<RedisReport> => {
  const { server, failure, warnings, version, latencyMs } = await runRedisChecks(target, { limitMs });
  if (failure !== null) return { server, isUsable: false, reason: failure };
  return { server, isUsable: true, version, latencyMs, warnings };
};

type GuessOptions = { error: unknown; limitMs: number; resolver: Resolver | undefined };

/**
 * Whether a connection failed because one side spoke TLS and the other did not; `null` when that is not it. No word of
 * the target's is sent.
 */
const guessProtocol = async (
  { url }: RedisTarget,
  { error, limitMs, resolver }: GuessOptions,
): Promise<{ cause: string; remedy: string } | null> => {
  if (isClear(error)) return null;
  const { host, port, isTls } = readRedisUrl(url);
  try {
    const { address } = await within(limitMs / 2, resolveAllowed(host, resolver));
    if (isTls) return (await speaksPlainRedis(address, port, limitMs / 2)) ? plain : null;
    return (await speaksTls(address, port, limitMs / 2)) ? tls : null;
  } catch {
    // The first failure says more.
    return null;
  }
};

const plain = {
  cause: "it responds, but without TLS",
  remedy: "Use redis:// instead of rediss://, or the server's TLS port",
};
const tls = { cause: "it requires TLS", remedy: "Use rediss:// instead of redis://" };

/** Failures that cannot come from the wrong protocol: of names, networks and certificates, and answers of Redis. */
const isClear = (error: unknown): boolean =>
  isRefusal(error) ||
  error instanceof OutboundError ||
  /^(?:ENOTFOUND|EAI_|DNS_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|.*(?:CERT|SELF_SIGNED|UNABLE_TO_))/.test(
    String(Reflect.get(Object(error), "code") ?? ""),
  );

const speaksPlainRedis = (host: string, port: number, limitMs: number): Promise<boolean> => {
  const socket = createConnection({ host, port });
  return ask(socket, limitMs, (decide) => {
    socket.once("connect", () => void socket.write("PING\r\n"));
    socket.once("data", (chunk) =>
      decide(/^(?:\+PONG|-NOAUTH|-ERR|-DENIED|-LOADING|-MASTERDOWN)/.test(String(chunk).slice(0, 20))),
    );
  });
};

const speaksTls = (host: string, port: number, limitMs: number): Promise<boolean> => {
  // Nothing is told to whoever is at the other end, so that it may be anyone.
  const socket = connect({ host, port, rejectUnauthorized: false });
  return ask(socket, limitMs, (decide) => void socket.once("secureConnect", () => decide(true)));
};

const ask = (
  socket: Socket,
  limitMs: number,
  listen: (decide: (answer: boolean) => void) => void,
): Promise<boolean> =>
  new Promise((resolve) => {
    const decide = (answer: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => decide(false), limitMs);
    socket.on("error", () => decide(false));
    socket.once("close", () => decide(false));
    listen(decide);
  });
