import { Socket } from "node:net";

/** Where a connection leads: postgres.js hands over its own options, with one or more hosts. */
export type SocketTarget = { path?: string | false; host: string[]; port: number[] };

/** Opens the connections of one or more pools, and can cut them all. */
export type Sockets = {
  /** For postgres.js's option `socket`. */
  open(target: SocketTarget): Socket;
  /** Cuts every connection: what waits for an answer fails now. */
  cut(): void;
};

/** What queries fail with while the database is known to be away. */
export const awayCode = "DATABASE_AWAY";

/**
 * Connections that fail at once while `isAway`: otherwise each waiting query would make its own attempt, in turns of
 * the pool's size, and the last ones would wait for minutes.
 */
export const createSockets = (isAway: () => boolean): Sockets => {
  const opened = new Set<Socket>();
  let attempts = 0;
  return {
    open: ({ path, host, port }) => {
      const socket = new Socket();
      if (isAway()) {
        // Later, because the pool has not put its listeners on yet.
        setImmediate(() => socket.destroy(awayError()));
        return socket;
      }
      for (const known of opened) if (known.destroyed) opened.delete(known);
      opened.add(socket);
      if (path) return socket.connect(path);
      const turn = attempts++ % host.length;
      const place = { host: host[turn] ?? "localhost", port: port[turn] ?? 5432 };
      // The name is read when the connection is encrypted, to check the server's certificate.
      return Object.assign(socket, place).connect(place);
    },
    cut: () => {
      for (const socket of opened) socket.destroy();
      opened.clear();
    },
  };
};

const awayError = (): Error => Object.assign(new Error("the database is away"), { code: awayCode });
