import type { FrontendApi } from "../atrium-plugin.d.ts";
import type { Part } from "./part.ts";

/** What a page itself can do: it runs in a frame of its own, and asks the host for everything. */
export const pageParts: Part[] = [
  {
    id: "page",
    title: "The page",
    text: "This page runs in a frame that sees no cookie and no other page. Its api calls the plugin's own routes as the admin who looks, tells the settings and the theme, shows notices, and leads from place to place in the page.",
    tries: [
      { label: "Tell what the page knows", run: (api) => factsOf(api) },
      {
        label: "Show a notice",
        field: { label: "Notice", type: "text", value: "Hello from a frame" },
        run: (api, typed) => {
          api.notify(typed);
          return "The host shows it, under the plugin's title.";
        },
      },
      {
        label: "Go to the first part",
        run: (api) => {
          api.navigate("/routes");
          return "The address in the browser's bar has changed.";
        },
      },
      {
        label: "Wait for another theme",
        run: (api) =>
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

const factsOf = ({ plugin, settings, theme, path }: FrontendApi) => ({ plugin, settings, theme, path });
