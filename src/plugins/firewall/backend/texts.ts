const confirmWithin = (seconds: number): string =>
  `Confirm it within ${seconds} seconds, or it goes back by itself.`;

/** What the plugin says to admins; each sentence once. */
export const texts = {
  rulesUnreadable:
    "The stored rules are damaged. Those that were good last stay in force, and nothing can be changed until they are restored.",
  rulesUnreachable:
    "The stored rules cannot be read at the moment; they are read again as soon as the database answers.",
  engineFailed: "The attack patterns could not be prepared; those that were in force before stay in force.",
  rulesClosed:
    "The stored rules are damaged, so nothing can be saved. Restore the last good ones first (Restore, or atrium firewall restore).",
  stale: "Somebody else changed the firewall in the meantime. Look at what it is now, and try again.",
  notPending: "There is no such change that waits to be confirmed.",
  pendingOfOther: (by: string) =>
    `${by} made a change that is not confirmed yet. Try again when it is confirmed or has gone back.`,
  notInTrial: (by: string, seconds: number) =>
    `This contradicts what ${by}'s change that is not confirmed yet may go back to. Try again in ${seconds} s, or take that change back at once with: atrium firewall off`,
  confirmed: "The change stays.",
  reverted: "The change was taken back.",
  saved: "Saved.",
  savedPending: (seconds: number) => `Saved. ${confirmWithin(seconds)}`,
  restored: "The last good rules are stored again.",
  notDamaged: "Nothing was damaged: the stored rules are those in force.",
  isOn: "The firewall is on.",
  isOff: "The firewall is off.",
  isTrial: "The firewall is on in development mode: what it would block passes and is written down.",
  listed: (what: string, until: string | null, seconds: number | null) =>
    `${what}${until === null ? "" : ` until ${until}`}.${seconds === null ? "" : ` ${confirmWithin(seconds)}`}`,
  ownAddress: (address: string, why: string) =>
    `That would shut you out: your address ${address} ${why}. Nothing was changed.`,
  ownDenied: (range: string, isWhole: boolean) => (isWhole ? "is denied itself" : `lies in ${range}`),
  ownCountry: (country: string) => `is in ${country}`,
  ownOnceExpired: (why: string) => `${why} as soon as the entry that lets it in for a time has expired`,
  byForm: "Changed the firewall's switches in the settings form",
  byEnabling: "Enabled the firewall with the rules and switches that it had",
  formWhilePending:
    "Took back what was saved in the settings form: another change of the firewall is not confirmed yet",
  formShutsOut: (address: string, why: string) =>
    `Took back what was saved in the settings form: an admin's address ${address} ${why}`,
  formTooOld: "Took back what was saved in the settings form over a newer change of the firewall",
  ownBanned: "would be banned",
  noCountries:
    "Country rules do nothing: this server has no country database. Set GEOIP_DB to a .mmdb file and start it again.",
  notARange: "Please enter an IP address or a CIDR range, such as 198.51.100.7 or 2001:db8::/32",
  rangeKnown: (kind: string) => `This range is in the list already (${kind})`,
  tooManyAddresses: (most: number) => `There are at most ${most} entries`,
  noteLength: (most: number) => `Please use at most ${most} characters`,
  unprintable: "Please leave out control and invisible characters",
  duration: "Please enter a time such as 30m, 12h or 7d, a year at most",
  timePast: "Please choose a time in the future",
  eitherTime: "Please give only one of for and expiresAt",
  notACountry: "Please use two capital letters (ISO 3166-1), such as DE",
  noCountryListed: "Please list at least one country: with none of them nobody would get in",
  method: "Please use a method such as POST, or *",
  path: "Please enter a path that begins with a slash; :name stands for one part, a * at the end for whatever follows",
  exemptionPath: "Please enter a path that begins with a slash; a * at the end stands for whatever follows",
  noRoles: "Please choose at least one kind of caller",
  noPattern: "There is no such pattern",
  builtIn: "This exemption is built in and cannot be changed",
  banMost: "The longest ban cannot be shorter than the first one",
  notFound: "There is no such entry",
  notWritten:
    "Nothing is written down about this request. Entries are kept for 7 days, the newest 5,000 of them.",
  notAnAddress: "Please enter an IP address",
  tooManyLines: (most: number) => `Please import at most ${most} lines at once`,
  emptyImport: "There is nothing in it to import",
  badJson: "This is no JSON list of entries",
  lineAdded: "Added",
  lineOwn: (why: string) => `Would shut you out: your address ${why}`,
  importOwn: (why: string) =>
    `Nothing of this can be imported, as it would shut you out: your address ${why}. Take out the lines that say so.`,
  lineKnown: "In the list already",
  lineTwice: "Stands in the text twice",
  replayBodies: "Bodies, cookies and secrets are not kept: attacks in them are not found again.",
  replayBans: "Bans are not tried.",
  replaySampled: (kept: number, seen: number) =>
    `Only ${kept} of ${seen} requests could be kept: rates find less than they would have.`,
  busyReplay: "Another replay is running; wait for it or cancel it",
  blocked: "This request was blocked",
  blockedLong:
    "The firewall of this site stopped your request. If that is a mistake, tell the site's people this id:",
  tooManyLong: (seconds: number) =>
    `You asked for more than this site answers at once. Please try again in ${seconds} s. If that is a mistake, tell the site's people this id:`,
  signInWindow: "For sign-in the window can be an hour at most, so that nobody is locked out for long",
  tooMany: "Too many requests, please try again later",
} as const;
