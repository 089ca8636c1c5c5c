import { Elysia, t } from "elysia";
import { AppError } from "#api/core/app-error.ts";
import type { Door } from "#api/door/door.ts";
import { dataOf, failures } from "#api/modules/fields.ts";
import { operations } from "#api/operations.ts";
import { hasPlan } from "#contract/operation.ts";
import { plannedEvents, planPath } from "#contract/plan.ts";

// No rule for the call: of a name that has no plan nothing is known here, so that it is not found.
const planned = operations.flatMap(({ id, operation }) => (hasPlan(operation) ? [id] : []));

const text = t.String();
const anything = t.Unknown();

const plan = t.Object({
  changes: t.Array(
    t.Object({ action: text, description: text, before: t.Optional(anything), after: t.Optional(anything) }),
    { description: "What the activity log would say" },
  ),
  mails: t.Array(t.Object({ to: text, subject: text }), { description: "The emails that would be sent" }),
  events: t.Array(t.UnionEnum([...plannedEvents]), { description: "What this server would tell the others" }),
  summary: t.String({ description: "What would be done, in a sentence that begins with “Would”" }),
});

/**
 * Describes the calls that plan operations. The pipeline has a route for each operation with a dry run; what comes here
 * names none.
 */
export const planRoutes = (door: Door) =>
  new Elysia().use(door).post(
    planPath(":operation"),
    () => {
      throw new AppError("NOT_FOUND");
    },
    {
      access: "admin",
      scope: "any",
      proof: "none",
      params: t.Object({
        operation: t.String({ description: "Its name", enum: planned }),
      }),
      body: t.Object({}, { additionalProperties: true }),
      response: {
        200: dataOf(plan),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "NOT_FOUND", "CONFLICT", "BUSY"),
      },
      detail: {
        summary: "Plan a change without making it",
        description:
          "Says what an operation would do. The operation's input is one object: the parameters of its path and query and " +
          "the fields of its body together. The call is judged as the operation's own would be: the same people and tokens " +
          "may make it, the same limits count, and whatever would be refused is refused alike. Nothing is changed, sent or " +
          "started, and the activity log gets no row. The operation's own call with `?dryRun=true` answers the same. " +
          "Operations that change nothing, and those that not only admins may call, have no plan.",
        tags: ["System"],
      },
    },
  );
