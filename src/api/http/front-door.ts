import type { Server } from "bun";
import { limits } from "#contract/limits.ts";
import { type ControlSocket, openControlSocket } from "./control-socket.ts";
import { listenAfterDrain } from "./listen.ts";
import { startingAnswer } from "./starting-answer.ts";

/**
 * The configured address and the operator's socket: opened once, by whoever comes first, and both answering that the server
 * starts until requests are let in.
 */
export type FrontDoor = {
  /** Rejects with `PortInUseError`, or with what the system says when the address or the socket cannot be had. */
  open(): Promise<OpenDoor>;
  /** Ends both for a start that failed; they cannot be opened any more. */
  close(): Promise<void>;
};

type OpenDoor = { listener: Server<undefined>; socket: ControlSocket };

/** Where a server listens. */
type Place = { host: string; port: number; controlSocket: string };

/** Makes a door that is not open yet. */
export const createFrontDoor = ({ host, port, controlSocket }: Place): FrontDoor => {
  let opening: Promise<OpenDoor> | null = null;
  let listener: Server<undefined> | null = null;
  let socket: ControlSocket | null = null;
  let isClosed = false;
  const refuseClosed = () => {
    if (isClosed) throw new Error("the door was closed");
  };
  const openBoth = async (): Promise<OpenDoor> => {
    const found = await listenAfterDrain({
      hostname: host,
      port,
      variable: "PORT",
      maxRequestBodySize: limits.uploadBytes * 2,
      idleTimeout: 15,
      fetch: startingAnswer,
    });
    listener = found;
    if (isClosed) await found.stop(true);
    refuseClosed();
    socket = openControlSocket(controlSocket);
    return { listener, socket };
  };
  return {
    open: async () => {
      refuseClosed();
      opening ??= openBoth();
      return opening;
    },
    close: async () => {
      isClosed = true;
      // First: the lock of the data folder is let go of beside this.
      socket?.remove();
      await Promise.all([listener?.stop(true), socket?.server.stop(true)]);
    },
  };
};
