import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";

/** Scheduled jobs: each run happens on one server, even if there are several. */
export const addSchedule = (ctx: Ctx): void => {
  ctx.schedule.every("minute", 60_000, async () => {
    const count = await ctx.kv.incr("minutes");
    await ctx.kv.set("lastMinute", { at: new Date().toISOString(), count, replica: ctx.plugin.replica });
  });
  ctx.routes.get(
    "/minutes",
    {
      summary: "Show the last run of the job",
      description: "The time of the last run, the number of runs, and the server.",
      answers: answering("The last run, or `null`", { last: null }),
    },
    async () => ({
      last: (await ctx.kv.get("lastMinute")) ?? null,
    }),
  );
};
