import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { switchText } from "../change/history-words.ts";
import { invalid, Refused } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { builtInExemptions } from "../rules/built-in.ts";
import { adminPanel, switchesInput } from "../switches.ts";
import { texts } from "../texts.ts";
import { configData, revisionInput } from "../wire/rules.ts";
import type { Of } from "../wire/shape.ts";
import { statusData } from "../wire/watch.ts";
import type { ConfigData, RulesTrouble, StatusData } from "../wire.ts";
import type { PatternInfo } from "./pattern-routes.ts";
import {
  answering,
  byRevision,
  callingPlugin,
  changeRefusals,
  editorOf,
  editRefusals,
  goesBack,
  ok,
  routesOf,
  savedText,
} from "./route.ts";

/** The switches, and what has to do with changes that wait to be confirmed. */
export const addConfigRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes } = firewall;
  const { host } = ctx;
  const route = routesOf(ctx, firewall);

  const shown = (request: PluginRequest): ConfigData => {
    const { id, ip } = editorOf(request);
    return {
      ...firewall.inForce.switches,
      revision: firewall.store.state.revision,
      pending: changes.pending(id),
      trouble: troubleOf(firewall),
      knowsCountries: host.knowsCountries,
      coreLimit: coreLimitOf(host),
      ownAddress: ip,
      ownCountry: ip === null ? null : host.countryOf(ip),
      adminPanel,
    };
  };
  const answer = (request: PluginRequest, message: string) => {
    const data = shown(request);
    return ok(data, message === texts.saved ? savedText(firewall, request) : message);
  };

  const put = async (request: PluginRequest, input: Of<typeof switchesInput>): Promise<string> => {
    const { revision, ...switches } = input;
    const editor = editorOf(request);
    const next = { ...firewall.inForce.switches, ...switches };
    if (next.banMostMinutes < next.banMinutes) throw invalid({ banMostMinutes: texts.banMost });
    const { masterSwitchEnabled, ...others } = switches;
    const turnsOff = masterSwitchEnabled === false;
    // Switching off works whatever state the rules are in; the rest is a change like any other.
    if (turnsOff) await changes.switchOff(editor);
    const patch = turnsOff ? others : switches;
    if (Object.keys(patch).length === 0) return turnsOff ? texts.isOff : texts.saved;
    const what = `Changed the firewall: ${Object.entries(patch)
      .map(([name, value]) => switchText(name, value))
      .join(", ")}`;
    await changes.change({ editor, what, revision: turnsOff ? undefined : revision, switches: patch });
    return texts.saved;
  };

  route.get(
    "/config",
    {
      summary: "Show the firewall's switches",
      description:
        "All switches, the pending change, any problem with the stored rules, and the caller's IP address and country.",
      answers: answering(configData),
    },
    (request) => answer(request, ""),
  );
  route.put(
    "/config",
    {
      summary: "Change the firewall's switches",
      description: `Changes the given switches and leaves the others. ${byRevision} ${goesBack} Turning the firewall off works whatever state the rules are in.`,
      proof: "factor",
      body: switchesInput,
      answers: answering(configData, editRefusals),
    },
    async (request, input) => answer(request, await put(request, input)),
  );
  route.post(
    "/on",
    {
      summary: "Turn the firewall on",
      description: `Turns the master switch on, with the current rules. ${goesBack}`,
      answers: answering(configData, changeRefusals),
    },
    async (request) => {
      const switches = { masterSwitchEnabled: true };
      await changes.change({ editor: editorOf(request), what: "Turned the firewall on", switches });
      return answer(request, texts.isOn);
    },
  );
  route.post(
    "/off",
    {
      summary: "Turn the firewall off",
      description:
        "Turns the master switch off immediately, even if another change is pending or the stored rules are damaged.",
      proof: "factor",
      answers: answering(configData),
    },
    async (request) => {
      await changes.switchOff(editorOf(request));
      return answer(request, texts.isOff);
    },
  );
  route.post(
    "/confirm",
    {
      summary: "Confirm a pending change",
      description: "Keeps the change with this revision. Any admin or the operator may confirm it.",
      body: revisionInput,
      answers: answering(configData, { 409: { description: "No such change is pending" } }),
    },
    async (request, { revision }) => {
      // Its request comes from within the server, so it doesn't show that anyone can still get in.
      if (callingPlugin(request) !== undefined) throw new Refused(403, "FORBIDDEN", texts.pluginConfirms);
      await changes.confirm(editorOf(request), revision);
      return answer(request, texts.confirmed);
    },
  );
  route.post(
    "/revert",
    {
      summary: "Revert a pending change",
      description: "Restores the rules from before this revision.",
      body: revisionInput,
      answers: answering(configData, { 409: { description: "No such change is pending" } }),
    },
    async (request, { revision }) => {
      await changes.revert(editorOf(request), revision);
      return answer(request, texts.reverted);
    },
  );
  route.post(
    "/rules/restore",
    {
      summary: "Replace damaged rules with the active ones",
      description:
        "Replaces stored rules that cannot be read with the active ones. If nothing is damaged, nothing changes.",
      answers: answering(configData),
    },
    async (request) => {
      const isRestored = await changes.restore(editorOf(request));
      return answer(request, isRestored ? texts.restored : texts.notDamaged);
    },
  );
};

/** What is wrong with the rules, the engine's trouble among it. */
export const troubleOf = ({ store, inForce }: Firewall): RulesTrouble | null => {
  if (store.state.trouble !== null) return store.state.trouble;
  if (!inForce.hasEngineFailed) return null;
  return { kind: "engine", message: texts.engineFailed, inForce: "last-good" };
};

const coreLimitOf = (host: NativeCtx["host"]): ConfigData["coreLimit"] => {
  const { windowMs, maxRequests, message } = host.coreLimit();
  return { windowMs, maxRequests, message };
};

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
      summary: "Show the firewall's status",
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
