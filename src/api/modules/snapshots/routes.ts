import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { makeSnapshot } from "./make-snapshot.ts";
import { snapshotAnswer } from "./model.ts";

/** The call about snapshots of the embedded database, on the operator's socket alone. */
export const snapshotRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/system/snapshots" })
    .use(door)
    .post("", async ({ ctx }) => ({ success: true as const, data: await makeSnapshot(ctx) }), {
      access: "operator",
      response: {
        200: snapshotAnswer,
        ...failures(
          "NOT_SIGNED_IN",
          "FORBIDDEN",
          "CROSS_ORIGIN",
          "CONFLICT",
          "DB_UNAVAILABLE",
          "STORAGE_FULL",
        ),
      },
      detail: {
        summary: "Make a snapshot of the embedded database",
        description:
          "For the operator, over the control socket alone: one more beside those that the database makes by itself, " +
          "for `atrium snapshot restore`. `CONFLICT` where a PostgreSQL server is used, `STORAGE_FULL` where it would " +
          "leave too little room. That it was made stands in the activity log.",
        tags: ["System"],
      },
    });
