import type { Part } from "./part.ts";

/** What a page can do: it runs in its own frame and uses the host's API for everything. */
export const pageParts: Part[] = [
  {
    id: "page",
    title: "The page",
    text: "This page runs in a frame without access to cookies or other pages. Its api calls the plugin's own routes as the current admin, provides the settings and the theme, shows notices, and navigates within the page.",
    tries: [
      {
        label: "Show what the page knows",
        source: "const { plugin, settings, theme, path } = api;",
        act: ({ plugin, settings, theme, path }) => ({ plugin, settings, theme, path }),
      },
      {
        label: "Show a notice",
        field: { label: "Notice", type: "text", value: "Hello from a frame" },
        source: "api.notify(text);",
        act: (api, typed) => {
          api.notify(typed);
          return "The host shows it under the plugin's title.";
        },
      },
      {
        label: "Go to the first part",
        source: 'api.navigate("/routes");',
        act: (api) => {
          api.navigate("/routes");
          return "The URL in the address bar has changed.";
        },
      },
      {
        label: "Wait for a theme change",
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
