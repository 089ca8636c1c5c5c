/** Words that the sub-pages share. */
export const texts = {
  parts: "Parts of the firewall",
  tabsBefore: "Show the parts before",
  tabsAfter: "Show more parts",
  tabs: {
    overview: "Overview",
    traffic: "Live traffic",
    addresses: "Addresses",
    countries: "Countries",
    rates: "Rates",
    attacks: "Attacks",
    bans: "Bans",
    replay: "Replay",
    explain: "Explain",
  },
  loading: "Loading the firewall",
  loadFailed: "The firewall did not answer.",
  shutOut: "The firewall refuses this browser's address.",
  tryAgain: "Try again",
  nowhere: "There is no such part of the firewall.",
  toOverview: "Go to the overview",
  saveFailed: "The change could not be saved.",
  offline: "The server cannot be reached, so this may not be saved. Please try again.",
  noAnswer: "The server cannot be reached.",
  unreachable: (time: string) => `The server does not answer. What you see is as of ${time}.`,
  conflict: "The newest rules are shown now.",
  ownAddress: "Put your own address on the allow list first, or narrow the rule down.",
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
    noticed: "Noticed",
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
  leaveText: "What you changed here has not been saved.",
  leaveGo: "Leave",
  discard: "Discard",
  unsaved: "Not saved yet",
} as const;

/** Words of a change that waits to be confirmed. */
export const pendingTexts = {
  label: "Change on trial",
  own: "Your change is in force on trial",
  other: (name: string) => `A change by ${name} is in force on trial`,
  text: (what: string) =>
    `${what.replace(/\.$/, "")}. Unless it is confirmed, it is taken back by itself, in case it shuts anybody out.`,
  left: (time: string) => `Taken back in ${time}`,
  keep: "Keep these rules",
  revert: "Take back now",
  began: (seconds: number) => `The change is in force on trial. Confirm it within ${seconds} seconds.`,
  soon: (seconds: number) => `${seconds} seconds left to keep the change.`,
  kept: "The change was kept.",
  reverted: "The change was taken back.",
  ranOut: "Nobody confirmed the change in time: it was taken back.",
  decided: "Somebody else decided about the change.",
  shutOut: "With this change the firewall refuses you. Wait: it is taken back by itself.",
} as const;

/** Words of rules that are damaged. */
export const troubleTexts = {
  title: {
    unreadable: "The stored rules are damaged",
    unreachable: "The rules could not be loaded",
    engine: "The rules could not be put in force",
  },
  inForce: {
    "last-good": "The rules that were good last are in force meanwhile.",
    copy: "The kept copy of the rules is in force meanwhile.",
    defaults: "Only the rules that the firewall begins with are in force meanwhile.",
  },
  remedy: {
    unreadable: "Nothing can be saved until the last good copy is put in their place.",
    unreachable: "The firewall asks again by itself. Check that the database can be reached.",
    engine:
      "Take the latest change back or switch off what it switched on. The server's log says what went wrong.",
  },
  restore: "Restore the last good rules",
  question: "Restore the last good rules?",
  questionText:
    "The damaged rules are replaced by the copy that was good last. Changes made after that copy are lost.",
  restoreFailed: "The rules could not be restored.",
} as const;
