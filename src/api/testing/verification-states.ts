/** Browsers: O owns the mailbox and registers in o1, o2 is another device of theirs; S is a stranger, who can't read O's mail. */
export type BrowserName = "o1" | "o2" | "s1";

/** So long that another mail may be sent. */
export const minute = "a minute passes";

/** What is done before a link is opened: who registers where, who asks for another link, and minutes that pass. */
export type Act = { registers: "O" | "S"; in: BrowserName } | { asksAgainIn: BrowserName } | typeof minute;

export const registers = (who: "O" | "S", browser: BrowserName): Act => ({ registers: who, in: browser });

/** Whose name and password the account gets: those typed at the registration in a browser, or at the link. */
export type Outcome = `${"O" | "S"} in ${BrowserName}` | "chosen";

/** `opens`: whose registration the account becomes, by the browser in which one of the links is opened. */
export type Row = { title: string; acts: Act[]; mails: number; opens: Record<"o1" | "o2", Outcome> };

/** What leads to which account, whatever link is followed. */
export const verificationStates: readonly Row[] = [
  { title: "O registers", acts: [registers("O", "o1")], mails: 1, opens: { o1: "O in o1", o2: "chosen" } },
  { title: "S registers", acts: [registers("S", "s1")], mails: 1, opens: { o1: "chosen", o2: "chosen" } },
  {
    title: "S registers, then O within the minute",
    acts: [registers("S", "s1"), registers("O", "o1")],
    mails: 1,
    opens: { o1: "O in o1", o2: "chosen" },
  },
  {
    title: "O registers, then S, and O asks again",
    acts: [registers("O", "o1"), minute, registers("S", "s1"), minute, { asksAgainIn: "o1" }],
    mails: 3,
    opens: { o1: "O in o1", o2: "chosen" },
  },
  {
    title: "O registers, then S, and O asks again elsewhere",
    acts: [registers("O", "o1"), minute, registers("S", "s1"), minute, { asksAgainIn: "o2" }],
    mails: 3,
    opens: { o1: "O in o1", o2: "chosen" },
  },
  {
    title: "O registers, then S, who asks again",
    acts: [registers("O", "o1"), minute, registers("S", "s1"), minute, { asksAgainIn: "s1" }],
    mails: 3,
    opens: { o1: "O in o1", o2: "chosen" },
  },
  {
    title: "O registers, and again on another device",
    acts: [registers("O", "o1"), minute, registers("O", "o2")],
    mails: 2,
    opens: { o1: "O in o1", o2: "O in o2" },
  },
  {
    title: "S registers in O's own browser profile",
    acts: [registers("S", "o1")],
    mails: 1,
    opens: { o1: "S in o1", o2: "chosen" },
  },
];

export const passwordOf = (outcome: Outcome): string => `typed for the account: ${outcome}`;
export const nameOf = (outcome: Outcome): string =>
  outcome === "chosen" ? "Olive Owner" : `Registered ${outcome}`;
