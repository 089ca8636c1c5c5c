import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PerformanceSettings } from "../read-settings.ts";
import { switchTitles } from "../switch-titles.ts";
import type { Switchings } from "../switchings.ts";
import { switchNames } from "../wire.ts";
import { refusal } from "./refusal.ts";
import { switchOptions } from "./route-options.ts";

type SwitchParts = {
  settings: () => PerformanceSettings;
  /** Changes settings; what is answered from then on by this server follows them. */
  change(patch: Record<string, boolean>): Promise<void>;
  switchings: Switchings;
};

/** The switches: how they stand, since when, and how to turn them. */
export const addSwitchRoutes = (ctx: NativeCtx, { settings, change, switchings }: SwitchParts): void => {
  ctx.routes.get("/switches", switchOptions.list, async () => {
    const { isOn } = settings();
    return {
      switches: switchNames.map((name) => ({ name, isOn: isOn[name] })),
      switchings: (await switchings.list()).map((one) => ({ ...one })),
    };
  });

  ctx.routes.put("/switches/:name", switchOptions.turn, async ({ id, params, body, user }) => {
    const name = switchNames.find((known) => known === params.name);
    if (name === undefined)
      return ctx.respond(
        refusal({ id }, { status: 404, code: "NOT_FOUND", message: "There is no such switch" }),
      );
    const isOn = Reflect.get(Object(body), "isOn") === true;
    if (settings().isOn[name] !== isOn) {
      await change({ [name]: isOn });
      await switchings.note(settings().isOn);
      await ctx.activity.log({
        type: "configuration_changed",
        action: `${switchTitles[name]}: switched ${isOn ? "on" : "off"}`,
        description: user === null ? "By the operator" : `By ${user.name}`,
        severity: "medium",
      });
    }
    return { message: `${switchTitles[name]}: ${isOn ? "on" : "off"}.`, name, isOn };
  });
};
