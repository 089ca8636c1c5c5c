import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering, refused, withinLimits } from "../answering.ts";

/** An entry in the activity log, under the plugin's name. */
export const addActivity = (ctx: Ctx): void => {
  ctx.routes.post(
    "/activity",
    {
      summary: "Write to the activity log",
      description: "Adds an entry under the plugin's name, with the user who made the request.",
      answers: { ...answering("The entry was written", { written: true }), ...refused },
    },
    withinLimits(ctx, async ({ user }) => {
      await ctx.activity.log({
        type: "admin_action",
        action: "Tried the activity log",
        description: `${user?.name ?? "The operator"} pressed the button on the page of ${ctx.plugin.name}`,
        status: "success",
        severity: "low",
      });
      return { written: true };
    }),
  );
};
