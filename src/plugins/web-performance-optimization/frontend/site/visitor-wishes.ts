/** What browsers say of their visitors' wishes, as far as it is read here; not all of them say all of it. */
export type Wishes = {
  doNotTrack?: string | null;
  globalPrivacyControl?: boolean;
  connection?: { saveData?: boolean; effectiveType?: string };
};

/** Whether nothing is to be measured: "Do Not Track" and Global Privacy Control. */
export const isUnwanted = (browser: object): boolean => {
  const { doNotTrack, globalPrivacyControl } = wishesOf(browser);
  return doNotTrack === "1" || globalPrivacyControl === true;
};

/** Whether nothing is to be fetched that nobody has asked for: data is to be saved, or the line is slow. */
export const mustSave = (browser: object): boolean => {
  const { connection } = wishesOf(browser);
  return connection?.saveData === true || /^(?:slow-)?2g$|^3g$/.test(connection?.effectiveType ?? "");
};

/** The types of browsers know only what all of them have. */
const wishesOf = (browser: object): Wishes => browser as Wishes;
