import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering, refused, withinLimits } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** Files that nobody but the plugin sees. */
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
      summary: "Keeps a note",
      description: "Writes a file of the plugin's own, in the place of one of the same name.",
      params,
      answers: { ...answering("What it is kept under", { kept: "first" }), ...refused },
    },
    withinLimits(ctx, async ({ params, body: given }) => {
      await ctx.files.write(pathOf(params.name), { text: String(fieldsOf(given).text), type: "text/plain" });
      return { kept: params.name ?? "" };
    }),
  );
  ctx.routes.get(
    "/notes",
    {
      summary: "Lists the notes",
      description: "Paths, sizes and types of the files that are kept.",
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
      summary: "A note as it is",
      description: "The text of the file, under the type that it was written with.",
      params,
      answers: {
        200: { description: "The note", texts: { "text/plain": "Hello" } },
        404: {
          description: "There is no such note",
          schema: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
          example: { message: "There is no such note" },
        },
      },
    },
    async ({ params }) => {
      const file = await ctx.files.read(pathOf(params.name));
      if (file === undefined) return ctx.respond({ status: 404, json: { message: "There is no such note" } });
      return ctx.respond({ headers: { "content-type": file.type }, base64: file.base64 });
    },
  );
  ctx.routes.delete(
    "/notes/:name",
    {
      summary: "Deletes a note",
      description: "Deletes the file, if there is one.",
      params,
      answers: answering("Whether there was one", { wasThere: true }),
    },
    async ({ params }) => ({
      wasThere: await ctx.files.delete(pathOf(params.name)),
    }),
  );
};

// Names of files begin with a letter, a digit or `_`, and are not as long as parts of an address may be.
const pathOf = (name = ""): string => {
  const plain = name
    .replace(/[^\w-]/g, "-")
    .replace(/^-+/, "")
    .slice(0, 100);
  return `notes/${plain || "note"}.txt`;
};
