/** Texts of the countries. */
export const countryTexts = {
  title: "Countries",
  lead: "Based on the IP address of a request. IP addresses of unknown countries are always allowed.",
  unknown: "This server has no country database",
  unknownText:
    "Set GEOIP_DB to the file of a country database and restart the server. Until then, these rules have no effect.",
  mode: "Access",
  modes: {
    off: { name: "All countries", text: "Countries are not checked." },
    allow: {
      name: "Only selected countries",
      text: "Requests from all other known countries are blocked.",
    },
    deny: {
      name: "All except selected countries",
      text: "Requests from the selected countries are blocked.",
    },
  },
  chosen: (count: string, isOne: boolean) => (isOne ? "1 country selected" : `${count} countries selected`),
  noneChosen: "No country selected",
  needsSome: "Select at least one country, or allow all countries",
  find: "Find a country",
  list: "Countries",
  noMatch: "No country matches",
  remove: (name: string) => `Remove ${name}`,
  own: (name: string) => `Your current country is ${name}.`,
  hits: (count: string) => `These rules have blocked ${count} requests so far.`,
} as const;
