import { cpuUs } from "./processes.ts";

/** What a request cost, in microseconds of CPU time: the server's and the database's. */
export type RequestCost = { serverUs: number; databaseUs: number };

/** Requests to be made: `atOnce` of them are under way at any time. */
export type PacedLoad = {
  serverPid: number;
  databasePids(): number[];
  /** Makes one request and resolves to its status; told how many were made before. */
  send(made: number): Promise<number>;
  requests: number;
  atOnce: number;
};

/**
 * Makes a number of requests and tells what each cost. Processor time says the same on a busy machine as on a quiet one,
 * nearly; how fast answers come does not. Throws when one of them is no success.
 */
export const costOfRequests = async (load: PacedLoad): Promise<RequestCost> => {
  const { serverPid, requests, atOnce, send } = load;
  const databasePids = load.databasePids();
  const before = { server: cpuUs([serverPid]), database: cpuUs(databasePids) };
  let made = 0;
  const work = async (): Promise<void> => {
    while (made < requests) {
      made += 1;
      const status = await send(made);
      if (status >= 300) throw new Error(`a request was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    serverUs: (cpuUs([serverPid]) - before.server) / requests,
    databaseUs: (cpuUs(databasePids) - before.database) / requests,
  };
};
