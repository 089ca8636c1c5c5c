import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { userTexts } from "#contract/user-texts.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import { disableUser } from "./disable-user.ts";
import { enableUser } from "./enable-user.ts";
import { endSessions } from "./end-sessions.ts";
import { getUser } from "./get-user.ts";
import { listPending } from "./list-pending.ts";
import { listUsers } from "./list-users.ts";
import {
  createUserBody,
  listPendingQuery,
  listUsersQuery,
  messageAnswer,
  pendingList,
  resetMailed,
  sessionsEnded,
  setRoleBody,
  userAnswered,
  userChanged,
  userDetail,
  userList,
  userParams,
} from "./model.ts";
import { removePending } from "./remove-pending.ts";
import { sendReset } from "./send-reset.ts";
import { setRole } from "./set-role.ts";
import { verifyPending } from "./verify-pending.ts";

const tags = ["Users"];
const success = true as const;

const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");
const writing = failures("NOT_SIGNED_IN", "FORBIDDEN", "CROSS_ORIGIN", "DB_UNAVAILABLE", "STORAGE_FULL");
const sending = failures(
  "BAD_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
  "BUSY",
);

/** The calls by which admins look after the accounts. */
export const userRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin" })
    .use(door)
    .get("/users", async ({ ctx, query }) => ({ success, data: await listUsers(ctx, query) }), {
      access: "admin",
      scope: "users",
      query: listUsersQuery,
      response: { 200: userList, ...reading, ...failures("VALIDATION_FAILED") },
      detail: {
        summary: "List users",
        description:
          "Newest first unless sorted otherwise; `search` looks into names and addresses. `lastSeenAt` is exact to a minute.",
        tags,
      },
    })
    .post(
      "/users",
      async ({ ctx, body, status }) =>
        status(201, { success, message: userTexts.added, data: await createUser(ctx, body) }),
      {
        access: "admin",
        scope: "users",
        body: createUserBody,
        response: { 201: userAnswered, ...writing, ...sending, ...failures("CONFLICT") },
        detail: {
          summary: "Add a user",
          description: "The user counts as verified and may sign in at once.",
          tags,
        },
      },
    )
    .get("/users/:user", async ({ ctx, params }) => ({ success, data: await getUser(ctx, params) }), {
      access: "admin",
      scope: "users",
      params: userParams,
      response: { 200: userDetail, ...reading, ...failures("NOT_FOUND") },
      detail: {
        summary: "A user with their open sessions",
        description:
          "By id or e-mail address. Of the open sessions the 100 last used are listed, with address and browser; " +
          "`sessionCount` counts all. `isLastAdmin`: there is no other enabled administrator.",
        tags,
      },
    })
    .put(
      "/users/:user/role",
      async ({ ctx, params, body }) => {
        const { user, isChanged } = await setRole(ctx, { ...params, ...body });
        return { success, message: isChanged ? userTexts.roleChanged : userTexts.roleKept, data: user };
      },
      {
        access: "admin",
        scope: "users",
        params: userParams,
        body: setRoleBody,
        response: { 200: userChanged, ...writing, ...sending, ...failures("NOT_FOUND", "LAST_ADMIN") },
        detail: {
          summary: "Set a user's role",
          description:
            "A user whose role changes is signed out everywhere. The last administrator stays one.",
          tags,
        },
      },
    )
    .post(
      "/users/:user/disable",
      async ({ ctx, params }) => ({
        success,
        message: userTexts.disabled,
        data: await disableUser(ctx, params),
      }),
      {
        access: "admin",
        scope: "users",
        params: userParams,
        response: { 200: userChanged, ...writing, ...failures("NOT_FOUND", "LAST_ADMIN") },
        detail: {
          summary: "Disable a user",
          description: "Ends all sessions and refuses every sign-in until the account is enabled.",
          tags,
        },
      },
    )
    .post(
      "/users/:user/enable",
      async ({ ctx, params }) => ({
        success,
        message: userTexts.enabled,
        data: await enableUser(ctx, params),
      }),
      {
        access: "admin",
        scope: "users",
        params: userParams,
        response: { 200: userChanged, ...writing, ...failures("NOT_FOUND") },
        detail: {
          summary: "Enable a disabled user",
          description:
            "They may sign in again; the sessions that ended when they were disabled stay ended. Somebody who is enabled " +
            "already stays so, and nothing is recorded. For an administrator's account a token needs the scope `*`.",
          tags,
        },
      },
    )
    .post(
      "/users/:user/send-reset",
      async ({ ctx, params }) => ({
        success,
        message: userTexts.resetMailed,
        data: await sendReset(ctx, params),
      }),
      {
        access: "admin",
        scope: "users",
        params: userParams,
        response: { 200: resetMailed, ...writing, ...failures("NOT_FOUND", "CONFLICT") },
        detail: {
          summary: "Mail a user a link to choose a new password",
          description: "The password that they have works until the link is followed.",
          tags,
        },
      },
    )
    .delete(
      "/users/:user/sessions",
      async ({ ctx, params }) => ({
        success,
        message: userTexts.sessionsEnded,
        data: await endSessions(ctx, params),
      }),
      {
        access: "admin",
        scope: "users",
        params: userParams,
        response: { 200: sessionsEnded, ...writing, ...failures("NOT_FOUND") },
        detail: {
          summary: "Sign a user out everywhere",
          description:
            "They have to sign in again in every browser, with the password that they have; `ended` is how many sessions " +
            "those were. Stands in the activity log, unless there were none. For an administrator's account a token needs " +
            "the scope `*`.",
          tags,
        },
      },
    )
    .delete(
      "/users/:user",
      async ({ ctx, params }) => ({
        success,
        message: userTexts.deleted,
        data: await deleteUser(ctx, params),
      }),
      {
        access: "admin",
        scope: "users",
        params: userParams,
        response: { 200: userAnswered, ...writing, ...failures("NOT_FOUND", "LAST_ADMIN") },
        detail: {
          summary: "Delete a user for good",
          description: "With sessions and sign-in methods; nothing brings them back.",
          tags,
        },
      },
    )
    .get("/pending-users", async ({ ctx, query }) => ({ success, data: await listPending(ctx, query) }), {
      access: "admin",
      scope: "users",
      query: listPendingQuery,
      response: { 200: pendingList, ...reading, ...failures("VALIDATION_FAILED") },
      detail: {
        summary: "List registrations that wait for their verification",
        description:
          "One row an address, by its newest registration, newest first, with all that wait for it.",
        tags,
      },
    })
    .post(
      "/pending-users/:user/verify",
      async ({ ctx, params }) => ({
        success,
        message: userTexts.verified,
        data: await verifyPending(ctx, params),
      }),
      {
        access: "admin",
        scope: "users",
        params: userParams,
        response: { 200: userAnswered, ...writing, ...failures("NOT_FOUND", "CONFLICT") },
        detail: {
          summary: "Verify a registration by hand",
          description:
            "An id means that very registration, an address its only one; the address's others end. Of several one " +
            "is chosen by its id: any of them may be a stranger's.",
          tags,
        },
      },
    )
    .delete(
      "/pending-users/:user",
      async ({ ctx, params }) => {
        await removePending(ctx, params);
        return { success, message: userTexts.registrationRemoved };
      },
      {
        access: "admin",
        scope: "users",
        params: userParams,
        response: { 200: messageAnswer, ...writing, ...failures("NOT_FOUND") },
        detail: {
          summary: "Remove all registrations of an address",
          description:
            "Named by the address, or by the id of one of its registrations: all of them end, and the links in their " +
            "mails no longer work. 404 when none waits. Stands in the activity log.",
          tags,
        },
      },
    );
