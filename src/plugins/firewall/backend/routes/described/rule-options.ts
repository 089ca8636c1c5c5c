import type { RouteOptions } from "#plugins/sdk/types.ts";
import { bodySchemas } from "../schemas.ts";
import {
  addressData,
  addressesData,
  configData,
  countriesData,
  deletedData,
  exemptionsData,
  importData,
  patternsData,
  ratesData,
  revisionData,
} from "./rule-shapes.ts";
import { answering, asked, askedNumber, badFields, changeRefusals, notThere } from "./shapes.ts";

type All<Names extends string> = { [name in Names]: RouteOptions };

const goesBack =
  "What could keep somebody out goes back after 90 seconds unless an admin confirms it; what the operator changes stays.";
const byRevision = "With `revision` it is made only to the rules that the caller has seen.";
const change = { ...badFields, ...changeRefusals };
const ofEntry = { id: "The entry's id, as the list has it" };

/** How the calls for switches are described. */
export const configOptions: All<"get" | "put" | "on" | "off" | "confirm" | "revert" | "restore"> = {
  get: {
    summary: "Switches of the firewall",
    description:
      "All switches as they stand, with the change that waits to be confirmed, what is wrong with the stored rules, and where the caller comes from.",
    answers: answering(configData),
  },
  put: {
    summary: "Change switches of the firewall",
    description: `Changes the switches that are named and leaves the others. ${byRevision} ${goesBack} Switching the firewall off works whatever state the rules are in.`,
    body: bodySchemas.config,
    answers: answering(configData, change),
  },
  on: {
    summary: "Switch the firewall on",
    description: `Turns the master switch on, with the rules that there are. ${goesBack}`,
    answers: answering(configData, changeRefusals),
  },
  off: {
    summary: "Switch the firewall off",
    description:
      "Turns the master switch off at once, also while another change waits or the stored rules are damaged.",
    answers: answering(configData),
  },
  confirm: {
    summary: "Confirm a change that waits",
    description:
      "Lets the change with this revision stay. Any admin may confirm it, and so may the operator.",
    body: bodySchemas.revision,
    answers: answering(configData, { 409: { description: "No such change waits" } }),
  },
  revert: {
    summary: "Take a change back that waits",
    description:
      "Puts in force what was before the change with this revision, without waiting for its time to end.",
    body: bodySchemas.revision,
    answers: answering(configData, { 409: { description: "No such change waits" } }),
  },
  restore: {
    summary: "Store the last good rules over damaged ones",
    description:
      "Stores the rules that are in force in the place of ones that cannot be read. Where nothing is damaged, nothing is changed.",
    answers: answering(configData),
  },
};

/** How the calls for lists of addresses are described. */
export const addressOptions: All<"list" | "add" | "change" | "delete" | "remove" | "export" | "import"> = {
  list: {
    summary: "Addresses that are let in and kept out",
    description:
      "The entries that fit, newest first unless told otherwise, with how many requests each decided.",
    query: {
      type: "object",
      properties: {
        kind: {
          type: "string",
          // Other kinds would look as if there were none.
          enum: ["allow", "deny", ""],
          description: "Only those that let in, or that keep out",
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
    summary: "Let an address or a range in, or keep it out",
    description: `Adds one entry, for good or until it expires: \`for\` is a time such as 12h, \`expiresAt\` an ISO time. ${byRevision} ${goesBack}`,
    body: bodySchemas.address,
    answers: answering(addressData, change),
  },
  change: {
    summary: "Change an entry",
    description: `Changes kind, note or expiry of an entry; what is left out stays. ${byRevision} ${goesBack}`,
    params: ofEntry,
    body: bodySchemas.addressChange,
    answers: answering(addressData, { ...change, ...notThere }),
  },
  delete: {
    summary: "Remove entries",
    description: `Removes the entries with these ids and says how many there were. ${byRevision} ${goesBack}`,
    body: bodySchemas.deletion,
    answers: answering(deletedData, { ...changeRefusals, ...notThere }),
  },
  remove: {
    summary: "Remove the entry of an address or a range",
    description: `Removes the entry with exactly this range, however it is written. ${byRevision} ${goesBack}`,
    body: bodySchemas.addressRemoval,
    answers: answering(revisionData, { ...change, ...notThere }),
  },
  export: {
    summary: "The lists as a file",
    description: "All entries as a file to keep or to import elsewhere: a table, or a JSON list.",
    query: {
      type: "object",
      properties: { format: asked("`json` for a JSON list; a table (RFC 4180) for anything else", 20) },
    },
    answers: {
      200: {
        description: "All entries, as an attachment",
        schema: Reflect.get(Object(Reflect.get(Object(addressesData), "properties")), "entries"),
        texts: {
          "text/csv":
            "address,kind,note,expiresAt,author,createdAt,hits\r\n198.51.100.0/24,deny,Scanners,,Ada Lovelace,2026-01-31T14:30:00.000Z,12\r\n",
        },
      },
    },
  },
  import: {
    summary: "Add entries from a file",
    description: `Adds what the text lists, 5,000 lines at most, and tells what became of each; what is in the lists already is left as it is. With \`isTrial\` nothing is saved. ${goesBack}`,
    body: bodySchemas.import,
    answers: answering(importData, change),
  },
};

/** How the calls for country rules are described. */
export const countryOptions: All<"get" | "put"> = {
  get: {
    summary: "Country rules",
    description: "Which countries are let in or kept out, and whether this server can tell countries at all.",
    answers: answering(countriesData),
  },
  put: {
    summary: "Change the country rules",
    description: `Sets the mode, the list of countries (ISO 3166-1), or both. ${byRevision} ${goesBack}`,
    body: bodySchemas.countries,
    answers: answering(countriesData, change),
  },
};

/** How the calls for rate rules are described. */
export const rateOptions: All<"list" | "add" | "change" | "remove"> = {
  list: {
    summary: "Rate rules",
    description: "How often what may be asked for, with how many requests each rule refused.",
    answers: answering(ratesData),
  },
  add: {
    summary: "Add a rate rule",
    description: `Adds a rule for the calls of a path; what is left out has a default. ${byRevision} ${goesBack}`,
    body: bodySchemas.rate,
    answers: answering(ratesData, change),
  },
  change: {
    summary: "Change a rate rule",
    description: `Changes what is named and leaves the rest of the rule. ${byRevision} ${goesBack}`,
    params: ofEntry,
    body: bodySchemas.rateChange,
    answers: answering(ratesData, { ...change, ...notThere }),
  },
  remove: {
    summary: "Remove a rate rule",
    description: "Removes the rule, so that calls are no longer counted by it.",
    params: ofEntry,
    answers: answering(ratesData, { ...changeRefusals, ...notThere }),
  },
};

/** How the calls for exemptions are described. */
export const exemptionOptions: All<"list" | "add" | "change" | "remove"> = {
  list: {
    summary: "Where free text is welcome",
    description: "Routes and fields in which patterns do not look, those that are built in first.",
    answers: answering(exemptionsData),
  },
  add: {
    summary: "Add an exemption",
    description: `Has patterns leave fields of a route alone: without fields all of it, without categories all patterns. ${byRevision}`,
    body: bodySchemas.exemption,
    answers: answering(exemptionsData, change),
  },
  change: {
    summary: "Change an exemption",
    description: `Changes what is named; those that are built in cannot be changed. ${byRevision}`,
    params: ofEntry,
    body: bodySchemas.exemptionChange,
    answers: answering(exemptionsData, { ...change, ...notThere }),
  },
  remove: {
    summary: "Remove an exemption",
    description: "Has patterns look there again; exemptions that are built in stay.",
    params: ofEntry,
    answers: answering(exemptionsData, { ...changeRefusals, ...notThere }),
  },
};

/** How the calls for attack patterns are described. */
export const patternOptions: All<"list" | "put" | "switch"> = {
  list: {
    summary: "Attack patterns",
    description:
      "All patterns, with what each adds to a request's score, whether it is in force, and how often it hit.",
    answers: answering(patternsData),
  },
  put: {
    summary: "Choose which attack patterns are off",
    description: `Switches the patterns that are listed off, and all others on. ${byRevision}`,
    body: bodySchemas.patterns,
    answers: answering(patternsData, change),
  },
  switch: {
    summary: "Switch an attack pattern on or off",
    description: `Changes one pattern and leaves the others. ${byRevision}`,
    params: { id: "The pattern's number, as the list has it" },
    body: bodySchemas.pattern,
    answers: answering(patternsData, { ...changeRefusals, ...notThere }),
  },
};
