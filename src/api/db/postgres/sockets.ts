import { Socket } from "node:net";
import postgres from "postgres";
import { within } from "#api/core/timing.ts";

/** Where a connection leads: postgres.js hands over its own options, with one or more hosts. */
type SocketTarget = { path?: string | false; host: string[]; port: number[] };

/** Opens the connections of one or more pools, and can cut them all. */
export type Sockets = {
  /** For postgres.js's option `socket`. */
  open(target: SocketTarget): Promise<Socket>;
  /** How many connections are open. */
  readonly count: number;
  /** Cuts every connection: what waits for an answer fails now. */
  cut(): void;
};

/** What queries fail with while the database is known to be away. */
export const awayCode = "DATABASE_AWAY";

/**
 * Connections that fail immediately while `isAway`: otherwise each waiting query would make its own attempt, in turns of
 * the pool's size, and the last ones would wait for minutes.
 */
export const createSockets = (isAway: () => boolean): Sockets => {
  const opened = new Set<Socket>();
  let attempts = 0;

  const connect = ({ path, host, port }: SocketTarget): Socket => {
    const socket = new Socket();
    if (path) return socket.connect(path);
    const turn = attempts++ % host.length;
    const place = { host: host[turn] ?? "localhost", port: port[turn] ?? 5432 };
    // The name is read when the connection is encrypted, to check the server's certificate.
    return Object.assign(socket, place).connect(place);
  };

  return {
    open: (target) => {
      if (isAway()) return Promise.resolve(failingSocket(failure("the database is away", awayCode)));
      for (const known of opened) if (known.destroyed) opened.delete(known);
      const socket = connect(target);
      opened.add(socket);
      return whenConnected(socket);
    },
    get count() {
      for (const known of opened) if (known.destroyed) opened.delete(known);
      return opened.size;
    },
    cut: () => {
      for (const socket of opened) socket.destroy();
      opened.clear();
    },
  };
};

/** Resolves to `socket` once it is connected, or to one that fails for the same reason. */
const whenConnected = (socket: Socket): Promise<Socket> =>
  new Promise((resolve) => {
    const tooSlow = setTimeout(
      () => socket.destroy(failure("the database did not accept the connection in time", "CONNECT_TIMEOUT")),
      connectLimitMs,
    );
    const settle = (outcome: Socket): void => {
      clearTimeout(tooSlow);
      socket.removeAllListeners();
      // The loser of a race between error and close must not end the process.
      if (outcome !== socket) socket.on("error", () => {});
      resolve(outcome);
    };
    socket.once("connect", () => settle(socket));
    socket.once("error", (error) => settle(failingSocket(error)));
    socket.once("close", () => settle(failingSocket(failure("the connection was cut", awayCode))));
  });

/**
 * The driver counts a connection as failed only by the events of a socket, and it puts its listeners on later: they
 * come when it has.
 */
const failingSocket = (error: Error): Socket => {
  const socket = new Socket();
  setImmediate(() => socket.destroy(error));
  return socket;
};

const failure = (text: string, code: string): Error => Object.assign(new Error(text), { code });

const connectLimitMs = 2000;

/** Hears what is sent to one channel. */
type ChannelListener = { onMessage(payload: string): void; onState(isConnected: boolean): void };

/** One connection of its own, which finds out whether the server answers, and on which notifications arrive. */
type Pulse = {
  /** The server has not answered lately. */
  readonly isAway: boolean;
  /** Resolves when the first attempt to listen has been made. */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>;
  stop(): Promise<void>;
};

/**
 * Checks once a second whether the server responds. A server that is frozen, or behind a broken network, refuses
 * nothing: without this, queries would wait for it without end.
 */
export const startPulse = (url: string, onAway: () => void): Pulse => {
  const channels = new Map<string, ChannelListener>();
  const heard = new Set<string>();
  let isAway = false;
  let isStopped = false;
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let beating: Promise<void> = Promise.resolve();

  const lose = (): void => {
    for (const channel of heard) channels.get(channel)?.onState(false);
    heard.clear();
    heardAtMs = Number.NEGATIVE_INFINITY;
  };
  const sockets = createSockets(() => isStopped);
  const options = {
    socket: sockets.open,
    connection: { application_name: "atrium pulse" },
    max: 1,
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0,
    fetch_types: false,
    onnotice: () => {},
    onclose: lose,
    // Understood by postgres.js, though its types leave it out.
    onnotify: (channel: string, payload: string) => {
      heardAtMs = performance.now();
      channels.get(channel)?.onMessage(payload);
    },
  };
  const sql = postgres(url, options);

  const ask = async (): Promise<void> => {
    for (const [channel, listener] of channels) {
      if (heard.has(channel)) continue;
      await sql.unsafe(`listen ${quoted(channel)}`);
      heard.add(channel);
      listener.onState(true);
    }
    await sql`select 1`;
  };

  const beat = async (): Promise<void> => {
    try {
      await within(answerLimitMs, ask());
      isAway = false;
    } catch (error) {
      // A refusal is an answer, too: the pool will hear its own. So are notifications, of which others can send so many
      // that the answer waits behind them.
      isAway = !(error instanceof postgres.PostgresError) && performance.now() - heardAtMs > answerLimitMs;
      if (isAway && !isStopped) {
        sockets.cut();
        onAway();
      }
    }
    if (!isStopped) timer = setTimeout(() => void beatNow(), isAway ? awayPauseMs : pauseMs);
  };

  /** Lets a beat that is under way end first: there is one timer and one connection. */
  const beatNow = async (): Promise<void> => {
    beating = beating.then(() => {
      clearTimeout(timer);
      return beat();
    });
    await beating;
  };
  void beatNow();

  return {
    get isAway() {
      return isAway;
    },
    listen: async (channel, listener) => {
      channels.set(channel, listener);
      await beatNow();
      return async () => {
        channels.delete(channel);
        if (!heard.delete(channel)) return;
        // Without a connection nothing is heard anyway.
        await sql.unsafe(`unlisten ${quoted(channel)}`).catch(() => {});
      };
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await sql.end({ timeout: 1 });
    },
  };
};

const quoted = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;

const pauseMs = 1000;
const awayPauseMs = 250;
// With the pause before it: less than three seconds from the freeze to the failure of what waits.
const answerLimitMs = 1500;
