import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { Engine } from "./engine.ts";
import { createUnitReader, type Unit } from "./unit-reader.ts";
import {
  errorResponse,
  fromClient,
  fromServer,
  greeting,
  message,
  messagesIn,
  readyForQuery,
  sqlOf,
  txStatus,
} from "./wire-protocol.ts";

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

/** One connection, as the engine's turns see it. */
type EngineClient = {
  send(bytes: Buffer): void;
  /** What it asked and has not been answered. */
  units: Unit[];
  /** Names of its prepared statements. */
  statements: Set<string>;
  /** Its transaction was ended, and it does not know yet, or has not ended it itself. */
  hasLostTransaction: boolean;
};

type EngineTurns = {
  /** Runs `unit` when it is the client's turn; the answer goes to `send`. */
  submit(client: EngineClient, unit: Unit): void;
  /** Ends what a client that is gone has left open in the shared session. */
  forget(client: EngineClient): void;
};

type EngineTurnsOptions = {
  engine: Pick<Engine, "execProtocolRawStream">;
  /** How long a client can keep others waiting with an idle open transaction. */
  idleLimitMs: number;
  /** Every connection hears every notification: LISTEN belongs to the session, and there is only one. */
  broadcast(notification: Buffer, except: EngineClient): void;
  onIdleTransaction(): void;
  /** The engine can no longer be trusted with anything; called once. */
  onBroken(reason: string): void;
};

/**
 * Lets many clients use the one session of the engine. A client keeps it from its first message until the engine
 * reports that no transaction is open, so nothing of another ever gets between.
 */
const createEngineTurns = (options: EngineTurnsOptions): EngineTurns => {
  const queue: EngineClient[] = [];
  let owner: EngineClient | null = null;
  let isScheduled = false;
  let isBroken = false;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;

  const schedule = (): void => {
    if (isScheduled || isBroken || !(owner ?? queue[0])?.units.length) return;
    isScheduled = true;
    // One unit at a time, so that sockets and the watchdog's pings get their turn between two.
    setImmediate(() => void runNext());
  };

  const runNext = async (): Promise<void> => {
    const client = owner ?? queue[0];
    const unit = client?.units.shift();
    if (client && unit) {
      queue.splice(queue.indexOf(client), 1);
      clearTimeout(idleTimer);
      await run(client, unit);
    }
    isScheduled = false;
    schedule();
  };

  const run = async (client: EngineClient, unit: Unit): Promise<void> => {
    if (client.hasLostTransaction) {
      const answer = answerWithoutTransaction(unit);
      client.hasLostTransaction = !answer.isEnded;
      if (answer.bytes) return client.send(answer.bytes);
    }
    const output = await execute(unit.bytes);
    if (!output) return;
    const { status, notifications, isCopying } = readAnswer(output);
    if (isCopying || (status === null && !unit.isUnfinished))
      return fail("the engine gave an incomplete answer");
    owner = status === txStatus.idle ? null : client;
    if (owner) watchIdleness();
    for (const notification of notifications) options.broadcast(notification, client);
    client.send(output);
  };

  const execute = async (bytes: Buffer): Promise<Buffer | null> => {
    const chunks: Buffer[] = [];
    try {
      // Not the variants that return the answer: those keep every row that they ever saw.
      await options.engine.execProtocolRawStream(bytes, {
        syncToFs: false,
        onRawData: (data) => void chunks.push(Buffer.from(data)),
      });
    } catch (error) {
      fail(`the engine threw: ${String(error)}`);
      return null;
    }
    return Buffer.concat(chunks);
  };

  const fail = (reason: string): void => {
    isBroken = true;
    options.onBroken(reason);
  };

  const watchIdleness = (): void => {
    // In two steps: after a pause of this process the first timer fires before what has arrived meanwhile is read.
    idleTimer = setTimeout(() => {
      idleTimer = setTimeout(endIdleTransaction, lastStepMs);
    }, options.idleLimitMs);
  };

  const endIdleTransaction = (): void => {
    const client = owner;
    if (!client || isScheduled) return;
    client.hasLostTransaction = true;
    options.onIdleTransaction();
    cleanUp([sync, rollback]);
  };

  /** Runs next, for no client. */
  const cleanUp = (messages: Buffer[]): void => {
    queue.unshift(janitorWith(messages));
    owner = null;
    schedule();
  };

  return {
    submit: (client, unit) => {
      client.units.push(unit);
      queue.push(client);
      schedule();
    },
    forget: (client) => {
      client.units.length = 0;
      for (let at = queue.indexOf(client); at >= 0; at = queue.indexOf(client)) queue.splice(at, 1);
      const closes = [...client.statements].map((name) => message("C", `S${name}\0`));
      if (owner === client) {
        clearTimeout(idleTimer);
        cleanUp([sync, rollback, ...closes, sync]);
      } else if (closes.length > 0) queue.push(janitorWith([...closes, sync]));
      schedule();
    },
  };
};

const lastStepMs = 100;

const sync = message("S");
const rollback = message("Q", "ROLLBACK\0");

const janitorWith = (messages: Buffer[]): EngineClient => ({
  send: () => {},
  units: [{ bytes: Buffer.concat(messages), isUnfinished: false }],
  statements: new Set(),
  hasLostTransaction: false,
});

const readAnswer = (output: Buffer) => {
  let status: number | null = null;
  let isCopying = false;
  const notifications: Buffer[] = [];
  for (const frame of messagesIn(output)) {
    if (frame[0] === fromServer.ready) status = frame[5] ?? null;
    else if (frame[0] === fromServer.notification) notifications.push(frame);
    else if (frame[0] === fromServer.copyIn) isCopying = true;
  }
  return { status, notifications, isCopying };
};

/** What a client hears, and whether it has thereby left the transaction. `bytes` is `null` when the engine answers. */
type LostTransactionAnswer = { bytes: Buffer | null; isEnded: boolean };

/**
 * Answers a client whose transaction was ended while it was idle, as if the transaction had failed: each statement is
 * refused with the reason until the client ends the transaction. Nothing of it may reach the engine, where it would
 * run, and be committed, alone.
 */
const answerWithoutTransaction = (unit: Unit): LostTransactionAnswer => {
  const statements = [...messagesIn(unit.bytes)].filter(hasSql).map(sqlOf);
  if (unit.isUnfinished) return { bytes: reason, isEnded: false };
  if (statements.some((sql) => /^\s*(?:rollback(?!\s+to\b)|abort)\b/i.test(sql))) {
    return { bytes: null, isEnded: true };
  }
  if (statements.some((sql) => /^\s*(?:commit|end)\b/i.test(sql))) {
    return { bytes: Buffer.concat([reason, readyForQuery(txStatus.idle)]), isEnded: true };
  }
  const failed = readyForQuery(txStatus.failed);
  // A Sync alone follows a Flush that has been answered already.
  const isSync = unit.bytes[0] === fromClient.sync;
  return { bytes: isSync ? failed : Buffer.concat([reason, failed]), isEnded: false };
};

const hasSql = (frame: Buffer): boolean => frame[0] === fromClient.query || frame[0] === fromClient.parse;

/** `idle_in_transaction_session_timeout`, PostgreSQL's own code for this. */
const reason = errorResponse(
  "ERROR",
  "25P03",
  "the transaction was ended because it did nothing for too long; inside a transaction, only the transaction may be used",
);
