import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** Small values by key, shared by all servers. */
export const addValues = (ctx: Ctx): void => {
  const body = { type: "object", properties: { by: { type: "integer", minimum: 1, maximum: 1_000 } } };
  ctx.routes.post(
    "/counter",
    {
      body,
      summary: "Increase the counter",
      description: "Adds to a number shared by all servers: 1, or the number in the body.",
      answers: answering("The counter", { value: 4 }),
    },
    async ({ body: given }) => ({
      value: await addUp(ctx, Number(fieldsOf(given).by ?? 1)),
    }),
  );
  ctx.routes.get(
    "/values",
    {
      summary: "Show the stored values",
      description: "The plugin's first hundred values by key.",
      answers: {
        200: {
          description: "Values by key",
          schema: { type: "object", additionalProperties: true },
          example: { counter: 4 },
        },
      },
    },
    async () => {
      const { keys } = await ctx.kv.list("", { limit: 100 });
      return Object.fromEntries(
        await Promise.all(keys.map(async (key) => [key, (await ctx.kv.get(key)) ?? null])),
      );
    },
  );
  ctx.routes.delete(
    "/counter",
    {
      summary: "Resets the counter",
      description: "Deletes the counter.",
      answers: answering("Whether the counter existed", { wasThere: true }),
    },
    async () => ({
      wasThere: await ctx.kv.delete("counter"),
    }),
  );
};

/** Adds to a value that others may change at the same time: retries if the value changed meanwhile. */
const addUp = async (ctx: Ctx, by: number): Promise<number> => {
  const entry = await ctx.kv.entry("counter");
  const value = Number(entry?.value ?? 0) + by;
  try {
    await ctx.kv.set("counter", value, { ifVersion: entry?.version ?? 0 });
    return value;
  } catch (error) {
    if (error instanceof Error && error.name === "CONFLICT") return addUp(ctx, by);
    throw error;
  }
};
