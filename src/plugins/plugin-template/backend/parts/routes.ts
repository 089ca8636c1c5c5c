import type { Ctx } from "../../atrium-plugin.d.ts";
import { fieldsOf } from "../fields-of.ts";

/** Routes for anybody, for people with an account, and for administrators; the host checks who calls, query and body. */
export const addRoutes = (ctx: Ctx): void => {
  const query = {
    type: "object",
    properties: { name: { type: "string", maxLength: 40 } },
    additionalProperties: false,
  };
  ctx.routes.get("/hello", { access: "public", query, summary: "Greets anybody" }, ({ query: { name } }) => ({
    text: `Hello, ${name ?? "stranger"}!`,
  }));

  ctx.routes.get("/me", { access: "user", summary: "Says who calls" }, ({ user }) => user);

  const body = {
    type: "object",
    properties: { times: { type: "integer", minimum: 1, maximum: 5 } },
    required: ["times"],
    additionalProperties: false,
  };
  ctx.routes.post("/echo/:word", { body, summary: "Says a word again" }, ({ params, body: given }) =>
    ctx.respond({
      status: 201,
      headers: { "x-made-by": ctx.plugin.name },
      json: { said: `${params.word} `.repeat(Number(fieldsOf(given).times)).trim() },
    }),
  );
};
