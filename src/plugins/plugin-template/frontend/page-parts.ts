import type { Part } from "./part.ts";

/** What a page itself can do: it runs in a frame of its own, and asks the host for everything. */
export const pageParts: Part[] = [
  {
    id: "page",
    title: "The page",
    text: "This page runs in a frame that sees no cookie and no other page. Its api calls the plugin's own routes as the admin who looks, tells the settings and the theme, shows notices, and leads from place to place in the page.",
    tries: [
      {
        label: "Tell what the page knows",
        source: "const { plugin, settings, theme, path } = api;",
        act: ({ plugin, settings, theme, path }) => ({ plugin, settings, theme, path }),
      },
      {
        label: "Show a notice",
        field: { label: "Notice", type: "text", value: "Hello from a frame" },
        source: "api.notify(text);",
        act: (api, typed) => {
          api.notify(typed);
          return "The host shows it, under the plugin's title.";
        },
      },
      {
        label: "Go to the first part",
        source: 'api.navigate("/routes");',
        act: (api) => {
          api.navigate("/routes");
          return "The address in the browser's bar has changed.";
        },
      },
      {
        label: "Wait for another theme",
        source: 'const stop = api.on("theme", (theme) => …);',
        act: (api) =>
          new Promise((resolve) => {
            const stop = api.on("theme", (theme) => {
              stop();
              resolve({ theme });
            });
          }),
      },
    ],
    files: [],
  },
];
