import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { invalid, Refused } from "../change/refused.ts";
import { type Pattern, severityScores } from "../engine/engine-types.ts";
import type { Firewall } from "../firewall.ts";
import { texts } from "../texts.ts";
import type { PatternsData } from "../wire.ts";
import { patternOptions } from "./described/rule-options.ts";
import { bodyOf, createHandler, editorOf, ok, savedText, type Work } from "./reply.ts";

/** What pages show of a pattern. */
export type PatternInfo = Pick<Pattern, "id" | "title" | "category" | "paranoia" | "severity">;

/** The attack patterns, and which of them are switched off. */
export const addPatternRoutes = (
  ctx: NativeCtx,
  firewall: Firewall,
  patterns: readonly PatternInfo[],
): void => {
  const { changes, hits, store, inForce } = firewall;
  const handle = (work: Work) => createHandler(ctx, firewall, work);
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
    const { revision } = bodyOf<{ revision?: number }>(request);
    await changes.change({
      editor: editorOf(request),
      what,
      revision,
      edit: (rules) => ({
        ...rules,
        switchedOff: [...next(new Set(rules.switchedOff))].sort((one, other) => one - other),
      }),
    });
    return ok(list(), savedText(firewall, request));
  };

  ctx.routes.get(
    "/patterns",
    patternOptions.list,
    handle(() => ok(list())),
  );
  ctx.routes.put(
    "/patterns",
    patternOptions.put,
    handle((request) => {
      const { switchedOff } = bodyOf<{ switchedOff: number[] }>(request);
      const wrong = switchedOff.findIndex((id) => !ids.has(id));
      if (wrong >= 0) throw invalid({ [`switchedOff.${wrong}`]: texts.noPattern });
      return put(request, `Disabled ${switchedOff.length} attack patterns`, () => new Set(switchedOff));
    }),
  );
  ctx.routes.put(
    "/patterns/:id",
    patternOptions.switch,
    handle((request) => {
      const id = Number(request.params.id);
      if (!ids.has(id)) throw new Refused(404, "NOT_FOUND", texts.noPattern);
      const { isOn } = bodyOf<{ isOn: boolean }>(request);
      return put(request, `${isOn ? "Enabled" : "Disabled"} attack pattern ${id}`, (before) =>
        isOn ? new Set([...before].filter((one) => one !== id)) : before.add(id),
      );
    }),
  );
};
