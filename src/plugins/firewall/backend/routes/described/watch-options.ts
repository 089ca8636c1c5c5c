import type { RouteOptions } from "#plugins/sdk/types.ts";
import { banInput, liftInput, replayInput } from "../../wire/rules.ts";
import {
  bansData,
  explainData,
  journalData,
  minutesData,
  replayData,
  statusData,
  trafficData,
} from "../../wire/watch.ts";
import { answering, asked, askedNumber, badFields, notThere } from "./shapes.ts";

type All<Names extends string> = { [name in Names]: RouteOptions };

const page = {
  limit: askedNumber("How many entries: 1 to 500, 50 unless given"),
  offset: askedNumber("How many entries to skip: 0 to 10000"),
};

/** How the overview is described. */
export const statusOptions: RouteOptions = {
  summary: "The firewall's status",
  description:
    "The switches, the number of rules of each kind, and the number of allowed and blocked requests on all servers.",
  answers: answering(statusData),
};

/** How the calls for bans are described. */
export const banOptions: All<"list" | "set" | "lift" | "liftAll"> = {
  list: {
    summary: "Banned IP addresses",
    description: "The current bans, newest first, both by admins and automatic ones.",
    query: {
      type: "object",
      properties: { search: asked("Only bans whose address, reason or author holds this"), ...page },
    },
    answers: answering(bansData, badFields),
  },
  set: {
    summary: "Ban an IP address",
    description:
      "Bans an IPv4 address or an IPv6 /64 network for a number of minutes, and returns the bans. The ban is recorded in the activity log.",
    body: banInput,
    answers: answering(bansData, {
      ...badFields,
      409: { description: "`OWN_ADDRESS`: it is the caller's own IP address" },
    }),
  },
  lift: {
    summary: "Lift a ban",
    description: "Lifts the ban of an IP address before it ends. The change is recorded in the activity log.",
    body: liftInput,
    answers: answering(bansData, { ...badFields, ...notThere }),
  },
  liftAll: {
    summary: "Lift all bans",
    description: "Lifts all bans immediately. The change is recorded in the activity log.",
    answers: answering(bansData),
  },
};

/** How the calls for the journal are described. */
export const journalOptions: All<"list" | "explain"> = {
  list: {
    summary: "Blocked and logged requests",
    description:
      "Requests that were blocked, rate limited or logged on any replica within 7 days, newest first; the newest 5,000 are kept. Values that may be secret are omitted.",
    query: {
      type: "object",
      properties: {
        verdict: asked("`blocked`, `would-block`, `limited` or `noticed`"),
        by: asked("What matched: `address`, `ban`, `country`, `rate`, `pattern`, `obstacle`, `engine`"),
        address: asked("Only requests from exactly this IP address"),
        search: asked("Only entries that contain this text"),
        before: asked("Only older entries: the value of `next` on the previous page"),
        limit: askedNumber("Number of entries: 1 to 200, 50 by default"),
      },
    },
    answers: answering(journalData, badFields),
  },
  explain: {
    summary: "Why a request was blocked",
    description: "What matched in the request, in sentences, and what to do if it was a mistake.",
    params: { id: "The request's ID, from the response header `x-request-id`" },
    answers: answering(explainData, {
      404: { description: "There is no log entry for this request, or it has been deleted" },
    }),
  },
};

/** How the calls for live traffic are described. */
export const trafficOptions: All<"rows" | "minutes"> = {
  rows: {
    summary: "Live requests",
    description:
      "The newest requests on all servers, or those after the last ones, oldest first, with any verdict.",
    query: {
      type: "object",
      properties: {
        after: asked("Only requests after these: the value of `cursor` in the previous response"),
        limit: askedNumber("Number of requests: 1 to 500, 100 by default"),
      },
    },
    answers: answering(trafficData, badFields),
  },
  minutes: {
    summary: "Requests per minute",
    description:
      "One row per minute, oldest first, with the number of requests allowed, blocked, rate limited and exempt on all servers.",
    query: {
      type: "object",
      properties: { hours: askedNumber("Number of hours: 1 to 24, 24 by default") },
    },
    answers: answering(minutesData, badFields),
  },
};

const ofReplay = { id: "The replay's ID, from the response that started it" };

/** How the calls for replays are described. */
export const replayOptions: All<"start" | "get" | "cancel"> = {
  start: {
    summary: "Test rules on the last 24 hours",
    description:
      "Starts a comparison of a draft with the active rules, on the stored requests of the last 24 hours; nothing is changed. Whatever the draft omits stays as it is.",
    proof: "none",
    body: replayInput,
    answers: answering(
      replayData,
      {
        ...badFields,
        409: {
          description:
            "`CONFLICT`: another replay runs, or the draft contradicts the rules; `LIMIT_EXCEEDED`: it has too many entries",
        },
      },
      202,
    ),
  },
  get: {
    summary: "Progress and results of a replay",
    description:
      "Poll until the state is no longer `running`. Any server answers; the results are kept for ten minutes.",
    params: ofReplay,
    answers: answering(replayData, notThere),
  },
  cancel: {
    summary: "Cancel a replay",
    description: "Cancels a running replay and returns its results so far; a finished replay is unchanged.",
    proof: "none",
    params: ofReplay,
    answers: answering(replayData, notThere),
  },
};
