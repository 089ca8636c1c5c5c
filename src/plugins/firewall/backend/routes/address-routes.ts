import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { ownRangesIn } from "../change/lock-out.ts";
import type { Change } from "../change/pending.ts";
import {
  addAddress,
  changeAddress,
  deleteAddresses,
  type Making,
  newAddress,
  removeRange,
  withoutExpired,
} from "../edit/address-edits.ts";
import { exportAddresses, type Imported, importAddresses } from "../edit/import-addresses.ts";
import { withId } from "../edit/rule-edits.ts";
import type { Firewall } from "../firewall.ts";
import { readRange } from "../rules/range.ts";
import type { Rules, StoredAddress } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import type { AddressChange, AddressEntry, AddressesData, AddressInput, ImportInput } from "../wire.ts";
import { addressOptions } from "./described/rule-options.ts";
import {
  bodyOf,
  createHandler,
  editorOf,
  numberOf,
  ok,
  savedText,
  secondsLeft,
  textOf,
  type Work,
} from "./reply.ts";

/** The lists of addresses that are let in and kept out. */
export const addAddressRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes, hits, store, inForce, now } = firewall;
  const handle = (work: Work) => createHandler(ctx, firewall, work);

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
    const { revision } = bodyOf<{ revision?: number }>(request);
    const { edit } = rest;
    return changes.change({
      editor: editorOf(request),
      what: rest.what,
      revision,
      ...(edit ? { edit: (rules) => withoutExpired(edit(rules), now()) } : {}),
    });
  };
  const entryAnswer = (request: PluginRequest, id: string) =>
    ok({ entry: shown(withId(inForce.rules.addresses, id)), revision: store.state.revision }, saved(request));

  ctx.routes.get(
    "/addresses",
    addressOptions.list,
    handle((request) => ok(list(request))),
  );
  ctx.routes.post(
    "/addresses",
    addressOptions.add,
    handle(async (request) => {
      const entry = newAddress(bodyOf<AddressInput>(request), making(request));
      const what = `${entry.kind === "allow" ? "Allowed" : "Denied"} ${entry.range}`;
      await change(request, { what, edit: (rules) => addAddress(rules, entry, now()) });
      const done = texts.listed(what, entry.expiresAt, secondsLeft(firewall, request));
      return ok({ entry: shown(entry), revision: store.state.revision }, done);
    }),
  );
  ctx.routes.put(
    "/addresses/:id",
    addressOptions.change,
    handle(async (request) => {
      const id = request.params.id ?? "";
      const { range } = withId(inForce.rules.addresses, id);
      await change(request, {
        what: `Changed the entry ${range}`,
        edit: (rules) => changeAddress(rules, { id, change: bodyOf<AddressChange>(request), nowMs: now() }),
      });
      return entryAnswer(request, id);
    }),
  );
  ctx.routes.post(
    "/addresses/delete",
    addressOptions.delete,
    handle(async (request) => {
      const ids = new Set(bodyOf<{ ids: string[] }>(request).ids);
      const before = inForce.rules.addresses.filter(({ id }) => ids.has(id)).length;
      const what = `Removed ${before} IP addresses from the lists`;
      await change(request, { what, edit: (rules) => deleteAddresses(rules, ids) });
      return ok({ deleted: before, revision: store.state.revision }, saved(request));
    }),
  );
  ctx.routes.post(
    "/addresses/remove",
    addressOptions.remove,
    handle(async (request) => {
      const { address } = bodyOf<{ address: string }>(request);
      const what = `Removed ${readRange(address)?.text ?? address} from the lists`;
      await change(request, { what, edit: (rules) => removeRange(rules, address) });
      return ok({ revision: store.state.revision }, `${what}.`);
    }),
  );
  ctx.routes.get(
    "/addresses/export",
    addressOptions.export,
    handle((request) => {
      const format = textOf(request.query, "format") === "json" ? "json" : "csv";
      const text = exportAddresses(inForce.rules.addresses.map(shown), format);
      return ctx.respond({
        text,
        headers: {
          "content-type": format === "json" ? "application/json" : "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="firewall-addresses.${format}"`,
        },
      });
    }),
  );
  ctx.routes.post(
    "/addresses/import",
    addressOptions.import,
    handle(async (request) => {
      const input = bodyOf<ImportInput>(request);
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
    }),
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
