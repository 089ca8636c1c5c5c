import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { shownBan } from "../bans/bans.ts";
import { invalid, Refused } from "../change/refused.ts";
import { readText } from "../edit/rule-edits.ts";
import type { Firewall } from "../firewall.ts";
import { explain } from "../journal/explain.ts";
import { networkOf, readRange } from "../rules/range.ts";
import { texts } from "../texts.ts";
import { mostRules } from "../wire/rules.ts";
import type { BansData, JournalData, MinutesData, TrafficData } from "../wire.ts";
import { banOptions, journalOptions, trafficOptions } from "./described/watch-options.ts";
import { bodyOf, createHandler, editorOf, numberOf, ok, textOf, type Work } from "./reply.ts";

/** Bans, the journal and the live traffic. */
export const addWatchRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { journal, journalStore, traffic, minutes, inForce, bans, shareBans } = firewall;
  const { replica } = ctx.plugin;
  const handle = (work: Work) => createHandler(ctx, firewall, work);
  // It is done by then, and its caller is told so whether or not the log takes another line this minute.
  const tell = (request: PluginRequest, action: string): Promise<void> =>
    ctx.activity
      .log({
        type: "admin_action",
        action: action.slice(0, 180),
        description: `By ${editorOf(request).name}`,
        status: "success",
        severity: "medium",
      })
      .catch((error) => ctx.log("warn", `${action}, by ${editorOf(request).name}; not recorded: ${error}`));

  const listBans = (request: PluginRequest): BansData => {
    const limit = numberOf(request, "limit", { least: 1, most: 500, otherwise: 50 });
    const offset = numberOf(request, "offset", { least: 0, most: 10_000, otherwise: 0 });
    const search = textOf(request.query, "search")?.toLowerCase() ?? "";
    const found = bans
      .list()
      .filter(({ address, reason, author }) =>
        [address, reason, author].some((text) => text.toLowerCase().includes(search)),
      );
    const page = found.slice(offset, offset + limit).map(shownBan);
    return { bans: page, pagination: { total: found.length, limit, offset } };
  };
  ctx.routes.get(
    "/bans",
    banOptions.list,
    handle((request) => ok(listBans(request))),
  );
  ctx.routes.post(
    "/bans",
    banOptions.set,
    handle(async (request) => {
      const input = bodyOf<{ address: string; minutes: number; note?: string }>(request);
      const address = addressIn(input.address);
      const note = readText(input.note ?? "", mostRules.noteLength);
      if ("complaint" in note) throw invalid({ note: note.complaint });
      const editor = editorOf(request);
      if (editor.ip !== null && networkOf(editor.ip) === address)
        throw new Refused(409, "OWN_ADDRESS", texts.ownAddress(editor.ip, texts.ownBanned));
      const reason = note.text === "" ? `Banned by ${editor.name}` : note.text;
      bans.set({ address, reason, author: editor.name, ms: input.minutes * 60_000 });
      await shareBans();
      await tell(request, `Banned ${address} for ${input.minutes} minutes`);
      return ok(listBans(request), texts.saved);
    }),
  );
  ctx.routes.post(
    "/bans/lift",
    banOptions.lift,
    handle(async (request) => {
      const address = addressIn(bodyOf<{ address: string }>(request).address);
      if (!bans.lift(address)) throw new Refused(404, "NOT_FOUND", texts.notFound);
      await shareBans();
      await tell(request, `Lifted the ban of ${address}`);
      return ok(listBans(request), texts.saved);
    }),
  );
  ctx.routes.delete(
    "/bans",
    banOptions.liftAll,
    handle(async (request) => {
      const lifted = bans.liftAll();
      await shareBans();
      await tell(request, `Lifted ${lifted} bans`);
      return ok(listBans(request), texts.saved);
    }),
  );

  // What other replicas wrote down is read when somebody looks.
  const readOthers = async (): Promise<void> => {
    journal.merge(await journalStore.sync().catch(() => []));
  };
  ctx.routes.get(
    "/journal",
    journalOptions.list,
    handle(async (request): Promise<ReturnType<typeof ok<JournalData>>> => {
      const { query } = request;
      const limit = numberOf(request, "limit", { least: 1, most: 200, otherwise: 50 });
      await readOthers();
      const wanted = Object.fromEntries(
        (["verdict", "by", "address", "search", "before"] as const).flatMap((name) => {
          const value = textOf(query, name);
          return value === undefined ? [] : [[name, value]];
        }),
      );
      return ok(journal.list({ ...wanted, limit }));
    }),
  );
  ctx.routes.get(
    "/explain/:id",
    journalOptions.explain,
    handle(async (request) => {
      const id = request.params.id ?? "";
      if (journal.find(id) === null) await readOthers();
      const entry = journal.find(id);
      if (entry === null) throw new Refused(404, "NOT_FOUND", texts.notWritten);
      const explained = explain(entry);
      return ok(explained, [...explained.sentences, ...explained.remedies].join("\n"));
    }),
  );

  ctx.routes.get(
    "/traffic",
    trafficOptions.rows,
    handle(async (request) => {
      const limit = numberOf(request, "limit", { least: 1, most: 500, otherwise: 100 });
      const isWatching = inForce.switches.masterSwitchEnabled;
      if (isWatching) traffic.watch();
      const data: TrafficData = {
        ...(await traffic.after(textOf(request.query, "after", 1_000), limit)),
        ...{ replica, isWatching },
      };
      return ok(data);
    }),
  );
  ctx.routes.get(
    "/traffic/minutes",
    trafficOptions.minutes,
    handle((request) => {
      const hours = numberOf(request, "hours", { least: 1, most: 24, otherwise: 24 });
      const data: MinutesData = { minutes: minutes.list(hours), replica };
      return ok(data);
    }),
  );
};

/** The address that a ban is kept under. Throws {@link Refused}. */
const addressIn = (text: string): string => {
  const range = readRange(text);
  const isOne = range !== null && range.first === range.last;
  if (isOne) return networkOf(range.text);
  if (range?.family === 6 && range.prefix === 64) return range.text;
  throw invalid({ address: texts.notAnAddress });
};
