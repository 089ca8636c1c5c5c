import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import { compile, engineOptionsOf, type MakeEngine } from "../change/in-force.ts";
import type { State } from "../change/lock-out.ts";
import { Refused } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { createRouteKinds } from "../inspect/judge-rates.ts";
import { createJudgeFact, draftState } from "../replay/judge-fact.ts";
import { texts } from "../texts.ts";
import type { ReplayDraft } from "../wire.ts";
import { replayOptions } from "./described/watch-options.ts";
import { bodyOf, createHandler, editorOf, ok, type Work } from "./reply.ts";

/** Trying rules on what came in the last 24 hours, before they are in force. */
export const addReplayRoutes = (ctx: NativeCtx, firewall: Firewall, makeEngine: MakeEngine): void => {
  const { facts, factsStore, replays, inForce, now } = firewall;
  const { host } = ctx;
  const handle = (work: Work) => createHandler(ctx, firewall, work);
  const kindOf = createRouteKinds(host, now);

  const judgeOf = ({ rules, switches }: State) => {
    const isOn = switches.patternsEnabled && switches.masterSwitchEnabled;
    const engine = isOn ? makeEngine(engineOptionsOf(rules, switches)) : null;
    const compiled = compile({ rules, switches, host, engine, now });
    return createJudgeFact(compiled, { limit: host.coreLimit(), kindOf });
  };

  ctx.routes.post(
    "/replay",
    replayOptions.start,
    handle(async (request) => {
      const editor = editorOf(request);
      const state: State = { rules: inForce.rules, switches: inForce.switches };
      const making = { author: editor.name, nowMs: now() };
      const draft = draftState(state, bodyOf<ReplayDraft>(request), making);
      const { others } = await factsStore.load();
      const own = facts.all();
      const known = [...own.facts, ...others.flatMap((hour) => hour.facts)];
      const data = replays.start({
        facts: known.sort((one, other) => one.at - other.at),
        seen: own.seen + others.reduce((sum, { seen }) => sum + seen, 0),
        now: judgeOf(state),
        draft: judgeOf(draft),
        editorId: editor.id,
        exemptions: draft.rules.exemptions,
        threshold: draft.switches.threshold,
      });
      return ctx.respond({ status: 202, json: ok(data) });
    }),
  );
  const found = <T>(data: T | null): T => {
    if (data === null) throw new Refused(404, "NOT_FOUND", texts.notFound);
    return data;
  };
  ctx.routes.get(
    "/replay/:id",
    replayOptions.get,
    handle(async (request) => ok(found(await replays.find(request.params.id ?? "")))),
  );
  ctx.routes.delete(
    "/replay/:id",
    replayOptions.cancel,
    handle(async (request) => ok(found(await replays.cancel(request.params.id ?? "")))),
  );
};
