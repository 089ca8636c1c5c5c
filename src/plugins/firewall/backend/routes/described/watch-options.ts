import type { RouteOptions } from "#plugins/sdk/types.ts";
import { bodySchemas } from "../schemas.ts";
import { minutesData, statusData } from "./rule-shapes.ts";
import { answering, asked, askedNumber, badFields, notThere } from "./shapes.ts";
import { bansData, explainData, journalData, replayData, trafficData } from "./watch-shapes.ts";

type All<Names extends string> = { [name in Names]: RouteOptions };

const page = {
  limit: askedNumber("How many entries: 1 to 500, 50 unless given"),
  offset: askedNumber("How many entries to skip: 0 to 10000"),
};

/** How the overview is described. */
export const statusOptions: RouteOptions = {
  summary: "What the firewall does at this moment",
  description:
    "The switches, how many rules of each kind there are, and how many requests passed and were stopped, on the replica that answers.",
  answers: answering(statusData),
};

/** How the calls for bans are described. */
export const banOptions: All<"list" | "set" | "lift" | "liftAll"> = {
  list: {
    summary: "Addresses that are kept out for a time",
    description:
      "The bans that run, newest first: those that admins set and those that the firewall set by itself.",
    query: {
      type: "object",
      properties: { search: asked("Only bans whose address, reason or author holds this"), ...page },
    },
    answers: answering(bansData, badFields),
  },
  set: {
    summary: "Keep an address out for a time",
    description:
      "Bans one address, or a /64 network of IPv6, for so many minutes, and answers with the bans. It is written to the activity log.",
    body: bodySchemas.ban,
    answers: answering(bansData, {
      ...badFields,
      409: { description: "`OWN_ADDRESS`: it is the address that the caller comes from" },
    }),
  },
  lift: {
    summary: "Lift a ban",
    description: "Lets an address in again before its ban ends. It is written to the activity log.",
    body: bodySchemas.lift,
    answers: answering(bansData, { ...badFields, ...notThere }),
  },
  liftAll: {
    summary: "Lift all bans",
    description: "Lets all banned addresses in again at once. It is written to the activity log.",
    answers: answering(bansData),
  },
};

/** How the calls for the journal are described. */
export const journalOptions: All<"list" | "explain"> = {
  list: {
    summary: "Requests that something spoke against",
    description:
      "What was blocked, limited or noticed on all replicas within 7 days, newest first; the newest 5,000 are kept. Values that may be secret are left out.",
    query: {
      type: "object",
      properties: {
        verdict: asked("`blocked`, `would-block`, `limited` or `noticed`"),
        by: asked(
          "What spoke against it: `address`, `ban`, `country`, `rate`, `pattern`, `obstacle`, `engine`",
        ),
        address: asked("Only requests from exactly this address"),
        search: asked("Only entries that hold this text"),
        before: asked("Only what is older than the entry that the page before named with `next`"),
        limit: askedNumber("How many entries: 1 to 200, 50 unless given"),
      },
    },
    answers: answering(journalData, badFields),
  },
  explain: {
    summary: "Why a request was blocked",
    description:
      "What spoke against one request, in sentences, and what an admin could do if it was a mistake.",
    params: { id: "The request's id, as its answer has it in `x-request-id`" },
    answers: answering(explainData, {
      404: { description: "Nothing is written down about this request, or not any more" },
    }),
  },
};

/** How the calls for live traffic are described. */
export const trafficOptions: All<"rows" | "minutes"> = {
  rows: {
    summary: "Requests as they come, on this replica",
    description:
      "The newest requests, or those after one that is known, oldest first, whatever was made of them.",
    query: {
      type: "object",
      properties: {
        after: askedNumber("Only requests after the one with this number"),
        limit: askedNumber("How many requests: 1 to 500, 100 unless given"),
      },
    },
    answers: answering(trafficData, badFields),
  },
  minutes: {
    summary: "How many requests there were in each minute, on this replica",
    description:
      "One row for each minute, oldest first, with how many passed, were blocked, limited or spared.",
    query: {
      type: "object",
      properties: { hours: askedNumber("Of how many hours: 1 to 24, 24 unless given") },
    },
    answers: answering(minutesData, badFields),
  },
};

const ofReplay = { id: "The replay's id, as its beginning answered it" };

/** How the calls for replays are described. */
export const replayOptions: All<"start" | "get" | "cancel"> = {
  start: {
    summary: "Try rules on the last 24 hours",
    description:
      "Begins to compare a draft with what is in force, on the requests that are kept of the last 24 hours; nothing is changed. What is left out of the draft is as it is now.",
    body: bodySchemas.replay,
    answers: answering(
      replayData,
      {
        ...badFields,
        409: {
          description:
            "`CONFLICT`: another replay runs, or the draft contradicts the rules; `LIMIT_EXCEEDED`: it has more entries than there can be",
        },
      },
      202,
    ),
  },
  get: {
    summary: "How far a replay is, and what it found",
    description:
      "Asked again until its state is no longer `running`. Kept for ten minutes on the replica that runs it.",
    params: ofReplay,
    answers: answering(replayData, notThere),
  },
  cancel: {
    summary: "Cancel a replay",
    description:
      "Ends a replay that runs and answers what it found so far; one that has ended stays as it is.",
    params: ofReplay,
    answers: answering(replayData, notThere),
  },
};
