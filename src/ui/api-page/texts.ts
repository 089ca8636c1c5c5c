/** Words of the page that describes the API. */
export const apiPageTexts = {
  title: "API",
  lead: "Every call of this installation, those of running plugins included. What you try here is really done, as whoever you are signed in as.",
  json: "The same as OpenAPI 3.1",
  home: "Atrium",
  reading: "Reading the description…",
  failed: "The description could not be read. Check the connection and that the server runs, then try again.",
  tooMany: "There were too many requests from your address.",
  later: "Please try again later.",
  tryAgain: "Try again",
  withoutScripts: "This page needs JavaScript. The description is there without it, as OpenAPI 3.1:",
  filter: "Filter by group",
  body: "Body of the call",
  close: "Close",
  /** Who may make a call. */
  everybody: "Open to everybody.",
  everybodyMoreByToken: "Open to everybody; with a token it tells more.",
  signedIn: "For whoever is signed in.",
  admins: "For admins who are signed in.",
  adminsAndTokens: (scope: string) =>
    scope === ""
      ? "For admins who are signed in, and every API token."
      : `For admins who are signed in, and API tokens with the scope ${scope}.`,
  token: "For programs with a token.",
  operator: "Only over the control socket of the server's own machine: not from here.",
} as const;
