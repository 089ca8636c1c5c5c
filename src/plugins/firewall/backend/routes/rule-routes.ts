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
import {
  countriesData,
  countriesInput,
  exemptionChange,
  exemptionInput,
  exemptionsData,
  mostRules,
  proposalsData,
  rateChange,
  rateInput,
  ratesData,
} from "../wire/rules.ts";
import type { CountriesData, ExemptionsData, ProposalsData, RatesData } from "../wire.ts";
import {
  answering,
  asked,
  byRevision,
  changeRefusals,
  editorOf,
  editRefusals,
  goesBack,
  notThere,
  ofEntry,
  ok,
  revisionOf,
  routesOf,
  savedText,
  textOf,
} from "./route.ts";

/** Countries, rates and exemptions. */
export const addRuleRoutes = (ctx: NativeCtx, firewall: Firewall): void => {
  const { changes, hits, store, inForce, journal, readJournal, replays } = firewall;
  const { host } = ctx;
  const route = routesOf(ctx, firewall);
  const saved = (request: PluginRequest) => savedText(firewall, request);

  const change = (request: PluginRequest, what: string, edit: (rules: Rules) => Rules): Promise<void> => {
    return changes.change({ editor: editorOf(request), what, revision: revisionOf(request), edit });
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
  route.get(
    "/countries",
    {
      summary: "Show the country rules",
      description: "Which countries are allowed or denied, and whether this server has a country database.",
      answers: answering(countriesData),
    },
    (request) => ok(countries(request)),
  );
  route.put(
    "/countries",
    {
      summary: "Change the country rules",
      description: `Sets the mode, the list of countries (ISO 3166-1), or both. ${byRevision} ${goesBack}`,
      body: countriesInput,
      answers: answering(countriesData, editRefusals),
    },
    async (request, input) => {
      countriesFrom(input, inForce.rules.countries);
      await change(request, "Changed the country rules", (rules) => ({
        ...rules,
        countries: countriesFrom(input, rules.countries),
      }));
      return ok(countries(request), saved(request));
    },
  );

  const rates = (): RatesData => ({
    rules: inForce.rules.rates.map((rule) => ({ ...rule, hits: hits.of("rate", rule.id) })),
    isCounting: inForce.switches.masterSwitchEnabled,
    most: mostRules.rates,
    revision: store.state.revision,
  });
  route.get(
    "/rates",
    {
      summary: "List the rate rules",
      description: "The rate rules, with the number of requests that each refused.",
      answers: answering(ratesData),
    },
    () => ok(rates()),
  );
  route.post(
    "/rates",
    {
      summary: "Add a rate rule",
      description: `Adds a rule for requests to a path; omitted fields have defaults. ${byRevision} ${goesBack}`,
      body: rateInput,
      answers: answering(ratesData, editRefusals),
    },
    async (request, input) => {
      const rule = rateFrom(input);
      await change(request, `Added the rate rule "${rule.title}"`, (rules) => putRate(rules, rule));
      return ok(rates(), saved(request));
    },
  );
  route.put(
    "/rates/:id",
    {
      summary: "Change a rate rule",
      description: `Changes the given fields and leaves the rest of the rule. ${byRevision} ${goesBack}`,
      params: ofEntry,
      body: rateChange,
      answers: answering(ratesData, { ...editRefusals, ...notThere }),
    },
    async (request, input) => {
      const id = request.params.id ?? "";
      const { title } = rateFrom(input, withId(inForce.rules.rates, id));
      await change(request, `Changed the rate rule "${title}"`, (rules) =>
        putRate(rules, rateFrom(input, withId(rules.rates, id))),
      );
      return ok(rates(), saved(request));
    },
  );
  route.delete(
    "/rates/:id",
    {
      summary: "Remove a rate rule",
      description: "Removes the rule; requests no longer count toward it.",
      params: ofEntry,
      answers: answering(ratesData, { ...changeRefusals, ...notThere }),
    },
    async (request) => {
      const { id, title } = withId(inForce.rules.rates, request.params.id ?? "");
      await change(request, `Removed the rate rule "${title}"`, (rules) => ({
        ...rules,
        rates: without(rules.rates, id),
      }));
      return ok(rates(), saved(request));
    },
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
  route.get(
    "/exemptions",
    {
      summary: "List exemptions from the attack patterns",
      description: "Routes and fields in which patterns are not checked, built-in ones first.",
      answers: answering(exemptionsData),
    },
    () => ok(exemptions()),
  );
  const proposals = async (): Promise<ProposalsData> => {
    await readJournal();
    const { entries } = journal.list({ by: "pattern", limit: journal.size });
    return {
      proposals: proposalsOf(entries, inForce.rules.exemptions),
      revision: store.state.revision,
    };
  };
  route.get(
    "/proposals",
    {
      summary: "List proposed exemptions",
      description:
        "Exemptions with which requests of signed-in users would have passed that attack patterns blocked within 7 days, or would have blocked; those of most users first. Requests of visitors, or that another site may have started, propose none.",
      answers: answering(proposalsData),
    },
    async () => ok(await proposals()),
  );
  route.post(
    "/proposals/:id/accept",
    {
      summary: "Accept a proposed exemption",
      description: "Adds the exemption, and returns all of them. Removing it reverts this.",
      params: { id: "The proposal's ID, as in the list" },
      query: {
        type: "object",
        properties: { replay: asked("The ID of the replay that proposes it, if any") },
      },
      proof: "factor",
      answers: answering(exemptionsData, { ...editRefusals, ...notThere }),
    },
    async (request) => {
      const replay = textOf(request.query, "replay");
      const proposed = replay === undefined ? await proposals() : await replays.find(replay);
      const found = proposed?.proposals.find(({ id }) => id === request.params.id);
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
    },
  );
  route.post(
    "/exemptions",
    {
      summary: "Add an exemption",
      description: `Exempts fields of a route from patterns: without fields the whole route, without categories from all patterns. ${byRevision}`,
      proof: "factor",
      body: exemptionInput,
      answers: answering(exemptionsData, editRefusals),
    },
    async (request, input) => {
      const exemption = exemptionFrom(input);
      const what = `Added an exemption for ${exemption.method} ${exemption.path}`;
      await change(request, what, (rules) => putExemption(rules, exemption));
      return ok(exemptions(), saved(request));
    },
  );
  route.put(
    "/exemptions/:id",
    {
      summary: "Change an exemption",
      description: `Changes the given fields; built-in exemptions cannot be changed. ${byRevision}`,
      params: ofEntry,
      proof: "factor",
      body: exemptionChange,
      answers: answering(exemptionsData, { ...editRefusals, ...notThere }),
    },
    async (request, input) => {
      const { id, path } = ownExemption(request.params.id ?? "");
      exemptionFrom(input, withId(inForce.rules.exemptions, id));
      await change(request, `Changed the exemption for ${path}`, (rules) =>
        putExemption(rules, exemptionFrom(input, withId(rules.exemptions, id))),
      );
      return ok(exemptions(), saved(request));
    },
  );
  route.delete(
    "/exemptions/:id",
    {
      summary: "Remove an exemption",
      description: "Patterns are checked there again; built-in exemptions cannot be removed.",
      params: ofEntry,
      answers: answering(exemptionsData, { ...changeRefusals, ...notThere }),
    },
    async (request) => {
      const { id, path } = ownExemption(request.params.id ?? "");
      await change(request, `Removed the exemption for ${path}`, (rules) => ({
        ...rules,
        exemptions: without(rules.exemptions, id),
      }));
      return ok(exemptions(), saved(request));
    },
  );
};
