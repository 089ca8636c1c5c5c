import { createConnection, type Socket } from "node:net";
import { connect } from "node:tls";
import type { RedisTarget } from "#api/core/settings.ts";
import { within } from "#api/core/timing.ts";
import { OutboundError, type Resolver, resolveAllowed } from "../outbound/check-address.ts";
import { readRedisUrl } from "./dial-redis.ts";
import { isRefusal } from "./redis-failure.ts";

export type GuessOptions = { error: unknown; limitMs: number; resolver: Resolver | undefined };

/**
 * Whether a connection failed because one side spoke TLS and the other did not; `null` when that is not it. No word of
 * the target's is sent.
 */
export const guessProtocol = async (
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
