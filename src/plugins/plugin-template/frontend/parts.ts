import { furtherParts } from "./further-parts.ts";
import { pageParts } from "./page-parts.ts";
import type { Part } from "./part.ts";

const asking: Part[] = [
  {
    id: "routes",
    title: "Routes",
    text: "API endpoints below /api/ and the plugin's name, for visitors, users or admins. The host checks access, and validates query and body against their JSON Schemas. The API document lists the endpoints while the plugin is enabled.",
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
    text: "The manifest describes a form, which the host shows on the Settings tab. Secrets are stored encrypted and read one at a time. Every server is notified of changes, and a plugin can change its own settings.",
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
    text: "Small values by key, shared by all servers and kept as long as the plugin is installed. To change a value safely, write it with the version that you read; the plugin retries if the value changed meanwhile.",
    tries: [
      {
        label: "Add",
        field: { label: "Number", type: "number", value: "1" },
        call: ["POST", "/counter"],
        body: (typed) => ({ by: Number(typed) }),
      },
      { label: "Show stored values", call: ["GET", "/values"] },
      { label: "Reset", call: ["DELETE", "/counter"] },
    ],
    files: ["backend/parts/values.ts"],
  },
  {
    id: "files",
    title: "Files",
    text: "Files of up to 1 MB that only the plugin can access, stored where this installation stores its files.",
    tries: [
      {
        label: "Save a note",
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

/** All parts, in the order of the page. */
export const parts: readonly Part[] = [...asking, ...keeping, ...furtherParts, ...pageParts];
