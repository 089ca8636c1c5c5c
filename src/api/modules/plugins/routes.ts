import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { activateVersion } from "./activate-version.ts";
import { deleteRetained } from "./delete-retained.ts";
import { discardVersion } from "./discard-version.ts";
import { getPlugin } from "./get-plugin.ts";
import { listPlugins } from "./list-plugins.ts";
import {
  activateBody,
  logsQuery,
  messageAnswer,
  pluginChanged,
  pluginData,
  pluginDetails,
  pluginList,
  pluginLogs,
  pluginParams,
  removeQuery,
  replacePublisherBody,
  retainedParams,
  toggleBody,
  versionParams,
} from "./model.ts";
import { readData } from "./read-data.ts";
import { readLogs } from "./read-logs.ts";
import { removePlugin } from "./remove-plugin.ts";
import { replacePublisher } from "./replace-publisher.ts";
import { restorePlugin } from "./restore-plugin.ts";
import { togglePlugin } from "./toggle-plugin.ts";

const tags = ["Plugins"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "PLUGIN_NOT_FOUND", "DB_UNAVAILABLE");
const writing = failures("CROSS_ORIGIN", "CONFLICT", "STORAGE_FULL", "BUSY");
const retainedFailures = failures("NOT_SIGNED_IN", "FORBIDDEN", "NOT_FOUND", "DB_UNAVAILABLE");
const bodies = failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED");

/** The calls by which admins look after installed plugins. */
export const pluginRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/plugins" })
    .use(door)
    .get("", async ({ ctx }) => ({ success, data: await listPlugins(ctx) }), {
      access: "public",
      response: { 200: pluginList, ...failures("NOT_SIGNED_IN", "DB_UNAVAILABLE") },
      detail: {
        summary: "List plugins",
        description:
          "For admins all of them with all fields; for others the enabled ones with what everybody may know.",
        tags,
      },
    })
    .get("/:name", async ({ ctx, params }) => ({ success, data: await getPlugin(ctx, params) }), {
      access: "admin",
      scope: "plugins",
      params: pluginParams,
      response: { 200: pluginDetails, ...reading },
      detail: {
        summary: "Everything about a plugin",
        description:
          "What the list says of it, and the permissions that it asks for, was granted and has used, its kept versions " +
          "and what a waiting one would ask for, how it does on each server, commands, limits, dependencies, and how " +
          "much it has stored. `routes` and `jobs` are those on the server that answers.",
        tags,
      },
    })
    .post(
      "/:name/toggle",
      async ({ ctx, params, body }) => ({ success, ...(await togglePlugin(ctx, { ...params, ...body })) }),
      {
        access: "admin",
        scope: "plugins",
        params: pluginParams,
        body: toggleBody,
        response: { 200: pluginChanged, ...reading, ...writing, ...bodies },
        detail: {
          summary: "Enable or disable a plugin",
          description:
            "Enabling asks for consent (409 `CONSENT_REQUIRED` with `data.permissions`, `data.signature`, `data.version` and " +
            "`data.sha256`) where the plugin asks for permissions that are not granted, or is unsigned; `consent: true` grants " +
            "them, and with `sha256` only if it is that package still. Only sessions and the control socket may consent; a token that " +
            "does gets 403 `SESSION_REQUIRED`. What a plugin needs has to be enabled before (409 `DEPENDENCY_DISABLED`); what needs it is disabled with it.",
          tags,
        },
      },
    )
    .post(
      "/:name/versions/:version/activate",
      async ({ ctx, params, body }) => ({
        success,
        ...(await activateVersion(ctx, { ...params, ...body })),
      }),
      {
        access: "admin",
        scope: "plugins",
        params: versionParams,
        body: activateBody,
        response: { 200: pluginChanged, ...reading, ...writing, ...bodies },
        detail: {
          summary: "Put a kept version of a plugin in force",
          description:
            "A waiting one with consent, one that could not start once more, or an older one. Another publisher's is refused " +
            "with 409 `PUBLISHER_CHANGED` and `data.from`, `data.to`: see `replace-publisher`. Only sessions and the control " +
            "socket may consent; a token that does gets 403 `SESSION_REQUIRED`.",
          tags,
        },
      },
    )
    .post(
      "/:name/replace-publisher",
      async ({ ctx, params, body }) => ({
        success,
        ...(await replacePublisher(ctx, { ...params, ...body })),
      }),
      {
        access: "admin",
        tokens: false,
        params: pluginParams,
        body: replacePublisherBody,
        response: {
          200: pluginChanged,
          ...reading,
          ...writing,
          ...bodies,
          ...failures("REAUTHENTICATION_REQUIRED", "RATE_LIMITED"),
        },
        detail: {
          summary: "Replace a plugin's publisher",
          description:
            "Puts a kept version of another publisher in place and grants what it asks for, with `sha256` only if it is that " +
            "package still. It starts with nothing of the " +
            "old one's settings, secrets, data, files and grants, which are kept for the old publisher; what was kept for " +
            "the new one comes back. From a session older than ten minutes it is answered with " +
            "`REAUTHENTICATION_REQUIRED` unless `password` is given. API tokens can't call it. Stands in the activity log " +
            "as critical, and all admins get an email.",
          tags,
        },
      },
    )
    .delete(
      "/:name/versions/:version",
      async ({ ctx, params }) => ({ success, ...(await discardVersion(ctx, params)) }),
      {
        access: "admin",
        scope: "plugins",
        params: versionParams,
        response: { 200: pluginChanged, ...reading, ...writing },
        detail: {
          summary: "Delete a kept version of a plugin",
          description:
            "One that waits, could not start or was replaced, with its package; it can be uploaded again. The version in " +
            "force is refused with `CONFLICT`. Answers the plugin as it is then; stands in the activity log.",
          tags,
        },
      },
    )
    .post(
      "/:name/restore",
      async ({ ctx, params, status }) => status(201, { success, ...(await restorePlugin(ctx, params)) }),
      {
        access: "admin",
        scope: "plugins",
        params: pluginParams,
        response: { 201: pluginChanged, ...reading, ...writing, ...failures("PLUGIN_INVALID") },
        detail: {
          summary: "Install a deleted plugin of Atrium again",
          description:
            "From the server's own files, without an upload; it is disabled then. `PLUGIN_NOT_FOUND` for a plugin that is " +
            "no part of Atrium, `CONFLICT` for one that is installed.",
          tags,
        },
      },
    )
    .delete(
      "/:name",
      async ({ ctx, params, query }) => ({
        success,
        ...(await removePlugin(ctx, {
          ...params,
          retainData: query.retainData === "true",
          force: query.force === "true",
        })),
      }),
      {
        access: "admin",
        scope: "plugins",
        params: pluginParams,
        query: removeQuery,
        response: { 200: messageAnswer, ...reading, ...writing, ...failures("VALIDATION_FAILED") },
        detail: {
          summary: "Delete a plugin",
          description:
            "Disabled before, if need be. One that is part of Atrium: 409 `PLUGIN_IS_CORE`; one that enabled plugins need: 409 " +
            "`PLUGIN_NEEDED`.",
          tags,
        },
      },
    )
    .delete(
      "/:name/retained/:publisher",
      async ({ ctx, params }) => ({ success, ...(await deleteRetained(ctx, params)) }),
      {
        access: "admin",
        scope: "plugins",
        params: retainedParams,
        response: { 200: messageAnswer, ...retainedFailures, ...writing },
        detail: {
          summary: "Delete what is kept of a former publisher's plugin",
          description:
            "Its settings, secrets, values, files and grants, which were kept when the publisher was replaced or the plugin " +
            "deleted; `retained` of the plugin lists them. The plugin itself need not be installed.",
          tags,
        },
      },
    )
    .get(
      "/:name/logs",
      async ({ ctx, params, query }) => ({
        success,
        data: await readLogs(ctx, { ...params, ...query }),
      }),
      {
        access: "admin",
        scope: "plugins",
        params: pluginParams,
        query: logsQuery,
        response: { 200: pluginLogs, ...reading, ...failures("VALIDATION_FAILED") },
        detail: {
          summary: "What a plugin logged on this server",
          description:
            "The newest 1,000 lines, the newest last, or those behind the line with number `after`. Each server has a log " +
            "of its own, which its restart empties: `replica` names the one that answered.",
          tags,
        },
      },
    )
    .get("/:name/data", async ({ ctx, params }) => ({ success, data: await readData(ctx, params) }), {
      access: "admin",
      scope: "plugins",
      params: pluginParams,
      response: { 200: pluginData, ...reading },
      detail: {
        summary: "How much a plugin has stored",
        description:
          "What would be deleted with it: values, secrets, files with their bytes, and settings, as its own counts.",
        tags,
      },
    });
