import type { Kit } from "#api/modules/kit.ts";
import { cleanupDays } from "#contract/activity.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { limits } from "#contract/limits.ts";
import { operation } from "#contract/operation.ts";
import { outOption } from "#contract/operation-commands.ts";
import { activityFilters, before, filtered, filterOptions, forAdmins } from "./parts.ts";

const writing = ["CROSS_ORIGIN", "STORAGE_FULL"] as const;
const withBody = ["BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;
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

/** What can be done with the log as a whole: taking it out, proving and tidying it. */
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
    errors: filtered,
    summary: "Export activities",
    description:
      "The newest that match, 10,000 at most, as CSV (RFC 4180) or as one JSON object a line; each record is one line " +
      "and begins with the id. Give the last one as `before` for those behind. In CSV a text that a spreadsheet would " +
      "run gets an apostrophe in front. A search for less than three letters or digits looks at the newest 10,000 " +
      "activities alone; the header `x-atrium-searched-newest` then says so. The export itself is recorded.",
    example: { format: "ndjson", limit: "10", before: "1000000" },
    probe: { status: 200 },
    commands: [
      {
        name: "export",
        action: "Export activities",
        summary: "write the activities as CSV or NDJSON",
        description:
          "Writes the newest 10,000 activities that match, or with --all every one, newest first, to standard output or " +
          "to a file that only its owner may read. In CSV a text that a spreadsheet would run as a formula has an " +
          "apostrophe in front; NDJSON is one JSON object a line.",
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
              "every activity that matches instead of the newest 10,000; not with a --search of one or two letters",
          },
        ],
        examples: [
          {
            summary: "What mattered in the last week, for a spreadsheet",
            typed: "atrium activity export --since 7d --severity high,critical --out activity.csv",
          },
          {
            summary: "All of last month",
            typed: "atrium activity export --all --since 2026-10-01 --until 2026-10-31 --out october.csv",
          },
          {
            summary: "For a pipe",
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
          error: "Please begin behind a whole number from 0",
        }),
        limit: kit.wholeNumber({
          minimum: 1,
          maximum: limits.verifiedRows,
          default: limits.verifiedRows,
          error: `Please ask for 1 to ${limits.verifiedRows} rows`,
        }),
      }),
      answer: kit.object({
        checked: kit.integer({ description: "How many activities were proven" }),
        through: kit.integer({ description: "The last one that was" }),
        throughHash: kit.text({ description: "Its hash" }),
        isComplete: kit.flag({ description: "Whether that is the end of the log" }),
        head: rowMark(kit, "The newest activity"),
        anchor: rowMark(kit, "The newest that was cleaned up; 0 before that"),
        fault: kit.nullable(
          kit.object({ id: kit.integer(), problem: kit.text() }, { description: "The first that was found" }),
        ),
      }),
    }),
    errors: filtered,
    summary: "Prove that the activity log is unaltered",
    description:
      "Computes anew the hashes of the activities behind `after` and compares them; go on with `through` until " +
      "`isComplete`. At the end of the log its seal, its beginning and its counts are checked too.",
    example: { after: "0", limit: "50" },
    probe: { status: 200 },
    commands: [
      {
        name: "verify",
        action: "Prove the log",
        summary: "prove that the log was not altered",
        description:
          "Reads the whole log and proves its chain: each activity carries a hash over itself and the one before. Prints the " +
          "head of the chain as NUMBER:HASH. Note it down elsewhere: --expect proves later that everything up to it is " +
          "there unchanged, even against somebody who has the key. Ends with 1 when something is wrong.",
        options: [
          {
            ...{ name: "expect", value: "mark" },
            summary: "a head that was noted earlier, as NUMBER:HASH",
          },
        ],
        examples: [
          { summary: "Prove the log", typed: "atrium activity verify" },
          {
            summary: "The head, to note down",
            typed: "atrium activity verify --json | jq -r '\"\\(.head.id):\\(.head.hash)\"'",
          },
          {
            summary: "Everything up to then is unchanged",
            typed: `atrium activity verify --expect ${sampleMark}`,
          },
        ],
      },
    ],
    tool: {
      name: "verify_activity",
      title: "Prove the activity log",
      description:
        "Checks the log's chain of hashes: whether a row was altered or taken out. Takes long on a long log.",
    },
  }),
  retention: operation("GET /api/admin/activity/retention", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({ answer: retention(kit) }),
    names: { "200.data": "ActivityRetention" },
    errors: filtered,
    summary: "How long activities are kept",
    description: "In whole days; older ones are removed once a day. `null`: all are kept.",
    example: {},
    probe: { status: 200 },
    commands: [
      {
        name: "retention show",
        action: "Show for how long activities are kept",
        summary: "show for how long",
        description:
          "Shows for how many days activities are kept, or that they are kept until somebody cleans up.",
        examples: [
          { summary: "In words", typed: "atrium activity retention show" },
          {
            summary: "The days alone, for a script",
            typed: "atrium activity retention show --json | jq .days",
          },
        ],
      },
    ],
  }),
  setRetention: operation("PUT /api/admin/activity/retention", {
    ...forAdmins,
    tokens: false,
    proof: "recent",
    changes: true,
    isRepeatable: true,
    responds: "message",
    schemas: (kit) => ({ body: retention(kit), answer: retention(kit) }),
    errors: [...filtered, ...writing, ...withBody],
    summary: "Set how long activities are kept",
    description: "From then on older ones are removed once a day; `null` keeps all.",
    example: { days: 365 },
    probe: { body: {}, status: 422 },
    commands: [
      {
        name: "retention set",
        action: "Set for how long activities are kept",
        summary: "choose for how long",
        description:
          "Chooses after how many days the server removes activities by itself, or with off that it removes none. Before a " +
          "number of days it asks, with how many activities are older already.",
        arguments: [
          { name: "days", summary: `${cleanupDays.least} to ${cleanupDays.most}, or off to keep all` },
        ],
        examples: [
          { summary: "A year", typed: "atrium activity retention set 365" },
          { summary: "Everything, until somebody cleans up", typed: "atrium activity retention set off" },
          { summary: "In a script", typed: "atrium activity retention set 90 --yes" },
        ],
      },
    ],
  }),
  cleanup: operation("DELETE /api/admin/activity/cleanup", {
    ...forAdmins,
    tokens: false,
    proof: "recent",
    changes: true,
    mayTakeLong: true,
    responds: "fields",
    schemas: (kit) => ({
      query: kit.exact({ days: kit.wholeNumber({ ...age, default: cleanupDays.default }) }),
      answer: kit.object({ message: kit.text(), deletedCount: kit.integer() }),
    }),
    errors: [...filtered, ...writing, "BUSY"],
    summary: "Remove old activities for good",
    description:
      "Recorded before anything is removed. What remains can be proven as before. Interrupted, it can be called again.",
    example: { days: "90" },
    probe: { query: { days: "0" }, status: 422 },
    commands: [
      {
        name: "cleanup",
        action: "Remove old activities",
        summary: "remove old activities for good",
        description:
          "Removes the activities that are older than a number of days. Nothing brings them back. Asks first, with how many " +
          "there are. What remains can be proven as before: see activity verify.",
        options: [
          {
            ...{ name: "days", value: "days", type: "integer", initial: cleanupDays.default },
            ...{ least: cleanupDays.least, most: cleanupDays.most },
            summary: `how old, ${cleanupDays.least} to ${cleanupDays.most} days`,
          },
        ],
        examples: [
          { summary: "Ask first", typed: "atrium activity cleanup --days 365" },
          {
            summary: "In a script",
            typed: "atrium activity cleanup --days 90 --yes --json | jq .deletedCount",
          },
          { summary: "By itself from now on", typed: "atrium activity retention set 90" },
        ],
      },
    ],
  }),
};
