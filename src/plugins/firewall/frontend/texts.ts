/** Texts shared by the pages. */
export const texts = {
  parts: "Firewall pages",
  tabsBefore: "Show previous pages",
  tabsAfter: "Show more pages",
  tabs: {
    overview: "Overview",
    traffic: "Live traffic",
    addresses: "IP addresses",
    countries: "Countries",
    rates: "Rates",
    attacks: "Attacks",
    bans: "Bans",
    replay: "Replay",
    explain: "Explain",
  },
  loading: "Loading the firewall",
  loadFailed: "The firewall did not respond.",
  shutOut: "The firewall blocks your IP address.",
  tryAgain: "Try again",
  nowhere: "Page not found.",
  toOverview: "Go to the overview",
  saveFailed: "The change could not be saved.",
  offline: "The server can't be reached, so your change may not be saved. Please try again.",
  noAnswer: "The server can't be reached.",
  unreachable: (time: string) => `The server is not responding. This page shows data from ${time}.`,
  conflict: "The page now shows the latest rules.",
  ownAddress: "Add your own IP address to the allow list first, or narrow the rule.",
  save: "Save",
  cancel: "Cancel",
  close: "Close",
  search: "Search",
  visitors: { visitor: "Visitors", user: "Users", admin: "Admins" },
  verdicts: {
    passed: "Passed",
    blocked: "Blocked",
    "would-block": "Would block",
    limited: "Limited",
    noticed: "Logged",
  },
  categories: {
    "sql-injection": "SQL injection",
    "cross-site-scripting": "Cross-site scripting",
    "command-injection": "Command injection",
    "file-access": "File access",
    "remote-inclusion": "Remote inclusion",
    "code-injection": "Code injection",
    protocol: "Protocol abuse",
    scanner: "Scanners",
  },
  leave: "Leave without saving?",
  leaveText: "You have unsaved changes.",
  leaveGo: "Leave",
  discard: "Discard",
  unsaved: "Unsaved changes",
} as const;

/** Texts of a pending change. */
export const pendingTexts = {
  label: "Pending change",
  own: "Your change is waiting to be confirmed",
  other: (name: string) => `A change by ${name} is waiting to be confirmed`,
  text: (what: string) =>
    `${what.replace(/\.$/, "")}. It is active, but is reverted automatically unless someone confirms it, in case it locks anyone out.`,
  left: (time: string) => `Reverts in ${time}`,
  keep: "Keep these rules",
  revert: "Revert now",
  began: (seconds: number) => `The change is active. Confirm it within ${seconds} seconds to keep it.`,
  soon: (seconds: number) => `${seconds} seconds left to confirm the change.`,
  kept: "The change was kept.",
  reverted: "The change was reverted.",
  ranOut: "The change was not confirmed in time and was reverted.",
  decided: "Someone else confirmed or reverted the change.",
  shutOut: "With this change, the firewall blocks you. Wait until it is reverted automatically.",
} as const;

/** Texts of damaged rules. */
export const troubleTexts = {
  title: {
    unreadable: "The stored rules are damaged",
    unreachable: "The rules could not be loaded",
    engine: "The rules could not be activated",
  },
  inForce: {
    "last-good": "The last valid rules are active until then.",
    copy: "The backup copy of the rules is active until then.",
    defaults: "Only the default rules are active until then.",
  },
  remedy: {
    unreadable: "Nothing can be saved until you restore the last valid copy.",
    unreachable: "The firewall retries automatically. Check that the database can be reached.",
    engine: "Revert the latest change, or turn off what it turned on. For the cause, see the server's log.",
  },
  restore: "Restore the last valid rules",
  question: "Restore the last valid rules?",
  questionText:
    "The damaged rules are replaced with the last valid copy. Changes made after that copy are lost.",
  restoreFailed: "The rules could not be restored.",
} as const;
