import { Elysia } from "elysia";
import type { Door } from "#api/http/door.ts";
import { failures } from "#api/modules/fields.ts";
import { createUser } from "./create-user.ts";
import { listUsers } from "./list-users.ts";
import { createUserBody, listUsersQuery, userCreated, userList } from "./model.ts";

/** The calls by which admins look after the accounts. */
export const userRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin/users" })
    .use(door)
    .get("", async ({ ctx, query }) => ({ success: true as const, data: await listUsers(ctx, query) }), {
      access: "admin",
      query: listUsersQuery,
      response: {
        200: userList,
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "VALIDATION_FAILED", "DB_UNAVAILABLE"),
      },
      detail: {
        summary: "List users",
        description:
          "Newest first; `search` looks into names and addresses. `lastSeenAt` is exact to a minute.",
        tags: ["Users"],
      },
    })
    .post(
      "",
      async ({ ctx, body, status }) =>
        status(201, { success: true, message: "The user was added", data: await createUser(ctx, body) }),
      {
        access: "admin",
        body: createUserBody,
        response: {
          201: userCreated,
          ...failures(
            "BAD_REQUEST",
            "NOT_SIGNED_IN",
            "FORBIDDEN",
            "CONFLICT",
            "PAYLOAD_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
            "VALIDATION_FAILED",
            "BUSY",
            "STORAGE_FULL",
          ),
        },
        detail: {
          summary: "Add a user",
          description: "The user counts as verified and may sign in at once.",
          tags: ["Users"],
        },
      },
    );
