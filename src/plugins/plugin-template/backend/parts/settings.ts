import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";

/** Settings that admins enter in the form described in the manifest. Secrets are read one at a time. */
export const addSettings = (ctx: Ctx): void => {
  ctx.routes.get(
    "/greeting",
    {
      summary: "Greet as configured",
      description: "Combines the greeting in the settings with the user's name, and counts the requests.",
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
      summary: "Show the settings",
      description: "The settings in the form. For the token, only whether it is set.",
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
      summary: "Turn Loud on or off",
      description: "Changes a setting just as the form does; every server is notified.",
      answers: answering("The new value", { loud: true }),
    },
    async () => {
      const loud = ctx.settings.get("loud") !== true;
      await ctx.settings.set({ loud });
      return { loud };
    },
  );
  ctx.settings.onChange(({ greeting }) => ctx.log("info", `The greeting is now ${greeting}`));
};
