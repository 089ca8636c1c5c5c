/** Words of the countries. */
export const countryTexts = {
  title: "Countries",
  lead: "By the address that a request comes from. Addresses of no known country always get in.",
  unknown: "This server knows no countries",
  unknownText:
    "Set GEOIP_DB to the file of a country database and restart the server. Until then these rules are kept but do nothing.",
  mode: "Who gets in",
  modes: {
    off: { name: "Everybody", text: "Countries are not looked at." },
    allow: {
      name: "Only the countries chosen",
      text: "Whoever comes from another known country is kept out.",
    },
    deny: { name: "Everybody but the countries chosen", text: "Whoever comes from one of them is kept out." },
  },
  chosen: (count: string, isOne: boolean) => (isOne ? "1 country chosen" : `${count} countries chosen`),
  noneChosen: "No country is chosen yet",
  needsSome: "Choose at least one country, or let everybody in",
  find: "Find a country",
  list: "Countries",
  noMatch: "No country matches",
  remove: (name: string) => `Take ${name} out`,
  own: (name: string) => `You come from ${name} at the moment.`,
  hits: (count: string) => `These rules kept ${count} requests out so far.`,
} as const;
