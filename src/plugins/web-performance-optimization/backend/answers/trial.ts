import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import { type SwitchName, switchNames } from "../wire.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";

/** The header by which a request of the measurement says what is to be on for it alone. */
export const trialHeader = "x-atrium-trial";

/** What is on for one request of the measurement: one switch, or none. */
type TrialChoice = { only: SwitchName | null };

/** Requests that the server makes to itself to measure what switches do. */
export type Trial = {
  readonly isOpen: boolean;
  /** Begins a measurement with a cache of its own; gives the secret that its requests name. */
  open(): string;
  close(): void;
  /** What is on for a request; `null` for everybody else's. */
  choiceOf(request: Pick<ArrivingRequest, "headers">): TrialChoice | null;
  /** Kept answers of the measurement, apart from visitors'. */
  readonly cache: ResponseCache;
};

/** The header's value for one request. */
export const trialValue = (secret: string, only: SwitchName | null): string => `${secret} ${only ?? "none"}`;

const limits = () => ({ ttlMs: 600_000, mostBytes: 64_000_000 });

/** Begins closed. */
export const createTrial = (now: () => number): Trial => {
  let secret: string | null = null;
  let cache = createResponseCache({ now, limits });
  return {
    get isOpen() {
      return secret !== null;
    },
    get cache() {
      return cache;
    },
    open: () => {
      secret = crypto.randomUUID();
      cache = createResponseCache({ now, limits });
      return secret;
    },
    close: () => {
      secret = null;
      cache = createResponseCache({ now, limits });
    },
    choiceOf: ({ headers }) => {
      const value = secret === null ? null : headers.get(trialHeader);
      if (value === null || !value.startsWith(`${secret} `)) return null;
      const named = value.slice(`${secret} `.length);
      return { only: switchNames.find((name) => name === named) ?? null };
    },
  };
};
