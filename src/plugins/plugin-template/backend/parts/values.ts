import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** Small values by key, which all servers share. */
export const addValues = (ctx: Ctx): void => {
  const body = { type: "object", properties: { by: { type: "integer", minimum: 1, maximum: 1_000 } } };
  ctx.routes.post(
    "/counter",
    {
      body,
      summary: "Counts up",
      description: "Adds to a number that all servers share, by one unless the body says more.",
      answers: answering("The number", { value: 4 }),
    },
    async ({ body: given }) => ({
      value: await addUp(ctx, Number(fieldsOf(given).by ?? 1)),
    }),
  );
  ctx.routes.get(
    "/values",
    {
      summary: "What is stored",
      description: "The first hundred values of the plugin by their keys.",
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
      summary: "Begins at nought again",
      description: "Deletes the number that was counted up.",
      answers: answering("Whether there was one", { wasThere: true }),
    },
    async () => ({
      wasThere: await ctx.kv.delete("counter"),
    }),
  );
};

/** Adds to a value that others may be changing at this moment: whoever was overtaken looks again. */
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
