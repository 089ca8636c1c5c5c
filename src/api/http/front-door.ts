import type { Server } from "bun";
import { limits } from "#contract/limits.ts";
import { type ControlSocket, openControlSocket } from "./control-socket.ts";
import { quietFaults } from "./quiet-faults.ts";
import { startingAnswer } from "./starting-answer.ts";

/**
 * The configured address and the operator's socket: opened once, by whoever comes first, and both answering that the server
 * starts until requests are let in.
 */
export type FrontDoor = {
  /** Throws what the system says when the address or the socket cannot be had. */
  open(): { listener: Server<undefined>; socket: ControlSocket };
  /** Ends both for a start that failed; they cannot be opened any more. */
  close(): Promise<void>;
};

/** Where a server listens. */
type Place = { host: string; port: number; controlSocket: string };

/** Makes a door that is not open yet. */
export const createFrontDoor = ({ host, port, controlSocket }: Place): FrontDoor => {
  let listener: Server<undefined> | null = null;
  let socket: ControlSocket | null = null;
  let isClosed = false;
  return {
    open: () => {
      if (isClosed) throw new Error("the door was closed");
      listener ??= Bun.serve({
        hostname: host,
        port,
        ...quietFaults,
        maxRequestBodySize: limits.uploadBytes * 2,
        idleTimeout: 15,
        fetch: startingAnswer,
      });
      socket ??= openControlSocket(controlSocket);
      return { listener, socket };
    },
    close: async () => {
      isClosed = true;
      // First: the lock of the data folder is let go of beside this.
      socket?.remove();
      await Promise.all([listener?.stop(true), socket?.server.stop(true)]);
    },
  };
};
