import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";

/** Work at regular times: on one of the servers, however many there are. */
export const addSchedule = (ctx: Ctx): void => {
  ctx.schedule.every("minute", 60_000, async () => {
    const count = await ctx.kv.incr("minutes");
    await ctx.kv.set("lastMinute", { at: new Date().toISOString(), count, replica: ctx.plugin.replica });
  });
  ctx.routes.get(
    "/minutes",
    {
      summary: "When the job ran last",
      description: "The time of the last run, how many there were, and which server it was.",
      answers: answering("The last run, or nothing", { last: null }),
    },
    async () => ({
      last: (await ctx.kv.get("lastMinute")) ?? null,
    }),
  );
};
