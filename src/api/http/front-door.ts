import type { Server } from "bun";
import { limits } from "#contract/limits.ts";
import { quietFaults } from "./quiet-faults.ts";
import { startingAnswer } from "./starting-answer.ts";

/** The configured address: opened once, by whoever comes first, and answering that the server starts until reloaded. */
export type FrontDoor = {
  /** Throws what the system says when the address cannot be had. */
  open(): Server<undefined>;
  /** Ends it for a start that failed; it cannot be opened any more. */
  close(): Promise<void>;
};

/** Makes a door that is not open yet. */
export const createFrontDoor = ({ host, port }: { host: string; port: number }): FrontDoor => {
  let listener: Server<undefined> | null = null;
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
      return listener;
    },
    close: async () => {
      isClosed = true;
      await listener?.stop(true);
    },
  };
};
