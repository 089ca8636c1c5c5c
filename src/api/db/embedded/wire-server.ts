import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { Engine } from "./engine.ts";
import { createEngineTurns, type EngineClient } from "./engine-turns.ts";
import { createUnitReader } from "./unit-reader.ts";
import { errorResponse, greeting } from "./wire-protocol.ts";

/** The running server. */
export type WireServer = {
  /** Takes no more connections and ends those that are open. What the engine runs at that moment is not answered. */
  close(): Promise<void>;
};

export type WireServerOptions = {
  engine: Pick<Engine, "execProtocolRawStream">;
  /** As reported to clients. */
  serverVersion: string;
  /** At most 107 bytes. A socket that a dead process has left there is replaced. */
  socketPath: string;
  idleLimitMs: number;
  onIdleTransaction(): void;
  /** The clients know; the process should end. */
  onBroken(reason: string): void;
};

/** Speaks the PostgreSQL protocol in front of the engine, on a socket that only the owner may open. */
export const serveWire = async (options: WireServerOptions): Promise<WireServer> => {
  const connections = new Map<EngineClient, Socket>();
  let connectionCount = 0;

  const endAll = (code: string, text: string): void => {
    for (const socket of connections.values()) socket.end(errorResponse("FATAL", code, text));
  };

  const turns = createEngineTurns({
    engine: options.engine,
    idleLimitMs: options.idleLimitMs,
    onIdleTransaction: options.onIdleTransaction,
    broadcast: (notification, except) => {
      for (const client of connections.keys()) if (client !== except) client.send(notification);
    },
    onBroken: (reason) => {
      endAll("57P02", "the embedded database failed and is being restarted");
      options.onBroken(reason);
    },
  });

  const server = createServer((socket) => {
    connectionCount += 1;
    const id = connectionCount;
    const client: EngineClient = {
      send: (bytes) => void socket.write(bytes),
      units: [],
      statements: new Set(),
      hasLostTransaction: false,
    };
    connections.set(client, socket);
    const forget = (): void => {
      if (connections.delete(client)) turns.forget(client);
    };
    const read = createUnitReader({
      onEncryptionRequest: () => void socket.write("N"),
      onStartup: () => void socket.write(greeting(options.serverVersion, id)),
      onUnit: (unit) => turns.submit(client, unit),
      onStatement: (name) => client.statements.add(name),
      onEnd: () => void socket.end(),
    });
    socket.on("data", (chunk) => read(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
    socket.on("close", forget);
    // An error is followed by `close`; without a listener it would end the process.
    socket.on("error", forget);
  });

  await listenPrivately(server, options.socketPath);
  return {
    close: () => {
      endAll("57P01", "the embedded database is being closed");
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

const listenPrivately = async (server: ReturnType<typeof createServer>, path: string): Promise<void> => {
  rmSync(path, { force: true });
  // Narrowing the mode afterwards alone would leave a moment in which others could connect.
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
  } finally {
    process.umask(umask);
  }
};
