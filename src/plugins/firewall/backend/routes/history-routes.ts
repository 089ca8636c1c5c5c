import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import { asLeftTest, type ChangedPart, type ListedChange, undone, withBefore } from "../change/history.ts";
import { linesOf } from "../change/history-words.ts";
import { Refused } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { texts } from "../texts.ts";
import { historyData } from "../wire/rules.ts";
import type { HistoryChange, HistoryData, Switches } from "../wire.ts";
import {
  answering,
  askedNumber,
  badFields,
  changeRefusals,
  editorOf,
  goesBack,
  notThere,
  numberOf,
  ok,
  routesOf,
  savedText,
} from "./route.ts";

/** The last changes, each of which can be reverted. */
export const addHistoryRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes, history, inForce, store } = firewall;
  const route = routesOf(ctx, firewall);

  const shown = async (limit?: number): Promise<HistoryData> => {
    const isAsLeft = asLeftTest({ rules: inForce.rules, switches: inForce.switches });
    const changes: HistoryChange[] = [];
    for (const change of await history.list(limit)) {
      const { first, partCount, ...rest } = change;
      changes.push({
        ...rest,
        lines: [...linesOf(first, partCount), ...(change.isWhole ? [] : [texts.notWhole])],
        canRevert: await canRevert(change, isAsLeft),
      });
    }
    return { changes, revision: store.state.revision };
  };

  /** Reads no more of a large change than it takes to know. */
  const canRevert = async (
    change: ListedChange,
    isAsLeft: (parts: ChangedPart[]) => boolean,
  ): Promise<boolean> => {
    for await (const piece of history.pieces(change)) if (piece === null || !isAsLeft(piece)) return false;
    return true;
  };

  const partsOf = async (change: ListedChange): Promise<ChangedPart[]> => {
    const parts: ChangedPart[] = [];
    for await (const piece of history.pieces(change)) {
      if (piece === null) throw new Refused(409, "CONFLICT", texts.notWhole);
      parts.push(...piece);
    }
    return parts;
  };

  route.get(
    "/history",
    {
      summary: "List changes of the firewall's rules and switches",
      description:
        "The last 100 changes, newest first: who made each, when, what it changed, and whether it can be reverted.",
      query: { type: "object", properties: { limit: askedNumber("Number of changes, 100 at most") } },
      answers: answering(historyData, badFields),
    },
    async (request) => ok(await shown(numberOf(request, "limit", { least: 1, most: 100, otherwise: 100 }))),
  );
  route.post(
    "/history/:id/revert",
    {
      summary: "Revert a change",
      description: `Undoes what the change did, and returns the history, to which this is added. Something that was changed again later cannot be reverted, nor can a very large change whose details are no longer kept. ${goesBack}`,
      params: { id: "The change's number, as in the list" },
      proof: "factor",
      answers: answering(historyData, { ...changeRefusals, ...notThere }),
    },
    async (request) => {
      const found = await history.find(request.params.id ?? "");
      if (found === null) throw new Refused(404, "NOT_FOUND", texts.noChange);
      const { id, what } = found;
      const parts = await partsOf(found);
      const now = () => ({ rules: inForce.rules, switches: inForce.switches });
      const { switches } = undone(now(), parts);
      const names = parts.flatMap(({ name }) => (name.startsWith("switch ") ? [name.slice(7)] : []));
      const patch: Partial<Switches> = Object.fromEntries(
        Object.entries(switches).filter(([name]) => names.includes(name)),
      );
      await changes.change({
        editor: editorOf(request),
        what: `Reverted change ${id}: ${what}`,
        reverts: id,
        switches: patch,
        // What a trial goes back to may be without the change already.
        edit: (rules, edited) => {
          const revertIn = edited === "in force" ? undone : withBefore;
          return revertIn({ ...now(), rules }, parts).rules;
        },
      });
      return ok(await shown(), savedText(firewall, request));
    },
  );
};
