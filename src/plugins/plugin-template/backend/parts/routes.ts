import type { Ctx } from "../../atrium-plugin.d.ts";
import { fieldsOf } from "../fields-of.ts";

/** Routes for visitors, users or admins. The host checks access, query and body before the handler runs. */
export const addRoutes = (ctx: Ctx): void => {
  const query = {
    type: "object",
    properties: { name: { type: "string", maxLength: 40, description: "The name to greet" } },
    additionalProperties: false,
  };
  ctx.routes.get(
    "/hello",
    {
      access: "public",
      query,
      summary: "Greet anyone",
      description: "Says hello to the given name, or to a stranger.",
      answers: {
        200: {
          description: "A greeting",
          schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
          example: { text: "Hello, Ada!" },
        },
      },
    },
    ({ query: { name } }) => ({ text: `Hello, ${name ?? "stranger"}!` }),
  );

  ctx.routes.get(
    "/me",
    {
      access: "user",
      summary: "Show the current user",
      description:
        "The user who made the request, as far as plugins may know; `null` for requests by the operator.",
      answers: {
        200: {
          description: "The user",
          schema: {
            type: ["object", "null"],
            required: ["id", "name", "role"],
            properties: {
              id: { type: "string" },
              name: { type: "string" },
              role: { enum: ["admin", "user"] },
            },
          },
          example: { id: "0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10", name: "Ada", role: "user" },
        },
      },
    },
    ({ user }) => user,
  );

  const body = {
    type: "object",
    properties: { times: { type: "integer", minimum: 1, maximum: 5 } },
    required: ["times"],
    additionalProperties: false,
  };
  ctx.routes.post(
    "/echo/:word",
    {
      body,
      summary: "Repeat a word",
      description: "Returns the word as many times as the body asks for.",
      params: { word: "The word to repeat" },
      answers: {
        201: {
          description: "The repeated word",
          schema: { type: "object", required: ["said"], properties: { said: { type: "string" } } },
          example: { said: "so so so" },
        },
      },
    },
    ({ params, body: given }) =>
      ctx.respond({
        status: 201,
        headers: { "x-plugin-made-by": ctx.plugin.name },
        json: { said: `${params.word} `.repeat(Number(fieldsOf(given).times)).trim() },
      }),
  );
};
