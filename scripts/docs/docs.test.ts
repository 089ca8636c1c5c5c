import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorRemedies, errorStatus, errorTexts } from "#contract/errors.ts";
import { findSections, unpackIndex } from "#ui/docs-site/search/search-index.ts";
import { errorCatalogue, errorCatalogueFile } from "../build-error-catalogue.ts";
import { projectRoot } from "../project-root.ts";
import { chapterGroups, insideDocuments } from "./chapters.ts";
import { runnableCommands, wholeProgram } from "./cli-reference.ts";
import { docsBodies, makeDocs } from "./write-docs.ts";

const docs = await makeDocs();
const index = unpackIndex(docs.index);
const bodies = docsBodies(docs.pages);
const chapters = chapterGroups.flatMap((group) => group.chapters);
const pageAt = (path: string) => docs.pages.find((page) => page.path === path);
const best = (query: string) => findSections(index, query, 5).found.map(({ href }) => href);

describe("the documentation", () => {
  test("has no link that leads nowhere, and nothing that cannot be rendered", () => {
    expect(docs.problems).toEqual([]);
  });

  test("has every document below docs/, but for those about the repository", () => {
    const written = readdirSync(join(projectRoot, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`)
      .filter((name) => !insideDocuments.some((inside) => name.startsWith(inside)));
    const shown = chapters.flatMap(({ source }) => source ?? []);
    expect(shown.toSorted()).toEqual(written.toSorted());
  });

  test("gives each chapter an address, a title and a description of its own", () => {
    for (const part of ["path", "title", "description"] as const) {
      const all = docs.pages.map((page) => page[part]);
      expect(new Set(all).size).toBe(chapters.length);
    }
  });

  test("leads from the first page to the last and back, and from every page to every other", () => {
    const linked = (html: string, rel: string) =>
      new RegExp(`<a href="([^"]*)" rel="${rel}"`).exec(html)?.[1] ?? null;
    for (const [at, { path, body }] of bodies.entries()) {
      expect([path, linked(body, "next")]).toEqual([path, bodies[at + 1]?.path ?? null]);
      expect([path, linked(body, "prev")]).toEqual([path, bodies[at - 1]?.path ?? null]);
      for (const other of chapters) expect(body).toContain(`<a href="${other.path}"`);
      expect(body.match(/<h1[ >]/g)).toHaveLength(1);
    }
  });

  test("has no style, script or handler in its markup", () => {
    for (const { body } of bodies)
      expect(/<(?:script|style)|<[^<>]*\s(?:style|on[a-z]+)="/i.exec(body)?.[0]).toBeUndefined();
  });
});

describe("the reference of the command line", () => {
  const reference = pageAt("/docs/cli-reference");
  const headings = reference?.headings.map(({ text }) => text) ?? [];
  const commands = wholeProgram().commands.flatMap((group) =>
    runnableCommands(group, `atrium ${group.name()}`),
  );

  test("has every command, each of its options and arguments, and examples", () => {
    expect(commands.length).toBeGreaterThan(50);
    for (const [name, command] of commands) {
      expect(headings).toContain(name);
      const id = name.replaceAll(" ", "-");
      const section = reference?.html.split(`id="${id}"`)[1]?.split(/<h[23] /)[0] ?? "";
      const text = section.replaceAll("&lt;", "<").replaceAll("&quot;", '"');
      for (const { flags } of command.options)
        expect([name, text]).toEqual([name, expect.stringContaining(flags)]);
      for (const argument of command.registeredArguments)
        expect([name, text]).toEqual([name, expect.stringContaining(argument.name())]);
      // Examples, and the order of arguments where there are any.
      const blocks = command.registeredArguments.length > 0 ? 2 : 1;
      expect([name, text.split("<pre").length - 1]).toSatisfy(([, count]) => Number(count) >= blocks);
    }
  });

  test("says what exit codes mean", () => {
    expect(reference?.html).toContain("Exit codes:");
  });
});

describe("the catalogue of failures", () => {
  test("is what codes, texts and remedies make of it, or else: bun scripts/build-error-catalogue.ts", async () => {
    expect(await Bun.file(errorCatalogueFile).text()).toBe(errorCatalogue());
  });

  test("has a remedy for every code, in words that the failure's own text does not have", () => {
    expect(Object.keys(errorRemedies).sort()).toEqual(Object.keys(errorStatus).sort());
    for (const [code, remedy] of Object.entries(errorRemedies)) {
      expect([code, remedy.length]).toSatisfy(([, length]) => Number(length) > 20);
      expect(Object.values(errorTexts)).not.toContain(remedy);
      expect(remedy).toEndWith(".");
    }
  });

  test("leads to each code by its anchor", () => {
    const anchors = pageAt("/docs/errors")?.headings.map(({ id }) => id);
    for (const code of Object.keys(errorStatus)) expect(anchors).toContain(code.toLowerCase());
  });
});

describe("the search", () => {
  test("puts a page's title before headings, and those before texts", () => {
    expect(best("backups")[0]).toBe("/docs/operating/backups");
    expect(best("plugin reference")[0]).toBe("/docs/plugins/reference");
    expect(best("moving to postgresql")[0]).toBe("/docs/operating/moving-to-postgresql");
    expect(best("RATE_LIMITED")[0]).toBe("/docs/errors#rate_limited");
    expect(best("atrium mail retry")).toContain("/docs/cli-reference#atrium-mail-retry");
  });

  test("finds variables, options and beginnings of words", () => {
    expect(best("TRUSTED_PROX").join()).toContain("/docs/configuration");
    expect(best("--password-stdin")).toContain("/docs/cli#atrium-user-set-password");
  });

  test("leads only to pages and anchors that there are", () => {
    for (const [page, anchor] of index.sections) {
      const found = pageAt(index.pages[page]?.[0] ?? "");
      expect(found).toBeDefined();
      if (anchor !== "") expect(found?.headings.map(({ id }) => id)).toContain(anchor);
    }
  });
});
