import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import { isAsLeft, undone } from "../change/history.ts";
import { linesOf } from "../change/history-words.ts";
import { Refused } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { texts } from "../texts.ts";
import type { HistoryData, Switches } from "../wire.ts";
import { historyOptions } from "./described/rule-options.ts";
import { createHandler, editorOf, numberOf, ok, savedText, type Work } from "./reply.ts";

/** The last changes, each of which can be reverted. */
export const addHistoryRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes, history, inForce, store } = firewall;
  const handle = (work: Work) => createHandler(ctx, firewall, work);

  const shown = async (limit?: number): Promise<HistoryData> => {
    const state = { rules: inForce.rules, switches: inForce.switches };
    return {
      changes: (await history.list()).slice(0, limit).map(({ parts, ...change }) => ({
        ...change,
        lines: linesOf(parts),
        canRevert: isAsLeft(state, parts),
      })),
      revision: store.state.revision,
    };
  };

  ctx.routes.get(
    "/history",
    historyOptions.list,
    handle(async (request) =>
      ok(await shown(numberOf(request, "limit", { least: 1, most: 100, otherwise: 100 }))),
    ),
  );
  ctx.routes.post(
    "/history/:id/revert",
    historyOptions.revert,
    handle(async (request) => {
      const found = (await history.list()).find(({ id }) => String(id) === request.params.id);
      if (found === undefined) throw new Refused(404, "NOT_FOUND", texts.noChange);
      const { id, what, parts } = found;
      const back = (rules = inForce.rules) => undone({ rules, switches: inForce.switches }, parts);
      const { switches } = back();
      const names = parts.flatMap(({ name }) => (name.startsWith("switch ") ? [name.slice(7)] : []));
      const patch: Partial<Switches> = Object.fromEntries(
        Object.entries(switches).filter(([name]) => names.includes(name)),
      );
      await changes.change({
        editor: editorOf(request),
        what: `Reverted change ${id}: ${what}`,
        reverts: id,
        switches: patch,
        edit: (rules) => back(rules).rules,
      });
      return ok(await shown(), savedText(firewall, request));
    }),
  );
};
