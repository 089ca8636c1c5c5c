import type { Ctx } from "../../atrium-plugin.d.ts";
import { fieldsOf } from "../fields-of.ts";

/** Who somebody is, and mails. */
export const addPeople = (ctx: Ctx): void => {
  ctx.routes.get("/person", { summary: "Looks up who calls" }, async ({ user }) =>
    user === null ? null : ((await ctx.users.get(user.id)) ?? null),
  );
  const body = { type: "object", properties: { to: { type: "string", format: "email" } }, required: ["to"] };
  ctx.routes.post("/mail", { body, summary: "Sends a mail" }, async ({ body: given }) => {
    const to = String(fieldsOf(given).to);
    await ctx.mail.send({ to, subject: "A mail from a plugin", text: `${ctx.plugin.name} can send mails.` });
    return { to };
  });
};
