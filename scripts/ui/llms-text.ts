import type { BuiltText } from "#api/http/pages/ui-manifest.ts";
import { originMark } from "#api/http/pages/ui-manifest.ts";

/** A page of the documentation, as an index names it. */
export type IndexedPage = { path: string; title: string; description: string };

/** Pages under a title. */
export type IndexedGroup = { title: string; pages: readonly IndexedPage[] };

/**
 * `llms.txt`: what this server is and where to read on, for language models. The running server completes its addresses.
 * Source of the form: https://llmstxt.org
 */
export const llmsText = (groups: readonly IndexedGroup[]): BuiltText => ({
  type: "text/plain; charset=utf-8",
  text: [
    "# Atrium",
    "",
    "> A server with accounts, an admin area and plugins, in one executable. This is one installation of it; the documentation",
    "> below is about the version that runs here.",
    "",
    "Programs act for an administrator with an API token in `Authorization: Bearer`. Assistants that speak the Model Context",
    `Protocol connect to ${originMark}/mcp with the same token, where the operator has switched that on.`,
    "",
    "## API",
    "",
    `- [API description](${originMark}/swagger/json): Every call as an OpenAPI 3.1 document, those of plugins that run included.`,
    `- [API reference](${originMark}/swagger): The same for people, with forms to try calls.`,
    "",
    ...groups.flatMap(({ title, pages }) => [
      `## ${title}`,
      "",
      ...pages.map((page) => `- [${page.title}](${originMark}${page.path}): ${page.description}`),
      "",
    ]),
  ].join("\n"),
});
