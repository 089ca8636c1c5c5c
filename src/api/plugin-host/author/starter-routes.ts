import { Elysia } from "elysia";
import { AppError } from "#api/core/app-error.ts";
import type { Door } from "#api/door/door.ts";
import { failures, fileAnswer } from "#api/modules/fields.ts";
import { isPluginName } from "#contract/plugin-names.ts";

/** A new plugin's source as a download, for authors without a terminal. */
export const starterRoutes = (door: Door) =>
  new Elysia({ prefix: "/api" })
    .use(door)
    .get("/plugins/:name/starter", ({ params, ctx }) => answerStarter(params.name, ctx.appUrl), {
      access: "admin",
      scope: "plugins",
      response: {
        200: fileAnswer("application/zip", "Its folder"),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "NOT_FOUND"),
      },
      detail: {
        summary: "Download a new plugin's source",
        description: "The files that `atrium plugin create` writes: the plugin template with another name.",
        tags: ["Plugins"],
      },
    });

const answerStarter = async (name: string, origin: string): Promise<Response> => {
  if (!isPluginName(name)) throw new AppError("NOT_FOUND");
  // They load the whole build toolchain, which no server needs to start.
  const [{ pluginTools }, { zipSync }] = await Promise.all([import("./plugin-tools.ts"), import("fflate")]);
  const schema = `${origin}/api/plugin-host/manifest.schema.json`;
  const encoder = new TextEncoder();
  const files = [...pluginTools.starterFiles({ name, hasPage: true, schema })].map(
    ([path, text]) => [`${name}/${path}`, encoder.encode(text)] as const,
  );
  // The earliest time that a zip can store: the same source makes the same bytes.
  const mtime = new Date(1980, 0, 1);
  return new Response(zipSync(Object.fromEntries(files), { mtime }), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${name}.zip"`,
    },
  });
};
