import { Elysia } from "elysia";
import type { Door } from "#api/http/door.ts";
import { dataOf, failures } from "#api/modules/fields.ts";
import { aliveSchema, readySchema, systemInfoSchema, systemStatusSchema } from "./model.ts";
import { readSystemInfo } from "./read-system-info.ts";
import { readSystemStatus } from "./read-system-status.ts";

/** Probes for whoever watches the process, and the facts behind the admin area's overview. */
export const systemRoutes = (door: Door) =>
  new Elysia({ prefix: "/api" })
    .use(door)
    .get("/health", () => ({ success: true as const, status: "alive" as const }), {
      access: "public",
      response: { 200: aliveSchema },
      detail: { summary: "Whether the process is alive", tags: ["System"] },
    })
    .get(
      "/ready",
      async ({ ctx }) => {
        await ctx.database.check();
        return { success: true as const, status: "ready" as const };
      },
      {
        access: "public",
        response: { 200: readySchema, ...failures("DB_UNAVAILABLE", "SHUTTING_DOWN") },
        detail: {
          summary: "Whether requests can be answered: database reachable, migrations done",
          tags: ["System"],
        },
      },
    )
    .get("/system/info", async ({ ctx }) => ({ success: true as const, data: await readSystemInfo(ctx) }), {
      access: "admin",
      response: {
        200: dataOf(systemInfoSchema),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"),
      },
      detail: { summary: "Version, uptime, database, mail and user counts", tags: ["System"] },
    })
    .get(
      "/system/status",
      async ({ ctx, view }) => ({ success: true as const, data: await readSystemStatus(ctx, view()) }),
      {
        access: "admin",
        response: {
          200: dataOf(systemStatusSchema),
          ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"),
        },
        detail: {
          summary: "Firewall, Redis, object storage, the limit on calls, and how the caller is seen",
          tags: ["System"],
        },
      },
    );
