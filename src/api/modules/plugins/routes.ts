import { Elysia, type Static, t } from "elysia";
import type { Door } from "#api/door/door.ts";
import { dataOf, done, failures } from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { manifestSchema } from "#contract/plugin-manifest.ts";
import { packagePreview, plugin, queryFlag } from "./contract/parts.ts";
import { inspectPackage } from "./inspect-package.ts";
import { installPackage } from "./install-package.ts";

const tags = ["Plugins"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");
const uploading = failures(
  ...(["CROSS_ORIGIN", "BAD_REQUEST", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE"] as const),
  ...(["UNSUPPORTED_MEDIA_TYPE", "PLUGIN_INVALID", "BUSY", "STORAGE_FULL"] as const),
);
// What the door makes of the form: see `upload`.
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

/** The calls by which packages come. */
export const pluginPackageRoutes = (door: Door) =>
  new Elysia()
    .use(door)
    .get("/api/plugin-host/manifest.schema.json", () => manifestSchema, {
      access: "public",
      response: { 200: t.Object({}, { additionalProperties: true }), ...failures("NOT_SIGNED_IN") },
      detail: {
        summary: "JSON Schema of plugin.json",
        description:
          "For editors and build tools of plugin authors: with this address as `$schema`, an editor completes and " +
          "checks the manifest. It is the same for everybody, and no secret.",
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
          summary: "Tell what is in a package, storing nothing",
          description:
            "A form with the package in the field `plugin`, as for an upload. Tells name, version, signature, permissions " +
            "and those of them that are new, dependencies, and in `obstacles` why it could not be installed as it is. " +
            "Nothing of it runs, so that `plugins:read` is enough. `PLUGIN_INVALID` for what could never be installed.",
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
        proof: "recent",
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
          summary: "Install a package, or a newer version",
          description:
            "A form with the package in the field `plugin`. A new plugin is disabled; a newer version of one that runs takes " +
            "over when it asks for nothing new and starts, and waits otherwise. A shipped plugin's package of an earlier " +
            "release needs `allowDowngrade`, and is refused to API tokens with 403 `SESSION_REQUIRED`.",
          tags,
        },
      },
    );
