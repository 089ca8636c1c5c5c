const confirmWithin = (seconds: number): string =>
  `Confirm it within ${seconds} seconds, or it is reverted automatically.`;

/** The plugin's messages to admins and visitors. */
export const texts = {
  rulesUnreadable:
    "The stored rules are damaged. The last valid rules stay active; nothing can be changed until you restore them.",
  rulesUnreachable:
    "The stored rules cannot be read at the moment. They are read again as soon as the database responds.",
  engineFailed: "The attack patterns could not be prepared; the previous ones stay active.",
  rulesClosed:
    "The stored rules are damaged, so nothing can be saved. First restore the last valid rules: use the Restore button, or run atrium firewall restore.",
  stale: "Someone else changed the firewall in the meantime. Review the current state, then try again.",
  notPending: "This change is not pending.",
  noChange: "There is no such change. The last 100 changes are kept.",
  notWhole: "The details of this very large change are no longer kept, so it can't be reverted.",
  changedSince: "Something of this change was changed again later. Revert that change first.",
  pendingOfOther: (by: string) =>
    `${by} made a change that is not confirmed yet. Try again once it is confirmed or reverted.`,
  notInTrial: (by: string, seconds: number) =>
    `This conflicts with the rules that ${by}'s unconfirmed change may be reverted to. Try again in ${seconds} s, or revert that change immediately with: atrium firewall off`,
  confirmed: "The change is confirmed.",
  pluginConfirms: "A plugin can't confirm a change. Ask an admin to confirm it.",
  reverted: "The change was reverted.",
  saved: "Saved.",
  savedPending: (seconds: number) => `Saved. ${confirmWithin(seconds)}`,
  restored: "The last valid rules were restored.",
  notDamaged: "Nothing was damaged: the stored rules are the active ones.",
  isOn: "The firewall is on.",
  isOff: "The firewall is off.",
  isTrial: "The firewall is on in development mode: requests that it would block pass and are logged.",
  listed: (what: string, until: string | null, seconds: number | null) =>
    `${what}${until === null ? "" : ` until ${until}`}.${seconds === null ? "" : ` ${confirmWithin(seconds)}`}`,
  ownAddress: (address: string, why: string) =>
    `This would lock you out: your IP address ${address} ${why}. Nothing was changed. Add your own IP address to the allow list first, or narrow the rule.`,
  ownDenied: (range: string, isWhole: boolean) => (isWhole ? "is denied" : `is in ${range}`),
  ownCountry: (country: string) => `is in ${country}`,
  ownOnceExpired: (why: string) => `${why} as soon as the entry that temporarily allows it expires`,
  byForm: "Changed the firewall's switches in the settings form",
  byEnabling: "Enabled the firewall with its existing rules and switches",
  formWhilePending:
    "Reverted changes from the settings form: another change to the firewall is not confirmed yet",
  formShutsOut: (address: string, why: string) =>
    `Reverted changes from the settings form: an admin's IP address ${address} ${why}`,
  formTooOld: "Reverted changes from the settings form: the firewall was changed in the meantime",
  ownBanned: "would be banned",
  noCountries:
    "Country rules have no effect: this server has no country database. Set GEOIP_DB to a .mmdb file and restart the server.",
  notARange: "Please enter an IP address or a CIDR range, such as 198.51.100.7 or 2001:db8::/32",
  rangeKnown: (kind: string) => `This range is already in the list (${kind}).`,
  exemptionKnown: "This exemption is already in the list.",
  tooManyAddresses: (most: number) => `The limit is ${most} entries`,
  noteLength: (most: number) => `Please use at most ${most} characters`,
  unprintable: "Please remove control characters and invisible characters",
  duration: "Please enter a duration such as 30m, 12h or 7d, one year at most",
  timePast: "Please choose a time in the future",
  eitherTime: "Please provide either for or expiresAt, not both",
  notACountry: "Please use two capital letters (ISO 3166-1), such as DE",
  noCountryListed: "Please list at least one country: an empty list would block everyone",
  method: "Please use a method such as POST, or *",
  path: "Please enter a path that starts with a slash; :name matches one segment, a * at the end matches the rest",
  exemptionPath: "Please enter a path that starts with a slash; a * at the end matches the rest",
  noRoles: "Please choose at least one role",
  noPattern: "Pattern not found",
  noProposal:
    "There is no such proposal. It may be accepted by now, or too old: blocked requests are kept for 7 days, a replay's results for ten minutes.",
  accepted: (by: string, requests: number, users: number) =>
    `Proposed by ${requests} ${requests === 1 ? "request" : "requests"} of ${users} ${users === 1 ? "user" : "users"}; accepted by ${by}`,
  exempted: (fields: string, route: string) =>
    `${fields} of ${route} is exempt. Remove the exemption to revert this.`,
  builtIn: "This exemption is built in and cannot be changed",
  banMost: "The longest ban cannot be shorter than the first ban",
  notFound: "Entry not found",
  notWritten: "There is no log entry for this request. The newest 5,000 entries are kept, for 7 days.",
  notAnAddress: "Please enter an IP address",
  tooManyLines: (most: number) => `Please import at most ${most} lines at a time`,
  emptyImport: "There is nothing to import",
  badJson: "This is not a JSON list of entries",
  lineAdded: "Added",
  lineOwn: (why: string) => `Would lock you out: your IP address ${why}`,
  importOwn: (why: string) =>
    `This can't be imported because it would lock you out: your IP address ${why}. Remove the marked lines.`,
  lineKnown: "Already in the list",
  lineTwice: "Duplicate line",
  replayBodies: "Bodies, cookies and secrets are not stored, so attacks in them are not found.",
  replayBans: "Bans are not simulated.",
  replaySampled: (kept: number, seen: number) =>
    `Only ${kept} of ${seen} requests were stored, so rate rules match less often than they would have.`,
  busyReplay: "Another replay is running. Wait for it to finish, or cancel it",
  blocked: "This request was blocked",
  blockedLong:
    "This site's firewall blocked your request. If you think this is a mistake, contact the site, tell its administrator what you were doing, and quote this ID. With it they can see what the firewall found:",
  tooManyLong: (seconds: number) =>
    `You sent too many requests. Please try again in ${seconds} s. If you think this is a mistake, contact the site and quote this ID:`,
  counting: {
    memory: "This server counts requests alone, in memory.",
    redis: "Requests are counted for all servers, in Redis.",
    postgres: "Requests are counted for all servers, in the database.",
  },
  signInWindow: "For sign-in, the window can be an hour at most, so that no one is locked out for long",
  tooMany: "Too many requests, please try again later",
} as const;
