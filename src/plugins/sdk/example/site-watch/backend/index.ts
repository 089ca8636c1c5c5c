import type { PluginDefinition } from "../atrium-plugin.d.ts";
import { name, version } from "../plugin.json";
import { checkSite, history } from "./check-site.ts";

const plugin: PluginDefinition = {
  name,
  version,
  setup(ctx) {
    ctx.routes.get("/history", { summary: "The last checks, newest first" }, () => history(ctx));
    ctx.routes.post("/check", { summary: "Checks now" }, () => checkSite(ctx));
    ctx.schedule.every("check", 60_000, async () => {
      await checkSite(ctx);
    });
    ctx.settings.onChange(({ url }) => ctx.log("info", `looks after ${url} from now on`));
  },
};

export default plugin;
