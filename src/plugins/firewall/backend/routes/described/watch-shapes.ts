import type { Json } from "#plugins/sdk/types.ts";
import { proposals } from "./rule-shapes.ts";
import { flag, list, moment, object, orNull, pagination, text, whole, word } from "./shapes.ts";

export const bansData: Json = object({
  bans: list(
    object({
      address: text("198.51.100.7"),
      reason: text("20 requests blocked within 10 minutes"),
      author: { type: "string", description: "Empty for automatic bans" },
      since: moment,
      until: moment,
      times: whole(1),
      hits: whole(4),
    }),
  ),
  pagination,
});

const entry: Json = object(
  {
    id: text("0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10"),
    at: moment,
    verdict: word("blocked", "would-block", "limited", "noticed"),
    address: text("198.51.100.7"),
    country: orNull(text("FR")),
    method: text("GET"),
    path: text("/api/search"),
    query: { type: "string", description: "Without values that may be secret" },
    userAgent: text("curl/8.9"),
    user: orNull(object({ id: text("0198c2f4"), name: text("Ada Lovelace"), role: text("admin") })),
    score: whole(5),
    threshold: whole(5),
    reasons: list(
      object({
        by: word("address", "ban", "country", "rate", "pattern", "obstacle", "engine"),
        rule: text("101"),
        text: text("A query that always holds"),
        score: whole(5),
        place: word("query", "path", "header", "cookie", "body", ""),
        name: text("q"),
        excerpt: { type: "string", description: "Never from cookies, credentials or passwords" },
      }),
    ),
    status: whole(403),
    replica: text("atrium-1"),
  },
  { teaches: { ...flag, description: "Whether an exemption may be proposed from it" } },
);

export const journalData: Json = object({
  entries: list(entry),
  next: { type: ["string", "null"], description: "The value of `before` for the next page" },
});

export const explainData: Json = object({
  entry,
  sentences: list(text("This request was blocked.")),
  remedies: list(text("Disable pattern 101.")),
});

export const trafficData: Json = object({
  rows: list(
    object({
      number: whole(812),
      id: text("0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10"),
      at: moment,
      verdict: word("passed", "blocked", "would-block", "limited", "noticed"),
      address: text("203.0.113.7"),
      country: orNull(text("DE")),
      method: text("GET"),
      path: text("/"),
      user: orNull(text("Ada Lovelace")),
      role: word("visitor", "user", "admin"),
      status: whole(200),
      durationMs: { type: "number", examples: [1.2] },
      reasons: list(text("A query that always holds")),
    }),
  ),
  cursor: {
    type: "string",
    examples: ["a1b2:812"],
    description: "The value of `after` for the following requests",
  },
  last: {
    type: "integer",
    examples: [812],
    description:
      "The newest number of the server that answers; as `after` it asks for the requests of that server alone",
  },
  replica: text("atrium-1"),
  missed: whole(0),
  isWatching: flag,
});

export const replayData: Json = object({
  id: text("5f0c3f0e-6d0b-4d7e-9d0f-2f3a4b5c6d7e"),
  state: word("running", "done", "cancelled", "failed"),
  ...{ looked: whole(120), kept: whole(5_000), seen: whole(5_000), since: orNull(moment) },
  ...{ blockedNow: whole(3), blockedByDraft: whole(4), newlyBlocked: whole(1), newlyPassed: whole(0) },
  byAdmins: whole(0),
  rows: list(
    object({
      id: text("0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10"),
      at: moment,
      method: text("GET"),
      path: text("/api/search"),
      query: { type: "string" },
      address: text("198.51.100.7"),
      country: orNull(text("FR")),
      role: word("visitor", "user", "admin"),
      user: orNull(text("Ada Lovelace")),
      isOwn: flag,
      reasons: list(text("The IP address is denied")),
    }),
  ),
  proposals,
  notes: list(text("Bans are not simulated.")),
});
