import { Elysia, t } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { readAdminInfo } from "./read-admin-info.ts";

const adminInfo = t.Object({
  success: t.Literal(true),
  availablePlugins: t.Array(t.String()),
  timestamp: t.String({ format: "date-time" }),
});

/** The first call of the admin area. */
export const adminRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin" })
    .use(door)
    .get("", async ({ ctx }) => ({ success: true as const, ...(await readAdminInfo(ctx)) }), {
      access: "admin",
      scope: "plugins",
      response: { 200: adminInfo, ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE") },
      detail: {
        summary: "Available plugins and the time of access",
        description:
          "The first call of the admin area: `availablePlugins` are the names of the enabled plugins, `timestamp` is " +
          "the server's time in UTC.",
        tags: ["Admin"],
      },
    });
