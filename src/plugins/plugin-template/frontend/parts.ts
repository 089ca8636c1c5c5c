import { furtherParts } from "./further-parts.ts";
import { pageParts } from "./page-parts.ts";
import type { Part } from "./part.ts";

const asking: Part[] = [
  {
    id: "routes",
    title: "Routes",
    text: "Calls of the API below /api/ and the plugin's name, for anybody, for people with an account, or for administrators. The host checks who calls, and query and body by their JSON Schemas; the API's description has them while the plugin is on.",
    tries: [
      { label: "Call GET /hello", call: ["GET", "/hello?name=Ada"] },
      { label: "Call GET /me", call: ["GET", "/me"] },
      { label: "Call POST /echo/hey", call: ["POST", "/echo/hey"], body: { times: 3 } },
      { label: "Break the schema", call: ["POST", "/echo/hey"], body: { times: 9 } },
    ],
    files: ["backend/parts/routes.ts", "backend/index.ts"],
  },
  {
    id: "settings",
    title: "Settings and secrets",
    text: "The manifest describes a form, and the host draws it in the tab Settings. Secrets are stored encrypted and asked for one by one. A change by an admin is heard of on every server, and a plugin can change its settings itself.",
    tries: [
      { label: "Greet me", call: ["GET", "/greeting"] },
      { label: "Show the settings", call: ["GET", "/settings"] },
      { label: "Turn Loud on or off", call: ["POST", "/loud"] },
    ],
    files: ["backend/parts/settings.ts"],
  },
];

const keeping: Part[] = [
  {
    id: "values",
    title: "Values",
    text: "Small values by key, shared by all servers and kept for as long as the plugin is installed. Whoever changes a value that others change, too, sets it over the version that was read, and looks again when somebody was faster.",
    tries: [
      {
        label: "Count up",
        field: { label: "By", type: "number", value: "1" },
        call: ["POST", "/counter"],
        body: (typed) => ({ by: Number(typed) }),
      },
      { label: "Show what is stored", call: ["GET", "/values"] },
      { label: "Begin at nought", call: ["DELETE", "/counter"] },
    ],
    files: ["backend/parts/values.ts"],
  },
  {
    id: "files",
    title: "Files",
    text: "Files of up to 1 MB that nobody but the plugin sees, wherever this installation keeps its files.",
    tries: [
      {
        label: "Keep a note",
        field: { label: "Note", type: "text", value: "Water the plants" },
        call: ["PUT", "/notes/plants"],
        body: (typed) => ({ text: typed }),
      },
      { label: "List the notes", call: ["GET", "/notes"] },
      { label: "Read it", call: ["GET", "/notes/plants"] },
      { label: "Delete it", call: ["DELETE", "/notes/plants"] },
    ],
    files: ["backend/parts/files.ts"],
  },
];

/** Everything that the page explains, in its order. */
export const parts: readonly Part[] = [...asking, ...keeping, ...furtherParts, ...pageParts];
