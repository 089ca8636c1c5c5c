import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering, refused, withinLimits } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** Who somebody is, and mails. */
export const addPeople = (ctx: Ctx): void => {
  ctx.routes.get(
    "/person",
    {
      summary: "Looks up who calls",
      description: "Asks the host for the caller by their id: nobody where the operator calls.",
      answers: {
        200: {
          description: "The caller",
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
      summary: "Sends a mail",
      description:
        "Has the host send a mail to a user of this site at this address. A plugin may send a hundred an hour.",
      answers: { ...answering("Who it goes to", { to: "ada@example.com" }), ...refused },
    },
    withinLimits(ctx, async ({ body: given }) => {
      const to = String(fieldsOf(given).to);
      await ctx.mail.send({
        to,
        subject: "A mail from a plugin",
        text: `${ctx.plugin.name} can send mails.`,
      });
      return { to };
    }),
  );
};
