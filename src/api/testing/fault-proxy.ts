import { createConnection, createServer, type NetConnectOpts, type Socket } from "node:net";

/** A TCP line on loopback to some server. */
export type FaultProxy = {
  port: number;
  /** How many connections were taken. */
  readonly taken: number;
  /** Keeps connections open and accepts new ones, but nothing comes through any more. */
  freeze(): void;
  /** Lets everything through, each answer `delayMs` late. */
  slow(delayMs: number): void;
  /** Breaks all connections, as a router does that forgot them; new ones work. */
  reset(): void;
  /** Breaks all connections and refuses new ones. */
  cut(): void;
  /** Ends what was disturbed: frozen connections break, new ones work. */
  mend(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a line to `target` that can be frozen, slowed down and cut. */
export const startFaultProxy = async (target: NetConnectOpts): Promise<FaultProxy> => {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let lateMs = 0;
  let taken = 0;
  const server = createServer((near) => {
    sockets.add(near);
    taken += 1;
    near.on("error", () => {});
    if (isFrozen) return;
    const far = createConnection(target);
    sockets.add(far);
    far.on("error", () => near.destroy());
    near.on("data", (chunk) => void (isFrozen || far.write(chunk)));
    const answer = (chunk: string | Uint8Array) => void (isFrozen || near.destroyed || near.write(chunk));
    far.on("data", (chunk) => void (lateMs > 0 ? setTimeout(answer, lateMs, chunk) : answer(chunk)));
    near.on("close", () => far.destroy());
    far.on("close", () => void (isFrozen || near.destroy()));
  });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const port = await listen(0);
  const cut = (): void => {
    if (server.listening) server.close();
    dropAll();
  };
  return {
    port,
    get taken() {
      return taken;
    },
    freeze: () => {
      isFrozen = true;
    },
    slow: (delayMs) => {
      lateMs = delayMs;
    },
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy();
      sockets.clear();
    },
    cut,
    mend: async () => {
      isFrozen = false;
      lateMs = 0;
      dropAll();
      if (!server.listening) await listen(port);
    },
    close: async () => cut(),
  };
};
