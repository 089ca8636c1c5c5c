import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import type { Firewall } from "../firewall.ts";
import { builtInExemptions } from "../rules/built-in.ts";
import { texts } from "../texts.ts";
import { statusData } from "../wire/watch.ts";
import type { StatusData } from "../wire.ts";
import { troubleOf } from "./config-routes.ts";
import type { PatternInfo } from "./pattern-routes.ts";
import { answering, editorOf, ok, routesOf } from "./route.ts";

/** What the firewall does at this moment, in figures. */
export const addStatusRoute = (
  ctx: NativeCtx,
  firewall: Firewall,
  patterns: readonly PatternInfo[],
): void => {
  const status = (request: PluginRequest): StatusData => {
    const { inForce, store, changes, bans, minutes } = firewall;
    const { rules, switches } = inForce;
    const countKind = (kind: "allow" | "deny") => rules.addresses.filter((one) => one.kind === kind).length;
    const { masterSwitchEnabled, developmentModeEnabled, rateLimitingEnabled, patternsEnabled } = switches;
    return {
      ...{ masterSwitchEnabled, developmentModeEnabled, rateLimitingEnabled, patternsEnabled },
      paranoiaLevel: switches.paranoiaLevel,
      threshold: switches.threshold,
      revision: store.state.revision,
      state: stateOf(firewall),
      trouble: troubleOf(firewall),
      pending: changes.pending(editorOf(request).id),
      knowsCountries: ctx.host.knowsCountries,
      allowed: countKind("allow"),
      denied: countKind("deny"),
      countryMode: rules.countries.mode,
      countries: rules.countries.codes.length,
      rates: rules.rates.filter(({ isOn }) => isOn).length,
      patterns: patterns.length,
      patternsOff: rules.switchedOff.length,
      exemptions: rules.exemptions.length + builtInExemptions.length,
      bans: bans.list().length,
      counting: texts.counting[ctx.host.counting],
      replica: ctx.plugin.replica,
      lastHour: minutes.sum(1),
      last24Hours: minutes.sum(24),
    };
  };
  routesOf(ctx, firewall).get(
    "/status",
    {
      summary: "The firewall's status",
      description:
        "The switches, the number of rules of each kind, and the number of allowed and blocked requests on all servers.",
      answers: answering(statusData),
    },
    (request) => ok(status(request)),
  );
};

const stateOf = (firewall: Firewall): string => {
  const { masterSwitchEnabled, developmentModeEnabled } = firewall.inForce.switches;
  const trouble = troubleOf(firewall);
  if (trouble !== null) return trouble.message;
  if (!masterSwitchEnabled) return texts.isOff;
  return developmentModeEnabled ? texts.isTrial : texts.isOn;
};
