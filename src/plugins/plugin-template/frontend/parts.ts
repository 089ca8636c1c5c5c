import { furtherParts } from "./further-parts.ts";
import { pageParts } from "./page-parts.ts";
import type { Part } from "./part.ts";

const asking: Part[] = [
  {
    id: "routes",
    title: "Routes",
    text: "Calls of the API below /api/ and the plugin's name, for anybody, for people with an account, or for administrators. The host checks who calls, and query and body by their JSON Schemas; the API's description has them while the plugin is on.",
    tries: [
      { label: "Call GET /hello", run: (api) => api.call("GET", "/hello?name=Ada") },
      { label: "Call GET /me", run: (api) => api.call("GET", "/me") },
      { label: "Call POST /echo/hey", run: (api) => api.call("POST", "/echo/hey", { times: 3 }) },
      { label: "Break the schema", run: (api) => api.call("POST", "/echo/hey", { times: 9 }) },
    ],
    files: ["backend/parts/routes.ts", "backend/index.ts"],
  },
  {
    id: "settings",
    title: "Settings and secrets",
    text: "The manifest describes a form, and the host draws it in the tab Settings. Secrets are stored encrypted and asked for one by one. A change by an admin is heard of on every server, and a plugin can change its settings itself.",
    tries: [
      { label: "Greet me", run: (api) => api.call("GET", "/greeting") },
      { label: "Show the settings", run: (api) => api.call("GET", "/settings") },
      { label: "Turn Loud on or off", run: (api) => api.call("POST", "/loud") },
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
        run: (api, typed) => api.call("POST", "/counter", { by: Number(typed) }),
      },
      { label: "Show what is stored", run: (api) => api.call("GET", "/values") },
      { label: "Begin at nought", run: (api) => api.call("DELETE", "/counter") },
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
        run: (api, typed) => api.call("PUT", "/notes/plants", { text: typed }),
      },
      { label: "List the notes", run: (api) => api.call("GET", "/notes") },
      { label: "Read it", run: (api) => api.call("GET", "/notes/plants") },
      { label: "Delete it", run: (api) => api.call("DELETE", "/notes/plants") },
    ],
    files: ["backend/parts/files.ts"],
  },
];

/** Everything that the page explains, in its order. */
export const parts: readonly Part[] = [...asking, ...keeping, ...furtherParts, ...pageParts];
