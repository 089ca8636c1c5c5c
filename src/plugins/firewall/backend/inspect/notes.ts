import type { ArrivingRequest, Outcome } from "#plugins/sdk/native-types.ts";
import type { Principal } from "#plugins/sdk/types.ts";
import type { Reason, Verdict } from "../wire.ts";
import { cleanVerdict, type PatternVerdict } from "./judge-patterns.ts";

/** What was found of a request on its way. */
export type Note = {
  verdict: Verdict;
  reasons: Reason[];
  patterns: PatternVerdict;
  /** Whether the body is to be looked through. */
  wantsBody: boolean;
  /** It would have been stopped, had it not been an admin's. */
  isSpared: boolean;
  /** Nobody elsewhere can have started it: see `JournalEntry.teaches`. */
  teaches: boolean;
  admin: Principal | null;
};

/** Everything about a request that is over. */
export type Finished = { request: ArrivingRequest; note: Note; outcome: Outcome; atMs: number };

/** Notes of requests on their way: they go with the requests. */
export const createNotes = () => {
  const notes = new WeakMap<ArrivingRequest, Note>();
  return {
    of: (request: ArrivingRequest): Note => {
      const known = notes.get(request);
      if (known !== undefined) return known;
      const note: Note = {
        verdict: "passed",
        reasons: [],
        patterns: cleanVerdict,
        wantsBody: false,
        isSpared: false,
        teaches: false,
        admin: null,
      };
      notes.set(request, note);
      return note;
    },
  };
};
