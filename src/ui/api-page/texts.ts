/** Words of the page that describes the API. */
export const apiPageTexts = {
  title: "API",
  lead: "Every endpoint of this installation, including those of running plugins. Requests you try here are real and run as the signed-in user.",
  json: "The same as OpenAPI 3.1",
  reading: "Loading the API description…",
  failed:
    "The API description could not be loaded. Check your connection and that the server is running, then try again.",
  tooMany: "There were too many requests from your IP address.",
  later: "Please try again later.",
  tryAgain: "Try again",
  withoutScripts: "This page needs JavaScript. Without it, you can read the description as OpenAPI 3.1:",
  filter: "Filter by group",
  body: "Request body",
  close: "Close",
  /** Who may make a call. */
  everybody: "Open to everyone.",
  everybodyMoreByToken: "Open to everyone. Returns more with a token.",
  signedIn: "For signed-in users.",
  admins: "For signed-in admins.",
  adminsAndTokens: (scope: string) =>
    scope === ""
      ? "For signed-in admins and every API token."
      : `For signed-in admins and API tokens with the scope ${scope}.`,
  token: "For programs with a token.",
  operator: "Only over the control socket on the server's machine, not from this page.",
} as const;
