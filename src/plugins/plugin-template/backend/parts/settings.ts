import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";

/** What admins enter in the form that the manifest describes; secrets are asked for one by one. */
export const addSettings = (ctx: Ctx): void => {
  ctx.routes.get(
    "/greeting",
    {
      summary: "Greets as the settings say",
      description:
        "Puts the greeting of the settings and the caller's name together, and counts how often it was asked.",
      answers: answering("The greeting", { text: "Hello, Ada!", count: 3 }),
    },
    async ({ user }) => {
      const { greeting, loud, tone, words } = ctx.settings.all();
      const count = await ctx.kv.incr("greetings");
      const end = tone === "cheerful" && Array.isArray(words) ? ` ${words[count % words.length] ?? ""}` : "";
      const text = `${greeting}, ${user?.name ?? "operator"}!${end}`;
      return { text: loud === true ? text.toUpperCase() : text, count };
    },
  );
  ctx.routes.get(
    "/settings",
    {
      summary: "What is set",
      description: "The settings as the form has them. Of the token it tells only whether there is one.",
      answers: answering("The settings", { hasToken: false }),
    },
    async () => ({
      ...ctx.settings.all(),
      hasToken: Boolean(await ctx.secrets.get("token")),
    }),
  );
  ctx.routes.post(
    "/loud",
    {
      summary: "Turns Loud on or off",
      description: "Changes a setting as the form would: every server hears of it.",
      answers: answering("How it stands now", { loud: true }),
    },
    async () => {
      const loud = ctx.settings.get("loud") !== true;
      await ctx.settings.set({ loud });
      return { loud };
    },
  );
  ctx.settings.onChange(({ greeting }) => ctx.log("info", `The greeting is ${greeting} from now on`));
};
