import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { invalid } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { adminPanel } from "../switches.ts";
import { texts } from "../texts.ts";
import type { ConfigData, RulesTrouble, Switches } from "../wire.ts";
import { configOptions } from "./described/rule-options.ts";
import { bodyOf, createHandler, editorOf, ok, savedText, type Work } from "./reply.ts";

/** The switches, and what has to do with changes that wait to be confirmed. */
export const addConfigRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes } = firewall;
  const { host } = ctx;
  const handle = (work: Work) => createHandler(ctx, firewall, work);

  const configData = (request: PluginRequest): ConfigData => {
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
    const data = configData(request);
    return ok(data, message === texts.saved ? savedText(firewall, request) : message);
  };

  const put = async (request: PluginRequest): Promise<string> => {
    const { revision, ...switches } = bodyOf<Partial<Switches> & { revision?: number }>(request);
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
      .map(([name, value]) => `${name} ${value}`)
      .join(", ")}`;
    await changes.change({ editor, what, revision: turnsOff ? undefined : revision, switches: patch });
    return texts.saved;
  };

  ctx.routes.get(
    "/config",
    configOptions.get,
    handle((request) => answer(request, "")),
  );
  ctx.routes.put(
    "/config",
    configOptions.put,
    handle(async (request) => answer(request, await put(request))),
  );
  ctx.routes.post(
    "/on",
    configOptions.on,
    handle(async (request) => {
      const switches = { masterSwitchEnabled: true };
      await changes.change({ editor: editorOf(request), what: "Turned the firewall on", switches });
      return answer(request, texts.isOn);
    }),
  );
  ctx.routes.post(
    "/off",
    configOptions.off,
    handle(async (request) => {
      await changes.switchOff(editorOf(request));
      return answer(request, texts.isOff);
    }),
  );
  ctx.routes.post(
    "/confirm",
    configOptions.confirm,
    handle(async (request) => {
      await changes.confirm(editorOf(request), bodyOf<{ revision: number }>(request).revision);
      return answer(request, texts.confirmed);
    }),
  );
  ctx.routes.post(
    "/revert",
    configOptions.revert,
    handle(async (request) => {
      await changes.revert(editorOf(request), bodyOf<{ revision: number }>(request).revision);
      return answer(request, texts.reverted);
    }),
  );
  ctx.routes.post(
    "/rules/restore",
    configOptions.restore,
    handle(async (request) => {
      const isRestored = await changes.restore(editorOf(request));
      return answer(request, isRestored ? texts.restored : texts.notDamaged);
    }),
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
