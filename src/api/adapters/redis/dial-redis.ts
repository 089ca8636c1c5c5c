import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis, RedisOptions } from "ioredis";
import type { RedisTarget } from "#api/core/settings.ts";
import { within } from "#api/core/timing.ts";
import { OutboundError, type Resolver, resolveEachAllowed } from "../outbound/check-address.ts";
import { unlessRefused } from "./redis-failure.ts";

/** How far a connection has come; it failed in the last stage that was told. */
export type DialStage = "address" | "connection" | "authentication";

type DialOptions = {
  /** For everything together. */
  limitMs: number;
  resolver?: Resolver | undefined;
  onStage?: (stage: DialStage) => void;
};

/** Host and port of a Redis URL, without user and password. */
export const redisServer = (url: string): string => {
  const { host, port } = readRedisUrl(url);
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
};

/**
 * Opens one connection that does not come back by itself once it is lost. The name is looked up once, and dialled is the
 * address that was checked; TLS still asks for the name. Throws what Redis, the network or TLS said, or an
 * {@link OutboundError}: see `explainRedisFailure`.
 */
export const dialRedis = async (
  target: RedisTarget,
  { limitMs, resolver, onStage = () => {} }: DialOptions,
): Promise<Redis> => {
  const untilMs = performance.now() + limitMs;
  const { host, ...rest } = optionsFrom(target);
  onStage("address");
  const found = await within(limitMs, resolveEachAllowed(host, resolver));
  const addresses = found.slice(0, mostAddresses);
  const Client = await loadRedis();
  let reason: unknown = new OutboundError("unreachable");
  for (const [index, { address, family }] of addresses.entries()) {
    onStage("connection");
    let isReached = false;
    const onReached = (): void => {
      isReached = true;
      onStage("authentication");
    };
    try {
      const shareMs = (untilMs - performance.now()) / (addresses.length - index);
      return await open(new Client({ ...rest, ...always, host: address, family }), shareMs, onReached);
    } catch (error) {
      // What one address answers, another one of the same server would answer too.
      if (isReached) throw error;
      reason = error;
    }
  }
  throw reason;
};

/** Ends a connection on which more arrives than an honest server has to say; returns the way to stop counting. */
export const boundBytes = ({ stream }: Redis, mostBytes: number): (() => void) => {
  let sizeBytes = 0;
  const count = (chunk: Uint8Array): void => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > mostBytes) stream.destroy(new Error("too much"));
  };
  stream.on("data", count);
  return () => void stream.off("data", count);
};

const open = async (client: Redis, limitMs: number, onReached: () => void): Promise<Redis> => {
  let reason: unknown;
  let unbound: (() => void) | undefined;
  // The promise of `connect` knows of no more than a closed connection; without a listener errors would be printed.
  client.on("error", (error) => {
    reason ??= error;
  });
  client.once("connect", () => {
    unbound = boundBytes(client, mostGreetingBytes);
    onReached();
  });
  try {
    await within(limitMs, client.connect());
    // A database number that does not exist is an event only: commands would go to another database.
    if (reason !== undefined) throw reason;
    unbound?.();
    boundFlow(client);
    return client;
  } catch (error) {
    client.disconnect();
    throw reason ?? error;
  }
};

const mostAddresses = 4;
const mostGreetingBytes = 1_000_000;

/** Commands fail at once instead of waiting for better times: whoever asks has something else to do then. */
const always = {
  lazyConnect: true,
  retryStrategy: null,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  // It asks for INFO, which some users may not; what still loads its data refuses the first script.
  enableReadyCheck: false,
  disableClientInfo: true,
  // A server that answers nothing does not answer the goodbye either.
  disconnectTimeout: 100,
} satisfies RedisOptions;

const optionsFrom = ({ url, password }: RedisTarget) => {
  const { isTls, username, password: inUrl, ...where } = readRedisUrl(url);
  const word = password ?? inUrl;
  // TLS knows servers by name; an address has none to tell.
  const tls = isIP(where.host) > 0 ? {} : { servername: where.host };
  return {
    ...where,
    ...(username === "" ? {} : { username }),
    ...(word === "" ? {} : { password: word }),
    ...(isTls ? { tls } : {}),
  };
};

/** The parts of a Redis URL, decoded; empty where there is none. */
export const readRedisUrl = (text: string) => {
  const url = new URL(text);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1) || 0),
    isTls: url.protocol === "rediss:",
    username: decoded(url.username),
    password: decoded(url.password),
  };
};

/** Percent signs that encode nothing stand for themselves. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * Ends a connection, for as long as it lives, on which far more arrives than what is asked of a server here: within a
 * second, or within one answer, however slowly it comes. Nothing is asked of a quiet one.
 */
const boundFlow = (client: Redis): void => {
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

/**
 * The driver's class. Loaded when it is needed, because it takes longer than most of the start, and most installations
 * need none.
 */
const loadRedis = async (): Promise<typeof Redis> => {
  const [driver, handler] = await Promise.all([import("ioredis"), import("ioredis/built/DataHandler.js")]);
  calmDown(handler.default);
  return driver.Redis;
};

/**
 * The driver throws what it stumbles over in an answer, such as one that no one asked for, into a tick of its own, where
 * no one can catch it: any server that is no Redis could end the process. It ends the connection instead.
 */
const calmDown = (handler: unknown): void => {
  // In the one executable file the module stands where its default export is in the sources.
  const prototype = prototypeOf(handler) ?? prototypeOf(Reflect.get(Object(handler), "default"));
  const fail: unknown = Reflect.get(Object(prototype), "returnFatalError");
  if (prototype === null || typeof fail !== "function")
    throw new Error("the Redis driver is not the one that was expected");
  const failed = new WeakSet<object>();
  Reflect.set(prototype, "dispatch", function (this: object, work: () => void): void {
    if (failed.has(this)) return;
    try {
      work();
    } catch {
      failed.add(this);
      Reflect.apply(fail, this, [new Error("Protocol error")]);
    }
  });
};

const prototypeOf = (handler: unknown): object | null => {
  const prototype: unknown = typeof handler === "function" ? handler.prototype : null;
  return typeof prototype === "object" ? prototype : null;
};
