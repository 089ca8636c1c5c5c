import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { accountSettings } from "#contract/account-settings.ts";
import { coreSettings } from "#contract/core-settings.ts";
import { getSettings, updateSettings } from "./declared-settings.ts";
import { getCredentials } from "./get-credentials.ts";
import { listChanges } from "./list-changes.ts";
import {
  accounts,
  changedCredentials,
  changeParams,
  core,
  credentialsAnswer,
  credentialsBody,
  historyAnswer,
  historyQuery,
  revertedAnswer,
} from "./model.ts";
import { revertChange } from "./revert-change.ts";
import { updateCredentials } from "./update-credentials.ts";

const tags = ["Settings"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");
const writing = failures("CROSS_ORIGIN", "STORAGE_FULL", "BUSY");
const bodies = failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED");

/** The calls by which admins read and change the settings. */
export const settingsRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/auth/settings" })
    .use(door)
    .get("/credentials", async ({ ctx }) => ({ success, data: await getCredentials(ctx) }), {
      access: "admin",
      scope: "settings",
      response: { 200: credentialsAnswer, ...reading },
      detail: {
        summary: "Read the external services",
        description: "Secrets are never told: they read empty, and their `has…` says whether there is one.",
        tags,
      },
    })
    .put("/credentials", ({ ctx, body }) => updateCredentials(ctx, body), {
      access: "admin",
      scope: "settings:security",
      body: credentialsBody,
      response: { 200: changedCredentials, ...reading, ...writing, ...bodies },
      detail: {
        summary: "Change the external services",
        description:
          "What is left out stays. An absent or empty secret keeps the stored one, `null` removes it; when its endpoint " +
          "goes to another server it must be entered again. An emptied endpoint removes its secrets, and without one none " +
          "is taken.",
        tags,
      },
    })
    .get("/core", async ({ ctx }) => ({ success, data: await getSettings(ctx, coreSettings) }), {
      access: "admin",
      scope: "settings",
      response: { 200: core.answer, ...reading },
      detail: {
        summary: "Read the core settings",
        description:
          "The limit on calls and the switches of security, as they are stored. While the firewall manages them, others " +
          "may be in force: see `firewall` in `GET /api/system/status`.",
        tags,
      },
    })
    .put("/core", ({ ctx, body }) => updateSettings(ctx, coreSettings, body), {
      access: "admin",
      scope: "settings",
      body: core.body,
      response: {
        200: core.changed,
        ...reading,
        ...writing,
        ...bodies,
        ...failures("MANAGED_BY_FIREWALL"),
      },
      detail: {
        summary: "Change the core settings",
        description:
          "What is left out stays. Refused while the firewall manages them. A token needs `settings:security` to change " +
          "`security` or `rateLimiting.enabled`.",
        tags,
      },
    })
    .get("/accounts", async ({ ctx }) => ({ success, data: await getSettings(ctx, accountSettings) }), {
      access: "admin",
      scope: "settings",
      response: { 200: accounts.answer, ...reading },
      detail: { summary: "Read the account settings", description: "The firewall never manages them.", tags },
    })
    .put("/accounts", ({ ctx, body }) => updateSettings(ctx, accountSettings, body), {
      access: "admin",
      scope: "settings:security",
      body: accounts.body,
      response: { 200: accounts.changed, ...reading, ...writing, ...bodies },
      detail: {
        summary: "Change the account settings",
        description:
          "What is left out stays. The firewall never manages them. A token needs `settings:security`.",
        tags,
      },
    })
    .get("/history", async ({ ctx, query }) => ({ success, data: await listChanges(ctx, query) }), {
      access: "admin",
      scope: "settings",
      query: historyQuery,
      response: { 200: historyAnswer, ...reading, ...failures("VALIDATION_FAILED") },
      detail: {
        summary: "List changes of settings",
        description: "Newest first. Of secrets it says only that they were set, replaced or removed.",
        tags,
      },
    })
    .post("/history/:id/revert", ({ ctx, params }) => revertChange(ctx, params), {
      access: "admin",
      scope: "settings",
      params: changeParams,
      response: {
        200: revertedAnswer,
        ...reading,
        ...writing,
        ...failures("NOT_FOUND", "CONFLICT", "VALIDATION_FAILED"),
      },
      detail: {
        summary: "Take a change of settings back",
        description:
          "As far as it was not about secrets, and unless something of it was changed again later. An endpoint that goes " +
          "back to another server leaves its secrets behind. The reverting is a change itself, and takes a token the scope of " +
          "what it changes.",
        tags,
      },
    });
