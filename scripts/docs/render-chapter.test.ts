import { describe, expect, test } from "bun:test";
import { readChapter } from "./chapters.ts";
import { renderChapter } from "./render-chapter.ts";

const pages = new Map([
  ["docs/cli.md", { path: "/docs/cli", title: "Command line", anchors: new Set<string>() }],
]);

const render = (text: string) => {
  const problems: string[] = [];
  const source = "docs/tokens.md";
  const chapter = readChapter(source, `# Tokens\n\n${text}\n`);
  const html = renderChapter({
    source,
    chapter,
    targets: { pages },
    complain: (problem) => problems.push(problem),
  });
  return { html: html.trim(), problems };
};

describe("a document's name among the words", () => {
  test("leads to its page", () => {
    expect(render("See `docs/cli.md`.")).toEqual({
      html: '<p>See <a href="/docs/cli">Command line</a>.</p>',
      problems: [],
    });
  });

  test("is a problem where the site has no such page", () => {
    for (const name of ["docs/decisions/0032-api-tokens.md", "docs/ARCHITECTURE.md", "docs/v1.0/cli.md"])
      expect(render(`See \`${name}\`.`).problems).toEqual([
        `docs/tokens.md: ${name} is not a page of the site`,
      ]);
  });

  test("is code as any other where it is no document", () => {
    for (const code of ["docs/api/operations.txt", "atrium serve", "notes.md"])
      expect(render(`\`${code}\``)).toEqual({ html: `<p><code>${code}</code></p>`, problems: [] });
  });
});
