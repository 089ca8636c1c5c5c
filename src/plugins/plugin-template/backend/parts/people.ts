import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering, refused, withinLimits } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** User lookup and email. */
export const addPeople = (ctx: Ctx): void => {
  ctx.routes.get(
    "/person",
    {
      summary: "Look up the current user",
      description: "Looks up the user who made the request by ID; `null` for requests by the operator.",
      answers: {
        200: {
          description: "The user",
          schema: { type: ["object", "null"] },
          example: { id: "0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10", name: "Ada", role: "admin" },
        },
      },
    },
    async ({ user }) => (user === null ? null : ((await ctx.users.get(user.id)) ?? null)),
  );
  const body = { type: "object", properties: { to: { type: "string", format: "email" } }, required: ["to"] };
  ctx.routes.post(
    "/mail",
    {
      body,
      summary: "Send an email",
      description:
        "Sends an email to the user of this site with this email address. A plugin may send a hundred an hour.",
      answers: { ...answering("The recipient", { to: "ada@example.com" }), ...refused },
    },
    withinLimits(ctx, async ({ body: given }) => {
      const to = String(fieldsOf(given).to);
      await ctx.mail.send({
        to,
        subject: "An email from a plugin",
        text: `${ctx.plugin.name} can send emails.`,
      });
      return { to };
    }),
  );
};
