import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import { compile, engineOptionsOf, type MakeEngine } from "../change/in-force.ts";
import type { State } from "../change/lock-out.ts";
import { Refused } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { createRouteKinds } from "../inspect/judge-rates.ts";
import { isCovered } from "../journal/proposals.ts";
import { createJudgeFact, draftState } from "../replay/judge-fact.ts";
import { texts } from "../texts.ts";
import { replayInput } from "../wire/rules.ts";
import { replayData } from "../wire/watch.ts";
import type { ReplayData } from "../wire.ts";
import { answering, badFields, editorOf, notThere, ok, routesOf } from "./route.ts";

const ofReplay = { id: "The replay's ID, from the response that started it" };

/** Trying rules on what came in the last 24 hours, before they are in force. */
export const addReplayRoutes = (ctx: NativeCtx, firewall: Firewall, makeEngine: MakeEngine): void => {
  const { facts, factsStore, replays, inForce, now } = firewall;
  const { host } = ctx;
  const route = routesOf(ctx, firewall);
  const kindOf = createRouteKinds(host, now);

  const judgeOf = ({ rules, switches }: State) => {
    const isOn = switches.patternsEnabled && switches.masterSwitchEnabled;
    const engine = isOn ? makeEngine(engineOptionsOf(rules, switches)) : null;
    const compiled = compile({ rules, switches, host, engine, now });
    return createJudgeFact(compiled, { limit: host.coreLimit(), kindOf });
  };

  route.post(
    "/replay",
    {
      summary: "Test rules on the last 24 hours",
      description:
        "Starts a comparison of a draft with the active rules, on the stored requests of the last 24 hours; nothing is changed. Whatever the draft omits stays as it is.",
      proof: "none",
      body: replayInput,
      answers: answering(
        replayData,
        {
          ...badFields,
          409: {
            description:
              "`CONFLICT`: another replay runs, or the draft contradicts the rules; `LIMIT_EXCEEDED`: it has too many entries",
          },
        },
        202,
      ),
    },
    async (request, input) => {
      const editor = editorOf(request);
      const state: State = { rules: inForce.rules, switches: inForce.switches };
      const making = { author: editor.name, nowMs: now() };
      const draft = draftState(state, input, making);
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
    },
  );
  /** Without the proposals that an exemption covers by now. */
  const found = (data: ReplayData | null): ReplayData => {
    if (data === null) throw new Refused(404, "NOT_FOUND", texts.notFound);
    const { exemptions } = inForce.rules;
    return { ...data, proposals: data.proposals.filter((one) => !isCovered(one, one, exemptions)) };
  };
  route.get(
    "/replay/:id",
    {
      summary: "Show a replay's progress and results",
      description:
        "Poll until the state is no longer `running`. Any server answers; the results are kept for ten minutes.",
      params: ofReplay,
      answers: answering(replayData, notThere),
    },
    async (request) => ok(found(await replays.find(request.params.id ?? ""))),
  );
  route.delete(
    "/replay/:id",
    {
      summary: "Cancel a replay",
      description: "Cancels a running replay and returns its results so far; a finished replay is unchanged.",
      proof: "none",
      params: ofReplay,
      answers: answering(replayData, notThere),
    },
    async (request) => ok(found(await replays.cancel(request.params.id ?? ""))),
  );
};
