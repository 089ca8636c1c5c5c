import { Socket } from "node:net";

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
