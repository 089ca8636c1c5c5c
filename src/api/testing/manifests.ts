/** The smallest manifest there can be. */
export const leastManifest = { manifestVersion: 1, name: "visitor-notes", version: "1.2.3" };

/** A manifest with every field. */
export const wholeManifest = {
  ...leastManifest,
  $schema: "https://atrium.example/schemas/plugin-manifest-1.json",
  title: "Visitor notes",
  description: "Notes about visitors.",
  type: "Security",
  author: "Ada",
  homepage: "https://example.com/notes",
  license: "MIT",
  engines: { atrium: "^1.0.0" },
  dependsOn: { licensing: "^1.0.0 || >=2 <3" },
  backend: { entry: "backend/index.js", runtime: "sandbox" },
  frontend: {
    entry: "frontend/index.js",
    css: "frontend/index.css",
    mode: "native",
    overlay: true,
    site: "frontend/site.js",
  },
  adminPanel: {
    enabled: true,
    menuItem: {
      title: "Notes",
      description: "All notes",
      icon: "Extension",
      path: "/admin/plugins/visitor-notes",
    },
    card: { title: "Notes", icon: "Shield", color: "error", buttonText: "Look" },
  },
  permissions: [
    "ui.native",
    "ui.site",
    "ui.overlay",
    { name: "net.fetch", hosts: ["api.example.com", "*.example.org"], reason: "Looks up names" },
    { name: "plugins.call", plugins: ["licensing"] },
    "routes",
  ],
  settings: { schema: { type: "object", properties: { apiKey: { type: "string", "x-secret": true } } } },
  commands: {
    word: "notes",
    summary: "Notes",
    list: [
      {
        name: "set",
        summary: "Changes a note",
        arguments: [{ name: "id", summary: "Which one" }],
        options: [{ name: "for", summary: "For whom", type: "string", in: "query" }],
        call: { method: "PUT", path: "/notes/:id" },
        input: { field: "text", summary: "The text", file: true },
        output: { table: { rows: "notes", columns: [{ title: "Text", field: "text" }] } },
        examples: [{ summary: "One", typed: "atrium notes set 1" }],
      },
    ],
  },
  limits: { memoryMB: 32, cpuMs: 100, wallMs: 5_000 },
};
