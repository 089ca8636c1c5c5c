/** Words of the page that describes the API. */
export const apiPageTexts = {
  title: "API",
  lead: "Every call of this installation, those of running plugins included. What you try here is really done, as whoever you are signed in as.",
  json: "The same as OpenAPI 3.1",
  home: "Atrium",
  reading: "Reading the description…",
  failed:
    "The description could not be read. Check the connection and that the server runs, then reload this page.",
  withoutScripts: "This page needs JavaScript. The description is there without it, as OpenAPI 3.1:",
} as const;
