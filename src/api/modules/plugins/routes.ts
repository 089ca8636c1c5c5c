import { Elysia, type Static, t } from "elysia";
import type { Door } from "#api/door/door.ts";
import { dataOf, done, failures } from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { manifestSchema } from "#contract/plugin-manifest.ts";
import { packagePreview, plugin, queryFlag } from "./contract/parts.ts";
import { inspectPackage, installPackage } from "./install-package.ts";

const tags = ["Plugins"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");
const uploading = failures(
  ...(["CROSS_ORIGIN", "BAD_REQUEST", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE"] as const),
  ...(["UNSUPPORTED_MEDIA_TYPE", "PLUGIN_INVALID", "PLUGIN_UNAVAILABLE", "BUSY", "STORAGE_FULL"] as const),
);
// The parsed form: see `upload`.
const file = t.Object({ name: t.String(), bytes: t.Uint8Array() });

const uploadQuery = kit.exact({
  allowDowngrade: queryFlag(kit, "`true` accepts an older version, or the same one again"),
});

const inspected = dataOf(packagePreview(kit));
/** What is in a package. */
export type InspectedPackage = Static<typeof inspected>;

const installed = done({ data: plugin(kit) });
/** What an upload made or changed. */
export type InstalledPackage = Static<typeof installed>;

/** The routes that receive packages. */
export const pluginPackageRoutes = (door: Door) =>
  new Elysia()
    .use(door)
    .get("/api/plugin-host/manifest.schema.json", () => manifestSchema, {
      access: "public",
      response: { 200: t.Object({}, { additionalProperties: true }), ...failures("NOT_SIGNED_IN") },
      detail: {
        summary: "JSON Schema of plugin.json",
        description:
          "For editors and build tools of plugin authors: with this URL as `$schema`, an editor " +
          "completes and checks the manifest. It is the same for everyone, and not secret.",
        tags,
      },
    })
    .post(
      "/api/plugins/inspect",
      async ({ ctx, body }) => ({ success, data: await inspectPackage(ctx, body) }),
      {
        access: "admin",
        scope: "plugins",
        proof: "none",
        scopeRight: "read",
        upload: "plugin",
        body: file,
        response: { 200: inspected, ...reading, ...uploading },
        detail: {
          summary: "Inspect a package without storing it",
          description:
            "A form with the package in the field `plugin`, as for an upload. Returns name, version, " +
            "signature, permissions and which of them are new, dependencies, and in `obstacles` why it " +
            "can't be installed. The package is not run, so that `plugins:read` is enough. " +
            "`PLUGIN_INVALID` for a package that could never be installed.",
          tags,
        },
      },
    )
    .post(
      "/api/plugins/upload",
      async ({ ctx, body, query, status }) => {
        const allowDowngrade = query.allowDowngrade === "true";
        return status(201, {
          success,
          ...(await installPackage(ctx, { bytes: body.bytes, allowDowngrade })),
        });
      },
      {
        access: "admin",
        scope: "plugins",
        proof: "factor",
        upload: "plugin",
        body: file,
        query: uploadQuery,
        response: {
          201: installed,
          ...reading,
          ...uploading,
          ...failures("PLUGIN_EXISTS"),
        },
        detail: {
          summary: "Install or update a plugin",
          description:
            "A form with the package in the field `plugin`. A new plugin is installed disabled. A " +
            "newer version of a running plugin is activated if it requests no new permissions and " +
            "starts; otherwise it stays pending. An earlier release's package of a shipped plugin " +
            "needs `allowDowngrade`; API tokens get 403 `SESSION_REQUIRED` for it.",
          tags,
        },
      },
    );
