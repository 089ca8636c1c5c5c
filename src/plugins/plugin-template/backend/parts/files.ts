import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering, refused, withinLimits } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** Files that only the plugin can access. */
export const addFiles = (ctx: Ctx): void => {
  const body = {
    type: "object",
    properties: { text: { type: "string", maxLength: 10_000 } },
    required: ["text"],
  };
  const params = { name: "Name of the note" };
  ctx.routes.put(
    "/notes/:name",
    {
      body,
      summary: "Save a note",
      description: "Writes one of the plugin's files, replacing any file of the same name.",
      params,
      answers: { ...answering("The name of the note", { kept: "first" }), ...refused },
    },
    withinLimits(ctx, async ({ params, body: given }) => {
      await ctx.files.write(pathOf(params.name), { text: String(fieldsOf(given).text), type: "text/plain" });
      return { kept: params.name ?? "" };
    }),
  );
  ctx.routes.get(
    "/notes",
    {
      summary: "List the notes",
      description: "Paths, sizes and types of the stored files.",
      answers: {
        200: {
          description: "The files",
          schema: { type: "array", items: { type: "object" } },
          example: [{ path: "notes/first.txt", sizeBytes: 5, type: "text/plain" }],
        },
      },
    },
    () => ctx.files.list("notes/"),
  );
  ctx.routes.get(
    "/notes/:name",
    {
      summary: "Read a note",
      description: "The content of the file, with the content type it was written with.",
      params,
      answers: {
        200: { description: "The note", texts: { "text/plain": "Hello" } },
        404: {
          description: "Note not found",
          schema: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
          example: { message: "Note not found" },
        },
      },
    },
    async ({ params }) => {
      const file = await ctx.files.read(pathOf(params.name));
      if (file === undefined) return ctx.respond({ status: 404, json: { message: "Note not found" } });
      return ctx.respond({ headers: { "content-type": file.type }, base64: file.base64 });
    },
  );
  ctx.routes.delete(
    "/notes/:name",
    {
      summary: "Delete a note",
      description: "Deletes the file if it exists.",
      params,
      answers: answering("Whether the file existed", { wasThere: true }),
    },
    async ({ params }) => ({
      wasThere: await ctx.files.delete(pathOf(params.name)),
    }),
  );
};

// Names of files start with a letter, a digit or `_`, and must be shorter than a path segment may be.
const pathOf = (name = ""): string => {
  const plain = name
    .replace(/[^\w-]/g, "-")
    .replace(/^-+/, "")
    .slice(0, 100);
  return `notes/${plain || "note"}.txt`;
};
