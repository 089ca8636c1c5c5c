import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** The plugin's own log, shown on the Log tab and by `plugin dev`. */
export const addLog = (ctx: Ctx): void => {
  const body = {
    type: "object",
    properties: { text: { type: "string", maxLength: 200 } },
    required: ["text"],
  };
  ctx.routes.post(
    "/log",
    {
      body,
      summary: "Write a line at each level",
      description: "Writes the text to the plugin's own log, once at each level.",
      answers: answering("The number of lines", { lines: 4 }),
    },
    ({ body: given }) => {
      const { text = "" } = fieldsOf(given);
      for (const level of ["debug", "info", "warn", "error"] as const)
        ctx.log(level, String(text), { level });
      return { lines: 4 };
    },
  );
};
