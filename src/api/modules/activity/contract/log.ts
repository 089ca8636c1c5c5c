import type { Kit } from "#api/modules/kit.ts";
import { activityTexts, cleanupDays } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import { operation, outOption } from "#contract/operation.ts";
import { activityFilters, before, filterOptions, forAdmins } from "./parts.ts";

const age = {
  minimum: cleanupDays.least,
  maximum: cleanupDays.most,
  error: activityTexts.daysOutOfBounds,
} as const;

const retention = (kit: Kit) => kit.exact({ days: kit.nullable(kit.whole(age), age) });

const rowMark = (kit: Kit, description: string) =>
  kit.object(
    { id: kit.integer(), hash: kit.text({ description: "SHA-256 in hexadecimal" }) },
    { description },
  );

const sampleMark = `1234:${"3f".repeat(32)}`;

/** Operations on the log as a whole: export, verification and retention. */
export const logContract = {
  export: operation("GET /api/admin/activity/export", {
    ...forAdmins,
    proof: "recent",
    responds: "file",
    schemas: (kit) => ({
      query: kit.exact({
        ...activityFilters(kit),
        format: kit.choice(["csv", "ndjson"], { default: "csv", error: "Please choose csv or ndjson" }),
        limit: kit.wholeNumber({
          minimum: 1,
          maximum: limits.exportRows,
          default: limits.exportRows,
          error: `Please ask for 1 to ${limits.exportRows} rows`,
        }),
        before: before(kit),
      }),
      answer: kit.file("text/csv", "The export; with `format=ndjson` as application/x-ndjson"),
    }),
    summary: "Export activities",
    description:
      "The newest matching activities, at most 10,000, as CSV (RFC 4180) or as one JSON object per " +
      "line. Each record is one line and begins with the id: pass the last id as `before` to get the " +
      "older ones. In CSV, a text that a spreadsheet would run as a formula gets a leading apostrophe. " +
      "A search for fewer than three letters or digits only looks at the newest 10,000 activities; the " +
      "header `x-atrium-searched-newest` then says so. The export itself is recorded.",
    example: { format: "ndjson", limit: "10", before: "1000000" },
    commands: [
      {
        name: "export",
        action: "Export activities",
        summary: "export activities as CSV or NDJSON",
        description:
          "Writes the newest 10,000 matching activities, or all of them with --all, newest first, to " +
          "standard output or to a file that only its owner can read. In CSV, a text that a " +
          "spreadsheet would run as a formula gets a leading apostrophe; NDJSON is one JSON object per " +
          "line.",
        options: [
          ...filterOptions,
          {
            ...{ name: "format", value: "format", values: ["csv", "ndjson"], initial: "csv" },
            summary: "format of the file",
          },
          outOption,
          {
            ...{ name: "all", type: "boolean", isOwn: true },
            summary:
              "all matching activities instead of the newest 10,000; not with a --search of one or two " +
              "letters",
          },
        ],
        examples: [
          {
            summary: "The important ones of the last week, for a spreadsheet",
            typed: "atrium activity export --since 7d --severity high,critical --out activity.csv",
          },
          {
            summary: "A whole month",
            typed: "atrium activity export --all --since 2026-10-01 --until 2026-10-31 --out october.csv",
          },
          {
            summary: "To another program",
            typed: "atrium activity export --format ndjson --all | jq -r .userEmail | sort | uniq -c",
          },
        ],
      },
    ],
  }),
  verify: operation("GET /api/admin/activity/verify", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({
      query: kit.exact({
        after: kit.wholeNumber({
          minimum: 0,
          maximum: limits.activityId,
          default: 0,
          error: "Please give the id of an activity, or 0",
        }),
        limit: kit.wholeNumber({
          minimum: 1,
          maximum: limits.verifiedRows,
          default: limits.verifiedRows,
          error: `Please ask for 1 to ${limits.verifiedRows} rows`,
        }),
      }),
      answer: kit.object({
        checked: kit.integer({ description: "How many activities were verified" }),
        through: kit.integer({ description: "Id of the last one" }),
        throughHash: kit.text({ description: "Its hash" }),
        isComplete: kit.flag({ description: "Whether the end of the log was reached" }),
        head: rowMark(kit, "The newest activity"),
        anchor: rowMark(kit, "The newest activity that was cleaned up; id 0 if none was"),
        fault: kit.nullable(
          kit.object({ id: kit.integer(), problem: kit.text() }, { description: "The first one found" }),
        ),
      }),
    }),
    summary: "Verify that the activity log is unaltered",
    description:
      "Recomputes the hashes of the activities after `after` and compares them. Continue with " +
      "`through` as `after` until `isComplete`. At the end of the log, its seal, its beginning and its " +
      "counts are checked too.",
    example: { after: "0", limit: "50" },
    commands: [
      {
        name: "verify",
        action: "Verify the log",
        summary: "verify that the log was not altered",
        description:
          "Reads the whole log and verifies its chain: each activity carries a hash of itself and the " +
          "one before. Prints the head of the chain as NUMBER:HASH. Keep it somewhere else: with " +
          "--expect you can verify later that everything up to it is unchanged, even if someone has " +
          "the key. Exits with 1 if something is wrong.",
        options: [
          {
            ...{ name: "expect", value: "mark" },
            summary: "a head that was printed earlier, as NUMBER:HASH",
          },
        ],
        examples: [
          { summary: "Verify the log", typed: "atrium activity verify" },
          {
            summary: "Only the head, to keep elsewhere",
            typed: "atrium activity verify --json | jq -r '\"\\(.head.id):\\(.head.hash)\"'",
          },
          {
            summary: "Verify that everything up to a head is unchanged",
            typed: `atrium activity verify --expect ${sampleMark}`,
          },
        ],
      },
    ],
    tool: {
      name: "verify_activity",
      title: "Verify the activity log",
      description:
        "Checks the log's chain of hashes for rows that were altered or removed. Takes a while on a " +
        "long log.",
    },
  }),
  retention: operation("GET /api/admin/activity/retention", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({ answer: retention(kit) }),
    names: { "200.data": "ActivityRetention" },
    summary: "How long activities are kept",
    description: "In whole days; older activities are removed once a day. `null`: all are kept.",
    commands: [
      {
        name: "retention show",
        action: "Show how long activities are kept",
        summary: "show how long",
        description:
          "Shows for how many days activities are kept, or that they are kept until someone removes them.",
        examples: [
          { summary: "As text", typed: "atrium activity retention show" },
          {
            summary: "Only the number of days, for a script",
            typed: "atrium activity retention show --json | jq .days",
          },
        ],
      },
    ],
  }),
  setRetention: operation("PUT /api/admin/activity/retention", {
    ...forAdmins,
    tokens: false,
    proof: "factor",
    changes: true,
    isRepeatable: true,
    responds: "message",
    schemas: (kit) => ({ body: retention(kit), answer: retention(kit) }),
    summary: "Set how long activities are kept",
    description: "Older activities are then removed once a day; `null` keeps all.",
    example: { days: 365 },
    commands: [
      {
        name: "retention set",
        action: "Set how long activities are kept",
        summary: "set how long",
        description:
          "Sets after how many days the server removes activities automatically; off keeps all of " +
          "them. Asks for confirmation first if activities would be removed, and says how many are " +
          "that old already.",
        arguments: [
          { name: "days", summary: `${cleanupDays.least} to ${cleanupDays.most}, or off to keep all` },
        ],
        examples: [
          { summary: "A year", typed: "atrium activity retention set 365" },
          { summary: "Keep everything until someone removes it", typed: "atrium activity retention set off" },
          { summary: "In a script", typed: "atrium activity retention set 90 --yes" },
        ],
      },
    ],
  }),
  cleanup: operation("DELETE /api/admin/activity/cleanup", {
    ...forAdmins,
    tokens: false,
    proof: "factor",
    changes: true,
    mayTakeLong: true,
    responds: "fields",
    schemas: (kit) => ({
      query: kit.exact({ days: kit.wholeNumber({ ...age, default: cleanupDays.default }) }),
      answer: kit.object({ message: kit.text(), deletedCount: kit.integer() }),
    }),
    errors: ["BUSY"],
    summary: "Permanently remove old activities",
    description:
      "The cleanup is recorded before anything is removed. The remaining activities can be verified as " +
      "before. If it is interrupted, send the request again.",
    example: { days: "90" },
    probe: { query: { days: "0" }, status: 422 },
    commands: [
      {
        name: "cleanup",
        action: "Remove old activities",
        summary: "permanently remove old activities",
        description:
          "Permanently removes the activities that are older than a number of days. Says how many " +
          "there are and asks first. The remaining ones can be verified as before: see activity verify.",
        options: [
          {
            ...{ name: "days", value: "days", type: "integer", initial: cleanupDays.default },
            ...{ least: cleanupDays.least, most: cleanupDays.most },
            summary: `minimum age, ${cleanupDays.least} to ${cleanupDays.most} days`,
          },
        ],
        examples: [
          { summary: "Ask first", typed: "atrium activity cleanup --days 365" },
          {
            summary: "In a script",
            typed: "atrium activity cleanup --days 90 --yes --json | jq .deletedCount",
          },
          { summary: "Automatically from now on", typed: "atrium activity retention set 90" },
        ],
      },
    ],
  }),
};
