import type { Kit } from "#api/modules/kit.ts";
import type { Complaint } from "#contract/account-rules.ts";
import {
  activitySeverities,
  activityStatuses,
  activityTexts,
  activityTypes,
  actorKinds,
  filterDateComplaint,
  pluginNamesComplaint,
  wordsComplaint,
} from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import type { OperationOption } from "#contract/operation.ts";

/** What all operations on the log have in common. */
export const forAdmins = { access: "admin", scope: "activity", proof: "none", tag: "Activity" } as const;

/** A filter that is not applied when it is empty, as forms and links send it. */
const filter = (kit: Kit, format: string, complaint: (text: string) => Complaint, description: string) =>
  kit.optional(kit.checkedText(format, (text) => (text === "" ? null : complaint(text)), { description }));

const words = (kit: Kit, name: string, allowed: readonly string[]) =>
  filter(
    kit,
    `atrium-activity-${name}`,
    wordsComplaint(allowed),
    `One or more of ${allowed.join(", ")}, separated by commas`,
  );

const date = (kit: Kit) =>
  filter(
    kit,
    "atrium-filter-date",
    filterDateComplaint,
    "A day in UTC such as `2026-01-31`, or a time with its offset (RFC 3339)",
  );

/** The filters that match exactly. */
export const kindFilters = (kit: Kit) => ({
  type: words(kit, "type", activityTypes),
  pluginName: filter(
    kit,
    "atrium-plugin-names",
    pluginNamesComplaint,
    "Names of plugins, separated by commas; `core` is the server",
  ),
  status: words(kit, "status", activityStatuses),
  severity: words(kit, "severity", activitySeverities),
  actorKind: words(kit, "actor-kind", actorKinds),
  security: kit.optional(
    kit.choice(["true", "false", ""], {
      description: "`true`: only security events, which are critical ones and those about permissions",
      error: activityTexts.securityInvalid,
    }),
  ),
});

/** All filters of activities. */
export const activityFilters = (kit: Kit) => ({
  ...kindFilters(kit),
  search: kit.optional(
    kit.text({
      most: limits.activitySearchLength,
      description:
        "Part of an action, a description, an email or IP address, a plugin's name, a type, status or " +
        "severity, or the beginning of a request id; case is ignored",
      error: activityTexts.searchTooLong,
    }),
  ),
  startDate: date(kit),
  endDate: date(kit),
});

/** The command options of the filters. */
export const filterOptions = [
  {
    ...{ name: "type", value: "types", type: "list", values: activityTypes },
    summary: "only these types",
  },
  {
    ...{ name: "plugin", value: "names", type: "list", field: "pluginName" },
    summary: "only from these plugins; core is the server",
  },
  {
    ...{ name: "status", value: "statuses", type: "list", values: activityStatuses },
    summary: "only with these outcomes",
  },
  {
    ...{ name: "severity", value: "severities", type: "list", values: activitySeverities },
    summary: "only of these severities",
  },
  {
    ...{ name: "who", value: "actors", type: "list", values: actorKinds, field: "actorKind" },
    summary: "only by these kinds of actor",
  },
  {
    ...{ name: "security", type: "boolean" },
    summary: "only security events: critical ones and those about permissions",
  },
  {
    ...{ name: "search", value: "text" },
    summary: "only with this text in a column of the list or at the start of the request id; case is ignored",
  },
  {
    ...{ name: "since", value: "when", type: "moment", field: "startDate" },
    summary: "only from this time on: 2026-01-31, 2026-01-31T12:00Z, or an age: 24h, 7d",
  },
  {
    ...{ name: "until", value: "when", type: "moment", field: "endDate" },
    summary: "only until this time; a day counts to its end",
  },
] as const satisfies readonly OperationOption[];

/** Start of a page: only activities with a smaller id. */
export const before = (kit: Kit) =>
  kit.optional(
    kit.wholeNumber({
      minimum: 1,
      maximum: limits.activityId,
      error: "Please give the id of an activity",
      description: "Only activities older than the one with this id",
    }),
  );
