import type { Ctx } from "../../atrium-plugin.d.ts";
import { fieldsOf } from "../fields-of.ts";

/** Routes for anybody, for people with an account, and for administrators; the host checks who calls, query and body. */
export const addRoutes = (ctx: Ctx): void => {
  const query = {
    type: "object",
    properties: { name: { type: "string", maxLength: 40, description: "Who is to be greeted" } },
    additionalProperties: false,
  };
  ctx.routes.get(
    "/hello",
    {
      access: "public",
      query,
      summary: "Greets anybody",
      description: "Says hello to whoever is named, or to a stranger.",
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
      summary: "Says who calls",
      description: "The caller as plugins may know them: nobody where the operator calls.",
      answers: {
        200: {
          description: "The caller",
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
      summary: "Says a word again",
      description: "Answers with the word, as many times as the body asks for.",
      params: { word: "The word to say again" },
      answers: {
        201: {
          description: "The word, again and again",
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
