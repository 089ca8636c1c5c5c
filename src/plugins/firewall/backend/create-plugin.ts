import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginDefinition } from "#plugins/sdk/types.ts";
import manifest from "../plugin.json";
import type { MakeEngine } from "./change/in-force.ts";
import { createFirewall, type Firewall } from "./firewall.ts";
import { createInspector } from "./inspect/inspector.ts";
import { addAddressRoutes } from "./routes/address-routes.ts";
import { addConfigRoutes, addStatusRoute, troubleOf } from "./routes/config-routes.ts";
import { addHistoryRoutes } from "./routes/history-routes.ts";
import { addPatternRoutes, type PatternInfo } from "./routes/pattern-routes.ts";
import { addReplayRoutes } from "./routes/replay-routes.ts";
import { addRuleRoutes } from "./routes/rule-routes.ts";
import { addWatchRoutes } from "./routes/watch-routes.ts";

/** What the plugin is made of besides the host. */
export type PluginParts = {
  makeEngine: MakeEngine;
  patterns: readonly PatternInfo[];
  now(): number;
  pause(): Promise<void>;
  /** Does something every so often, and returns how to end that. */
  every(ms: number, work: () => Promise<void>): () => void;
};

const secondMs = 1_000;
// Set-up has five seconds; a database that does not answer is waited for later.
const loadMs = 3_000;

/** The plugin: its routes, its inspector, and what it does from second to second. */
export const createPlugin = (parts: PluginParts): PluginDefinition<NativeCtx> => {
  let firewall: Firewall | null = null;
  let end = (): void => {};

  return {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    setup: async (ctx) => {
      const made = createFirewall({ ctx, ...parts });
      firewall = made;
      connect(ctx, made);
      addConfigRoutes(ctx, made);
      addHistoryRoutes(ctx, made);
      addStatusRoute(ctx, made, parts.patterns);
      addAddressRoutes(ctx, made);
      addRuleRoutes(ctx, made);
      addPatternRoutes(ctx, made, parts.patterns);
      addWatchRoutes(ctx, made);
      addReplayRoutes(ctx, made, parts.makeEngine);
      await Promise.race([made.load(), new Promise((resolve) => setTimeout(resolve, loadMs))]);
      end = beat(parts, made);
    },
    health: () => {
      // Damaged rules are nothing that another start would mend.
      const trouble = firewall === null ? null : troubleOf(firewall);
      return { ok: true, ...(trouble === null ? {} : { detail: trouble.message }) };
    },
    teardown: async (reason) => {
      end();
      firewall?.replays.stop();
      if (reason === "disable" || reason === "remove") await firewall?.noteEnd().catch(() => {});
      await firewall?.flush();
    },
  };
};

const connect = (ctx: NativeCtx, firewall: Firewall): void => {
  const { inForce } = firewall;
  ctx.request.inspect(
    createInspector({
      ...firewall,
      host: ctx.host,
      rateFailed: (error) => ctx.log("warn", `A request could not be counted: ${error}`),
    }),
  );
  ctx.host.onSignal((topic) => void firewall.heard(topic));
  ctx.host.manageCore({
    get isManaging() {
      return inForce.switches.masterSwitchEnabled;
    },
    get isCounting() {
      return inForce.switches.masterSwitchEnabled && inForce.switches.rateLimitingEnabled;
    },
    get isDevelopment() {
      return inForce.switches.developmentModeEnabled;
    },
  });
  ctx.settings.onChange((next) => {
    firewall.changes
      .settingsChanged(next)
      .catch((error) => ctx.log("warn", `A change to the settings could not be checked: ${error}`));
  });
};

/** Does what is due each second; a second that takes longer is not done twice at once. */
const beat = ({ every }: PluginParts, firewall: Firewall): (() => void) => {
  let seconds = 0;
  let isBusy = false;
  return every(secondMs, async () => {
    seconds += 1;
    // A store that does not answer keeps nothing from expiring.
    firewall.inForce.renew();
    if (isBusy) return;
    isBusy = true;
    await firewall.tick(seconds).finally(() => {
      isBusy = false;
    });
  });
};
