import type { Ctx } from "../../atrium-plugin.d.ts";
import { fieldsOf } from "../fields-of.ts";

/** Files that nobody but the plugin sees. */
export const addFiles = (ctx: Ctx): void => {
  const body = {
    type: "object",
    properties: { text: { type: "string", maxLength: 10_000 } },
    required: ["text"],
  };
  ctx.routes.put("/notes/:name", { body, summary: "Keeps a note" }, async ({ params, body: given }) => {
    await ctx.files.write(pathOf(params.name), { text: String(fieldsOf(given).text), type: "text/plain" });
    return { kept: params.name ?? "" };
  });
  ctx.routes.get("/notes", { summary: "Lists the notes" }, () => ctx.files.list("notes/"));
  ctx.routes.get("/notes/:name", { summary: "A note as it is" }, async ({ params }) => {
    const file = await ctx.files.read(pathOf(params.name));
    if (file === undefined) return ctx.respond({ status: 404, json: { message: "There is no such note" } });
    return ctx.respond({ headers: { "content-type": file.type }, base64: file.base64 });
  });
  ctx.routes.delete("/notes/:name", { summary: "Deletes a note" }, async ({ params }) => ({
    wasThere: await ctx.files.delete(pathOf(params.name)),
  }));
};

const pathOf = (name = "note"): string => `notes/${name.replace(/[^\w-]/g, "-")}.txt`;
