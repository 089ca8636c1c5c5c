import { Elysia } from "elysia";
import type { Door } from "#api/http/door.ts";
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
      detail: { summary: "Make a snapshot of the embedded database", tags: ["System"] },
    });
