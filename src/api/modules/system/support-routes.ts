import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { dataOf, failures } from "#api/modules/fields.ts";
import { readSupport } from "./read-support.ts";
import { supportSchema } from "./support-model.ts";

/** The call behind `atrium support-bundle`, on the operator's socket alone. */
export const supportRoutes = (door: Door) =>
  new Elysia({ prefix: "/api" })
    .use(door)
    .get("/system/support", async ({ ctx }) => ({ success: true as const, data: await readSupport(ctx) }), {
      access: "operator",
      response: {
        200: dataOf(supportSchema),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"),
      },
      detail: {
        summary: "What the database tells whoever looks for a fault",
        description: "Sizes, settings without secrets, plugins, and how much of what happened on which day.",
        tags: ["System"],
      },
    });
