import type { RouteOptions } from "#plugins/sdk/types.ts";
import { switchesInput } from "../../switches.ts";
import {
  addressChange,
  addressData,
  addressesData,
  addressInput,
  addressList,
  addressRemoval,
  configData,
  countriesData,
  countriesInput,
  deletedData,
  deletion,
  exemptionChange,
  exemptionInput,
  exemptionsData,
  historyData,
  importData,
  importInput,
  patternInput,
  patternsData,
  patternsInput,
  proposalsData,
  rateChange,
  rateInput,
  ratesData,
  revisionData,
  revisionInput,
} from "../../wire/rules.ts";
import { answering, asked, askedNumber, badFields, changeRefusals, notThere } from "./shapes.ts";

type All<Names extends string> = { [name in Names]: RouteOptions };

const goesBack =
  "A change that could lock someone out is reverted after 90 seconds unless an admin confirms it; changes by the operator stay.";
const byRevision = "With `revision`, the change applies only if the rules are still at that revision.";
const change = { ...badFields, ...changeRefusals };
const ofEntry = { id: "The entry's ID, as in the list" };

/** How the calls for switches are described. */
export const configOptions: All<"get" | "put" | "on" | "off" | "confirm" | "revert" | "restore"> = {
  get: {
    summary: "The firewall's switches",
    description:
      "All switches, the pending change, any problem with the stored rules, and the caller's IP address and country.",
    answers: answering(configData),
  },
  put: {
    summary: "Change the firewall's switches",
    description: `Changes the given switches and leaves the others. ${byRevision} ${goesBack} Turning the firewall off works whatever state the rules are in.`,
    proof: "factor",
    body: switchesInput,
    answers: answering(configData, change),
  },
  on: {
    summary: "Turn the firewall on",
    description: `Turns the master switch on, with the current rules. ${goesBack}`,
    answers: answering(configData, changeRefusals),
  },
  off: {
    summary: "Turn the firewall off",
    description:
      "Turns the master switch off immediately, even if another change is pending or the stored rules are damaged.",
    proof: "factor",
    answers: answering(configData),
  },
  confirm: {
    summary: "Confirm a pending change",
    description: "Keeps the change with this revision. Any admin or the operator may confirm it.",
    body: revisionInput,
    answers: answering(configData, { 409: { description: "No such change is pending" } }),
  },
  revert: {
    summary: "Revert a pending change",
    description: "Restores the rules from before this revision.",
    body: revisionInput,
    answers: answering(configData, { 409: { description: "No such change is pending" } }),
  },
  restore: {
    summary: "Replace damaged rules with the active ones",
    description:
      "Replaces stored rules that cannot be read with the active ones. If nothing is damaged, nothing changes.",
    answers: answering(configData),
  },
};

/** How the calls for the history are described. */
export const historyOptions: All<"list" | "revert"> = {
  list: {
    summary: "Changes of the firewall's rules and switches",
    description:
      "The last 100 changes, newest first: who made each, when, what it changed, and whether it can be reverted.",
    query: { type: "object", properties: { limit: askedNumber("Number of changes, 100 at most") } },
    answers: answering(historyData, badFields),
  },
  revert: {
    summary: "Revert a change",
    description: `Undoes what the change did, and returns the history, to which this is added. Something that was changed again later cannot be reverted. ${goesBack}`,
    params: { id: "The change's number, as in the list" },
    proof: "factor",
    answers: answering(historyData, { ...changeRefusals, ...notThere }),
  },
};

/** How the calls for lists of addresses are described. */
export const addressOptions: All<"list" | "add" | "change" | "delete" | "remove" | "export" | "import"> = {
  list: {
    summary: "Allowed and denied IP addresses",
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
        limit: askedNumber("How many entries: 1 to 500, 50 unless given"),
        offset: askedNumber("How many entries to skip: 0 to 10000"),
      },
    },
    answers: answering(addressesData, badFields),
  },
  add: {
    summary: "Allow or deny an IP address or range",
    description: `Adds one entry, permanent or with an expiry: \`for\` is a duration such as 12h, \`expiresAt\` an ISO time. ${byRevision} ${goesBack}`,
    body: addressInput,
    answers: answering(addressData, change),
  },
  change: {
    summary: "Change an entry",
    description: `Changes kind, note or expiry of an entry; omitted fields stay. ${byRevision} ${goesBack}`,
    params: ofEntry,
    body: addressChange,
    answers: answering(addressData, { ...change, ...notThere }),
  },
  delete: {
    summary: "Remove entries",
    description: `Removes the entries with these IDs and returns how many there were. ${byRevision} ${goesBack}`,
    body: deletion,
    answers: answering(deletedData, { ...changeRefusals, ...notThere }),
  },
  remove: {
    summary: "Remove the entry of an IP address or range",
    description: `Removes the entry with exactly this range, in any notation. ${byRevision} ${goesBack}`,
    body: addressRemoval,
    answers: answering(revisionData, { ...change, ...notThere }),
  },
  export: {
    summary: "Export the lists",
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
  import: {
    summary: "Add entries from a file",
    description: `Adds the entries in the text, 5,000 lines at most, and returns the result for each; existing entries stay unchanged. With \`isTrial\` nothing is saved. ${goesBack}`,
    body: importInput,
    answers: answering(importData, change),
  },
};

/** How the calls for country rules are described. */
export const countryOptions: All<"get" | "put"> = {
  get: {
    summary: "Country rules",
    description: "Which countries are allowed or denied, and whether this server has a country database.",
    answers: answering(countriesData),
  },
  put: {
    summary: "Change the country rules",
    description: `Sets the mode, the list of countries (ISO 3166-1), or both. ${byRevision} ${goesBack}`,
    body: countriesInput,
    answers: answering(countriesData, change),
  },
};

/** How the calls for rate rules are described. */
export const rateOptions: All<"list" | "add" | "change" | "remove"> = {
  list: {
    summary: "Rate rules",
    description: "The rate rules, with the number of requests that each refused.",
    answers: answering(ratesData),
  },
  add: {
    summary: "Add a rate rule",
    description: `Adds a rule for requests to a path; omitted fields have defaults. ${byRevision} ${goesBack}`,
    body: rateInput,
    answers: answering(ratesData, change),
  },
  change: {
    summary: "Change a rate rule",
    description: `Changes the given fields and leaves the rest of the rule. ${byRevision} ${goesBack}`,
    params: ofEntry,
    body: rateChange,
    answers: answering(ratesData, { ...change, ...notThere }),
  },
  remove: {
    summary: "Remove a rate rule",
    description: "Removes the rule; requests no longer count toward it.",
    params: ofEntry,
    answers: answering(ratesData, { ...changeRefusals, ...notThere }),
  },
};

/** How the calls for exemptions are described. */
export const exemptionOptions: All<"list" | "add" | "change" | "remove" | "proposals" | "accept"> = {
  proposals: {
    summary: "Proposed exemptions",
    description:
      "Exemptions with which requests of signed-in users would have passed that attack patterns blocked within 7 days, or would have blocked; those of most users first. Requests of visitors, or that another site may have started, propose none.",
    answers: answering(proposalsData),
  },
  accept: {
    summary: "Accept a proposed exemption",
    description: "Adds the exemption, and returns all of them. Removing it reverts this.",
    params: { id: "The proposal's ID, as in the list" },
    proof: "factor",
    answers: answering(exemptionsData, { ...change, ...notThere }),
  },
  list: {
    summary: "Exemptions from the attack patterns",
    description: "Routes and fields in which patterns are not checked, built-in ones first.",
    answers: answering(exemptionsData),
  },
  add: {
    summary: "Add an exemption",
    description: `Exempts fields of a route from patterns: without fields the whole route, without categories from all patterns. ${byRevision}`,
    proof: "factor",
    body: exemptionInput,
    answers: answering(exemptionsData, change),
  },
  change: {
    summary: "Change an exemption",
    description: `Changes the given fields; built-in exemptions cannot be changed. ${byRevision}`,
    params: ofEntry,
    proof: "factor",
    body: exemptionChange,
    answers: answering(exemptionsData, { ...change, ...notThere }),
  },
  remove: {
    summary: "Remove an exemption",
    description: "Patterns are checked there again; built-in exemptions cannot be removed.",
    params: ofEntry,
    answers: answering(exemptionsData, { ...changeRefusals, ...notThere }),
  },
};

/** How the calls for attack patterns are described. */
export const patternOptions: All<"list" | "put" | "switch"> = {
  list: {
    summary: "Attack patterns",
    description:
      "All patterns, with the points that each adds to a request's score, whether it is active, and how often it matched.",
    answers: answering(patternsData),
  },
  put: {
    summary: "Set which attack patterns are disabled",
    description: `Disables the listed patterns and enables all others. ${byRevision}`,
    proof: "factor",
    body: patternsInput,
    answers: answering(patternsData, change),
  },
  switch: {
    summary: "Enable or disable an attack pattern",
    description: `Changes one pattern and leaves the others. ${byRevision}`,
    params: { id: "The pattern's number, as the list has it" },
    proof: "factor",
    body: patternInput,
    answers: answering(patternsData, { ...changeRefusals, ...notThere }),
  },
};
