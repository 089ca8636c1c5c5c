import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { shownBan } from "../bans/bans.ts";
import { invalid, Refused } from "../change/refused.ts";
import { readText } from "../edit/rule-edits.ts";
import type { Firewall } from "../firewall.ts";
import { tellActivity } from "../journal/activity-notes.ts";
import { explain } from "../journal/explain.ts";
import { networkOf, readRange } from "../rules/range.ts";
import { texts } from "../texts.ts";
import { banInput, liftInput, mostRules } from "../wire/rules.ts";
import { bansData, explainData, journalData, minutesData, trafficData } from "../wire/watch.ts";
import type { BansData, JournalData, MinutesData, TrafficData } from "../wire.ts";
import {
  answering,
  asked,
  askedNumber,
  badFields,
  editorOf,
  notThere,
  numberOf,
  ok,
  paging,
  routesOf,
  textOf,
} from "./route.ts";

/** Bans, the journal and the live traffic. */
export const addWatchRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { journal, readJournal, traffic, minutes, inForce, bans, shareBans } = firewall;
  const { replica } = ctx.plugin;
  const route = routesOf(ctx, firewall);
  const tell = (request: PluginRequest, action: string): Promise<void> =>
    tellActivity(ctx, {
      ...{ type: "admin_action", action, status: "success", severity: "medium" },
      description: `By ${editorOf(request).name}`,
    });

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
  route.get(
    "/bans",
    {
      summary: "List banned IP addresses",
      description: "The current bans, newest first, both by admins and automatic ones.",
      query: {
        type: "object",
        properties: { search: asked("Only bans whose address, reason or author holds this"), ...paging },
      },
      answers: answering(bansData, badFields),
    },
    (request) => ok(listBans(request)),
  );
  route.post(
    "/bans",
    {
      summary: "Ban an IP address",
      description:
        "Bans an IPv4 address or an IPv6 /64 network for a number of minutes, and returns the bans. The ban is recorded in the activity log.",
      body: banInput,
      answers: answering(bansData, {
        ...badFields,
        409: { description: "`OWN_ADDRESS`: it is the caller's own IP address" },
      }),
    },
    async (request, input) => {
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
    },
  );
  route.post(
    "/bans/lift",
    {
      summary: "Lift a ban",
      description:
        "Lifts the ban of an IP address before it ends. The change is recorded in the activity log.",
      body: liftInput,
      answers: answering(bansData, { ...badFields, ...notThere }),
    },
    async (request, input) => {
      const address = addressIn(input.address);
      if (!bans.lift(address)) throw new Refused(404, "NOT_FOUND", texts.notFound);
      await shareBans();
      await tell(request, `Lifted the ban of ${address}`);
      return ok(listBans(request), texts.saved);
    },
  );
  route.delete(
    "/bans",
    {
      summary: "Lift all bans",
      description: "Lifts all bans immediately. The change is recorded in the activity log.",
      answers: answering(bansData),
    },
    async (request) => {
      const lifted = bans.liftAll();
      await shareBans();
      await tell(request, `Lifted ${lifted} bans`);
      return ok(listBans(request), texts.saved);
    },
  );

  route.get(
    "/journal",
    {
      summary: "List blocked and logged requests",
      description:
        "Requests that were blocked, rate limited or logged on any replica within 7 days, newest first; the newest 5,000 are kept. Values that may be secret are omitted.",
      query: {
        type: "object",
        properties: {
          verdict: asked("`blocked`, `would-block`, `limited` or `noticed`"),
          by: asked("What matched: `address`, `ban`, `country`, `rate`, `pattern`, `obstacle`, `engine`"),
          address: asked("Only requests from exactly this IP address"),
          search: asked("Only entries that contain this text"),
          before: asked("Only older entries: the value of `next` on the previous page"),
          limit: askedNumber("Number of entries: 1 to 200, 50 by default"),
        },
      },
      answers: answering(journalData, badFields),
    },
    async (request): Promise<ReturnType<typeof ok<JournalData>>> => {
      const { query } = request;
      const limit = numberOf(request, "limit", { least: 1, most: 200, otherwise: 50 });
      await readJournal();
      const wanted = Object.fromEntries(
        (["verdict", "by", "address", "search", "before"] as const).flatMap((name) => {
          const value = textOf(query, name);
          return value === undefined ? [] : [[name, value]];
        }),
      );
      return ok(journal.list({ ...wanted, limit }));
    },
  );
  route.get(
    "/explain/:id",
    {
      summary: "Explain why a request was blocked",
      description: "What matched in the request, in sentences, and what to do if it was a mistake.",
      params: { id: "The request's ID, from the response header `x-request-id`" },
      answers: answering(explainData, {
        404: { description: "There is no log entry for this request, or it has been deleted" },
      }),
    },
    async (request) => {
      const id = request.params.id ?? "";
      if (journal.find(id) === null) await readJournal();
      const entry = journal.find(id);
      if (entry === null) throw new Refused(404, "NOT_FOUND", texts.notWritten);
      const explained = explain(entry);
      return ok(explained, [...explained.sentences, ...explained.remedies].join("\n"));
    },
  );

  route.get(
    "/traffic",
    {
      summary: "Show live requests",
      description:
        "The newest requests on all servers, or those after the last ones, oldest first, with any verdict.",
      query: {
        type: "object",
        properties: {
          after: asked("Only requests after these: the value of `cursor` in the previous response"),
          limit: askedNumber("Number of requests: 1 to 500, 100 by default"),
        },
      },
      answers: answering(trafficData, badFields),
    },
    async (request) => {
      const limit = numberOf(request, "limit", { least: 1, most: 500, otherwise: 100 });
      const isWatching = inForce.switches.masterSwitchEnabled;
      if (isWatching) traffic.watch();
      const data: TrafficData = {
        ...(await traffic.after(textOf(request.query, "after", 1_000), limit)),
        ...{ replica, isWatching },
      };
      return ok(data);
    },
  );
  route.get(
    "/traffic/minutes",
    {
      summary: "Show requests per minute",
      description:
        "One row per minute, oldest first, with the number of requests allowed, blocked, rate limited and exempt on all servers.",
      query: {
        type: "object",
        properties: { hours: askedNumber("Number of hours: 1 to 24, 24 by default") },
      },
      answers: answering(minutesData, badFields),
    },
    (request) => {
      const hours = numberOf(request, "hours", { least: 1, most: 24, otherwise: 24 });
      const data: MinutesData = { minutes: minutes.list(hours), replica };
      return ok(data);
    },
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
