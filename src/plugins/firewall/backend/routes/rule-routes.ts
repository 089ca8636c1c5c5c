import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginRequest } from "#plugins/sdk/types.ts";
import { Refused } from "../change/refused.ts";
import {
  countriesFrom,
  exemptionFrom,
  putExemption,
  putRate,
  rateFrom,
  withId,
  without,
} from "../edit/rule-edits.ts";
import type { Firewall } from "../firewall.ts";
import { isCovered, proposalsOf } from "../journal/proposals.ts";
import { builtInExemptions } from "../rules/built-in.ts";
import type { Rules } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import { mostRules } from "../wire/rules.ts";
import type {
  CountriesData,
  CountryRules,
  ExemptionInput,
  ExemptionsData,
  ProposalsData,
  RateInput,
  RatesData,
} from "../wire.ts";
import { countryOptions, exemptionOptions, rateOptions } from "./described/rule-options.ts";
import { bodyOf, createHandler, editorOf, ok, savedText, type Work } from "./reply.ts";

/** Countries, rates and exemptions. */
export const addRuleRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes, hits, store, inForce, journal, journalStore } = firewall;
  const { host } = ctx;
  const handle = (work: Work) => createHandler(ctx, firewall, work);
  const saved = (request: PluginRequest) => savedText(firewall, request);

  const change = (request: PluginRequest, what: string, edit: (rules: Rules) => Rules): Promise<void> => {
    const revision = request.body === null ? undefined : bodyOf<{ revision?: number }>(request).revision;
    return changes.change({ editor: editorOf(request), what, revision, edit });
  };

  const countries = (request: PluginRequest): CountriesData => {
    const { ip } = editorOf(request);
    return {
      ...inForce.rules.countries,
      knowsCountries: host.knowsCountries,
      notice: host.knowsCountries ? "" : texts.noCountries,
      ownCountry: ip === null ? null : host.countryOf(ip),
      hits: hits.sum("country"),
      revision: store.state.revision,
    };
  };
  ctx.routes.get(
    "/countries",
    countryOptions.get,
    handle((request) => ok(countries(request))),
  );
  ctx.routes.put(
    "/countries",
    countryOptions.put,
    handle(async (request) => {
      const input = bodyOf<Partial<CountryRules>>(request);
      countriesFrom(input, inForce.rules.countries);
      await change(request, "Changed the country rules", (rules) => ({
        ...rules,
        countries: countriesFrom(input, rules.countries),
      }));
      return ok(countries(request), saved(request));
    }),
  );

  const rates = (): RatesData => ({
    rules: inForce.rules.rates.map((rule) => ({ ...rule, hits: hits.of("rate", rule.id) })),
    isCounting: inForce.switches.rateLimitingEnabled,
    most: mostRules.rates,
    revision: store.state.revision,
  });
  ctx.routes.get(
    "/rates",
    rateOptions.list,
    handle(() => ok(rates())),
  );
  ctx.routes.post(
    "/rates",
    rateOptions.add,
    handle(async (request) => {
      const rule = rateFrom(bodyOf<RateInput>(request));
      await change(request, `Added the rate rule "${rule.title}"`, (rules) => putRate(rules, rule));
      return ok(rates(), saved(request));
    }),
  );
  ctx.routes.put(
    "/rates/:id",
    rateOptions.change,
    handle(async (request) => {
      const id = request.params.id ?? "";
      const input = bodyOf<RateInput>(request);
      const { title } = rateFrom(input, withId(inForce.rules.rates, id));
      await change(request, `Changed the rate rule "${title}"`, (rules) =>
        putRate(rules, rateFrom(input, withId(rules.rates, id))),
      );
      return ok(rates(), saved(request));
    }),
  );
  ctx.routes.delete(
    "/rates/:id",
    rateOptions.remove,
    handle(async (request) => {
      const { id, title } = withId(inForce.rules.rates, request.params.id ?? "");
      await change(request, `Removed the rate rule "${title}"`, (rules) => ({
        ...rules,
        rates: without(rules.rates, id),
      }));
      return ok(rates(), saved(request));
    }),
  );

  const exemptions = (): ExemptionsData => ({
    exemptions: [
      ...builtInExemptions.map(({ places: _places, ...one }) => ({ ...one, isBuiltIn: true })),
      ...inForce.rules.exemptions.map((one) => ({ ...one, isBuiltIn: false })),
    ],
    most: mostRules.exemptions,
    revision: store.state.revision,
  });
  const ownExemption = (id: string) => {
    if (builtInExemptions.some((one) => one.id === id)) throw new Refused(409, "CONFLICT", texts.builtIn);
    return withId(inForce.rules.exemptions, id);
  };
  ctx.routes.get(
    "/exemptions",
    exemptionOptions.list,
    handle(() => ok(exemptions())),
  );
  const proposals = async (): Promise<ProposalsData> => {
    journal.merge(await journalStore.sync().catch(() => []));
    const { entries } = journal.list({ by: "pattern", limit: journal.size });
    return {
      proposals: proposalsOf(entries, inForce.rules.exemptions),
      revision: store.state.revision,
    };
  };
  ctx.routes.get(
    "/proposals",
    exemptionOptions.proposals,
    handle(async () => ok(await proposals())),
  );
  ctx.routes.post(
    "/proposals/:id/accept",
    exemptionOptions.accept,
    handle(async (request) => {
      const found = (await proposals()).proposals.find(({ id }) => id === request.params.id);
      if (found === undefined) throw new Refused(404, "NOT_FOUND", texts.noProposal);
      const { method, path, fields, requests, users } = found;
      const note = texts.accepted(editorOf(request).name, requests, users).slice(0, mostRules.noteLength);
      const exemption = exemptionFrom({ method, path, fields, categories: found.categories, note });
      const what = `Accepted the proposed exemption of ${fields.join(", ")} for ${method} ${path}`;
      await change(request, what, (rules) => {
        // Another admin was quicker.
        if (isCovered(found, found, rules.exemptions)) throw new Refused(404, "NOT_FOUND", texts.noProposal);
        return putExemption(rules, exemption);
      });
      return ok(exemptions(), texts.exempted(fields.join(", "), `${method} ${path}`));
    }),
  );
  ctx.routes.post(
    "/exemptions",
    exemptionOptions.add,
    handle(async (request) => {
      const exemption = exemptionFrom(bodyOf<ExemptionInput>(request));
      const what = `Added an exemption for ${exemption.method} ${exemption.path}`;
      await change(request, what, (rules) => putExemption(rules, exemption));
      return ok(exemptions(), saved(request));
    }),
  );
  ctx.routes.put(
    "/exemptions/:id",
    exemptionOptions.change,
    handle(async (request) => {
      const { id, path } = ownExemption(request.params.id ?? "");
      const input = bodyOf<ExemptionInput>(request);
      exemptionFrom(input, withId(inForce.rules.exemptions, id));
      await change(request, `Changed the exemption for ${path}`, (rules) =>
        putExemption(rules, exemptionFrom(input, withId(rules.exemptions, id))),
      );
      return ok(exemptions(), saved(request));
    }),
  );
  ctx.routes.delete(
    "/exemptions/:id",
    exemptionOptions.remove,
    handle(async (request) => {
      const { id, path } = ownExemption(request.params.id ?? "");
      await change(request, `Removed the exemption for ${path}`, (rules) => ({
        ...rules,
        exemptions: without(rules.exemptions, id),
      }));
      return ok(exemptions(), saved(request));
    }),
  );
};
