/** The parts of the plugin's page, each with what its address ends in. */
export const places = { visitors: "", switches: "/switches", cache: "/cache" } as const;
export type Place = keyof typeof places;

const all = ["visitors", "switches", "cache"] as const;

/** The part at a path below the plugin's page; `null` where there is none. */
export const placeOf = (path: string): Place | null => {
  const plain = path.replace(/\/+$/, "");
  return all.find((place) => places[place] === plain) ?? null;
};
