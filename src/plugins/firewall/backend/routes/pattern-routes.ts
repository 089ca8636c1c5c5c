import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { invalid, Refused } from "../change/refused.ts";
import { type Pattern, severityScores } from "../engine/engine-types.ts";
import type { Firewall } from "../firewall.ts";
import { texts } from "../texts.ts";
import { patternInput, patternsData, patternsInput } from "../wire/rules.ts";
import type { PatternsData } from "../wire.ts";
import {
  answering,
  byRevision,
  changeRefusals,
  editorOf,
  editRefusals,
  notThere,
  ok,
  revisionOf,
  routesOf,
  savedText,
} from "./route.ts";

/** What pages show of a pattern. */
export type PatternInfo = Pick<Pattern, "id" | "title" | "category" | "paranoia" | "severity">;

/** The attack patterns, and which of them are switched off. */
export const addPatternRoutes = (
  ctx: NativeCtx,
  firewall: Firewall,
  patterns: readonly PatternInfo[],
): void => {
  const { changes, hits, store, inForce } = firewall;
  const route = routesOf(ctx, firewall);
  const ids = new Set(patterns.map(({ id }) => id));

  const list = (): PatternsData => {
    const off = new Set(inForce.rules.switchedOff);
    const { patternsEnabled, paranoiaLevel } = inForce.switches;
    return {
      patterns: patterns.map(({ id, title, category, paranoia, severity }) => ({
        ...{ id, title, category, paranoia },
        score: severityScores[severity],
        isOn: !off.has(id),
        isInForce: patternsEnabled && !off.has(id) && paranoia <= paranoiaLevel,
        hits: hits.of("pattern", String(id)),
      })),
      revision: store.state.revision,
    };
  };

  const put = async (request: PluginRequest, what: string, next: (before: Set<number>) => Set<number>) => {
    await changes.change({
      editor: editorOf(request),
      what,
      revision: revisionOf(request),
      edit: (rules) => ({
        ...rules,
        switchedOff: [...next(new Set(rules.switchedOff))].sort((one, other) => one - other),
      }),
    });
    return ok(list(), savedText(firewall, request));
  };

  route.get(
    "/patterns",
    {
      summary: "List the attack patterns",
      description:
        "All patterns, with the points that each adds to a request's score, whether it is active, and how often it matched.",
      answers: answering(patternsData),
    },
    () => ok(list()),
  );
  route.put(
    "/patterns",
    {
      summary: "Set which attack patterns are disabled",
      description: `Disables the listed patterns and enables all others. ${byRevision}`,
      proof: "factor",
      body: patternsInput,
      answers: answering(patternsData, editRefusals),
    },
    (request, { switchedOff }) => {
      const wrong = switchedOff.findIndex((id) => !ids.has(id));
      if (wrong >= 0) throw invalid({ [`switchedOff.${wrong}`]: texts.noPattern });
      return put(request, `Disabled ${switchedOff.length} attack patterns`, () => new Set(switchedOff));
    },
  );
  route.put(
    "/patterns/:id",
    {
      summary: "Enable or disable an attack pattern",
      description: `Changes one pattern and leaves the others. ${byRevision}`,
      params: { id: "The pattern's number, as the list has it" },
      proof: "factor",
      body: patternInput,
      answers: answering(patternsData, { ...changeRefusals, ...notThere }),
    },
    (request, { isOn }) => {
      const id = Number(request.params.id);
      if (!ids.has(id)) throw new Refused(404, "NOT_FOUND", texts.noPattern);
      return put(request, `${isOn ? "Enabled" : "Disabled"} attack pattern ${id}`, (before) =>
        isOn ? new Set([...before].filter((one) => one !== id)) : before.add(id),
      );
    },
  );
};
