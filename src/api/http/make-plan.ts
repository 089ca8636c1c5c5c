import type { ActivityEntry } from "#api/core/activity.ts";
import type { Context } from "#api/core/context.ts";
import { dryRun, inTime, type OwnPlan } from "#api/core/dry-run.ts";
import type { Browser, Implemented } from "#api/core/implement.ts";
import { textWithoutSecrets, withoutSecrets } from "#api/modules/activity/index.ts";
import type { Operation } from "#contract/operation.ts";
import { type Plan, planTexts } from "#contract/plan.ts";

/** What an operation would do: by its own plan, or else by a dry run. Throws what the operation would throw. */
export const makePlan = async (
  { operation, run, plan }: Implemented,
  ctx: Context,
  input: object,
): Promise<Plan> => {
  // The input was checked against the very schemas that the functions' types were made of.
  const own = plan && (await inTime(plan(ctx, input as never)));
  if (own !== undefined) return toldPlan(operation, own);
  const { outcome, ...done } = await dryRun(ctx, (dry) => run(dry, input as never, withoutCookies));
  return toldPlan(operation, { ...done, summary: summaryOf(operation, { input, outcome, ...done }) });
};

const noCookie = { token: null, set: () => {}, clear: () => {} };
// No rollback would take one back.
const withoutCookies: Browser = {
  ...{ session: noCookie, device: noCookie },
  ...{ oauth: noCookie, pending: noCookie },
};

type Done = { input: object; outcome: unknown; recorded: ActivityEntry[]; mails: object[] };

const summaryOf = (operation: Operation, { input, outcome, recorded, mails }: Done): string => {
  // Every change by an admin leaves a row in the activity log.
  if (recorded.length === 0 && mails.length === 0) return planTexts.nothing;
  const { description = "", before, after } = recorded[0] ?? {};
  // Both were checked against the schemas that its type was made of.
  if (operation.would !== undefined)
    return operation.would({
      input,
      data: shown(operation, dataOf(operation, outcome)),
      description,
      before: Object(shown(operation, before)),
      after: Object(shown(operation, after)),
      descriptions: recorded.map((entry) => entry.description ?? ""),
    } as never);
  const { summary } = operation;
  const does = `Would ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
  return description === "" ? does : `${does}: ${description}`;
};

const dataOf = ({ responds }: Operation, outcome: unknown): unknown =>
  responds === "message" ? Reflect.get(Object(outcome), "data") : outcome;

const toldPlan = (
  operation: Operation,
  { summary, recorded = [], mails = [], events = [] }: OwnPlan,
): Plan => ({
  changes: recorded.map(({ action, description = "", before = null, after = null }) => ({
    action: textWithoutSecrets(action),
    description: textWithoutSecrets(description),
    before: withoutSecrets(shown(operation, before)),
    after: withoutSecrets(shown(operation, after)),
  })),
  mails: mails.map(({ to, subject }) => ({ to, subject: textWithoutSecrets(subject) })),
  events: events.map(({ type }) => type),
  summary: textWithoutSecrets(summary),
});

/** A value without the fields that the operation conceals. */
const shown = ({ conceals = [] }: Operation, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value) || conceals.length === 0
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => !conceals.includes(name)));
