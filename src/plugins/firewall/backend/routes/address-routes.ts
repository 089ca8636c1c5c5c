import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { ownRangesIn } from "../change/lock-out.ts";
import type { Change } from "../change/pending.ts";
import { exportAddresses, type Imported, importAddresses } from "../edit/import-addresses.ts";
import {
  addAddress,
  changeAddress,
  deleteAddresses,
  type Making,
  newAddress,
  removeRange,
  withId,
  withoutExpired,
} from "../edit/rule-edits.ts";
import type { Firewall } from "../firewall.ts";
import { readRange } from "../rules/range.ts";
import type { Rules, StoredAddress } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import {
  addressChange,
  addressData,
  addressesData,
  addressInput,
  addressList,
  addressRemoval,
  deletedData,
  deletion,
  importData,
  importInput,
  revisionData,
} from "../wire/rules.ts";
import type { AddressEntry, AddressesData } from "../wire.ts";
import {
  answering,
  asked,
  badFields,
  byRevision,
  changeRefusals,
  editorOf,
  editRefusals,
  goesBack,
  notThere,
  numberOf,
  ofEntry,
  ok,
  paging,
  revisionOf,
  routesOf,
  savedText,
  secondsLeft,
  textOf,
} from "./route.ts";

/** The lists of addresses that are let in and kept out. */
export const addAddressRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes, hits, store, inForce, now } = firewall;
  const route = routesOf(ctx, firewall);

  const shown = (entry: StoredAddress): AddressEntry => ({ ...entry, hits: hits.of("address", entry.id) });
  const making = (request: PluginRequest): Making => ({ author: editorOf(request).name, nowMs: now() });
  const saved = (request: PluginRequest) => savedText(firewall, request);

  const list = (request: PluginRequest): AddressesData => {
    const limit = numberOf(request, "limit", { least: 1, most: 500, otherwise: 50 });
    const offset = numberOf(request, "offset", { least: 0, most: 10_000, otherwise: 0 });
    const kind = textOf(request.query, "kind");
    const search = textOf(request.query, "search")?.toLowerCase();
    const sort = textOf(request.query, "sort") ?? "created";
    const found = inForce.rules.addresses
      .filter((entry) => (kind === undefined || entry.kind === kind) && matches(entry, search))
      .map(shown)
      .sort(orders[sort] ?? byCreation);
    return {
      entries: found.slice(offset, offset + limit),
      pagination: { total: found.length, limit, offset },
      revision: store.state.revision,
    };
  };

  const change = (request: PluginRequest, rest: Pick<Change, "what" | "edit">): Promise<void> => {
    const { edit } = rest;
    return changes.change({
      editor: editorOf(request),
      what: rest.what,
      revision: revisionOf(request),
      ...(edit ? { edit: (rules, edited) => withoutExpired(edit(rules, edited), now()) } : {}),
    });
  };
  const entryAnswer = (request: PluginRequest, id: string) =>
    ok({ entry: shown(withId(inForce.rules.addresses, id)), revision: store.state.revision }, saved(request));

  route.get(
    "/addresses",
    {
      summary: "List allowed and denied IP addresses",
      description:
        "The matching entries, newest first by default, with the number of requests that each matched.",
      query: {
        type: "object",
        properties: {
          kind: {
            type: "string",
            // Other kinds would look as if there were none.
            enum: ["allow", "deny", ""],
            description: "Only allowed or only denied entries",
          },
          search: asked("Only entries whose range, note or author holds this"),
          sort: asked("`created`, `range` or `hits`"),
          ...paging,
        },
      },
      answers: answering(addressesData, badFields),
    },
    (request) => ok(list(request)),
  );
  route.post(
    "/addresses",
    {
      summary: "Allow or deny an IP address or range",
      description: `Adds one entry, permanent or with an expiry: \`for\` is a duration such as 12h, \`expiresAt\` an ISO time. ${byRevision} ${goesBack}`,
      body: addressInput,
      answers: answering(addressData, editRefusals),
    },
    async (request, input) => {
      const entry = newAddress(input, making(request));
      const what = `${entry.kind === "allow" ? "Allowed" : "Denied"} ${entry.range}`;
      await change(request, { what, edit: (rules) => addAddress(rules, entry, now()) });
      const done = texts.listed(what, entry.expiresAt, secondsLeft(firewall, request));
      return ok({ entry: shown(entry), revision: store.state.revision }, done);
    },
  );
  route.put(
    "/addresses/:id",
    {
      summary: "Change an entry of the IP lists",
      description: `Changes kind, note or expiry of an entry; omitted fields stay. ${byRevision} ${goesBack}`,
      params: ofEntry,
      body: addressChange,
      answers: answering(addressData, { ...editRefusals, ...notThere }),
    },
    async (request, input) => {
      const id = request.params.id ?? "";
      const { range } = withId(inForce.rules.addresses, id);
      await change(request, {
        what: `Changed the entry ${range}`,
        edit: (rules) => changeAddress(rules, { id, change: input, nowMs: now() }),
      });
      return entryAnswer(request, id);
    },
  );
  route.post(
    "/addresses/delete",
    {
      summary: "Remove several entries of the IP lists",
      description: `Removes the entries with these IDs and returns how many there were. ${byRevision} ${goesBack}`,
      body: deletion,
      answers: answering(deletedData, { ...changeRefusals, ...notThere }),
    },
    async (request, input) => {
      const ids = new Set(input.ids);
      const before = inForce.rules.addresses.filter(({ id }) => ids.has(id)).length;
      const what = `Removed ${before} IP addresses from the lists`;
      await change(request, { what, edit: (rules) => deleteAddresses(rules, ids) });
      return ok({ deleted: before, revision: store.state.revision }, saved(request));
    },
  );
  route.post(
    "/addresses/remove",
    {
      summary: "Remove the entry of an IP address or range",
      description: `Removes the entry with exactly this range, in any notation. ${byRevision} ${goesBack}`,
      body: addressRemoval,
      answers: answering(revisionData, { ...editRefusals, ...notThere }),
    },
    async (request, { address }) => {
      const what = `Removed ${readRange(address)?.text ?? address} from the lists`;
      await change(request, { what, edit: (rules) => removeRange(rules, address) });
      return ok({ revision: store.state.revision }, `${what}.`);
    },
  );
  route.get(
    "/addresses/export",
    {
      summary: "Export the IP lists",
      description: "All entries as a CSV or JSON file, for a backup or for import elsewhere.",
      query: {
        type: "object",
        properties: { format: asked("`json` for a JSON list; a table (RFC 4180) for anything else", 20) },
      },
      answers: {
        200: {
          description: "All entries, as an attachment",
          schema: addressList,
          texts: {
            "text/csv":
              "address,kind,note,expiresAt,author,createdAt,hits\r\n198.51.100.0/24,deny,Scanners,,Ada Lovelace,2026-01-31T14:30:00.000Z,12\r\n",
          },
        },
      },
    },
    (request) => {
      const format = textOf(request.query, "format") === "json" ? "json" : "csv";
      const text = exportAddresses(inForce.rules.addresses.map(shown), format);
      return ctx.respond({
        text,
        headers: {
          "content-type": format === "json" ? "application/json" : "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="firewall-addresses.${format}"`,
        },
      });
    },
  );
  route.post(
    "/addresses/import",
    {
      summary: "Import entries of the IP lists",
      description: `Adds the entries in the text, 5,000 lines at most, and returns the result for each; existing entries stay unchanged. With \`isTrial\` nothing is saved. ${goesBack}`,
      body: importInput,
      answers: answering(importData, editRefusals),
    },
    async (request, input) => {
      const { ip } = editorOf(request);
      const read = (rules = inForce.rules): Imported =>
        importAddresses(rules, {
          ...{ input, making: making(request) },
          // Without a trial the change service refuses it all.
          ...(input.isTrial === true && {
            ownIn: (next: Rules) =>
              ownRangesIn({ host: ctx.host, now }, { rules, switches: inForce.switches }, next, ip),
          }),
        });
      let { report } = read();
      if (input.isTrial !== true && report.added > 0)
        await change(request, {
          what: `Imported ${report.added} IP addresses`,
          edit: (rules) => {
            const imported = read(rules);
            ({ report } = imported);
            return imported.rules;
          },
        });
      return ok({ ...report, revision: store.state.revision }, saved(request));
    },
  );
};

const matches = (entry: StoredAddress, search: string | undefined): boolean =>
  search === undefined ||
  [entry.range, entry.note, entry.author].some((text) => text.toLowerCase().includes(search));

type Order = (one: AddressEntry, other: AddressEntry) => number;

const byCreation: Order = (one, other) => other.createdAt.localeCompare(one.createdAt);
const byRange: Order = (one, other) => {
  const [first, second] = [readRange(one.range), readRange(other.range)];
  if (first === null || second === null || first.family !== second.family)
    return (first?.family ?? 0) - (second?.family ?? 0);
  return Number(first.first > second.first) - Number(first.first < second.first);
};
const orders: Record<string, Order> = {
  created: byCreation,
  range: byRange,
  hits: (one, other) => other.hits - one.hits,
};
