import { expect, test } from "bun:test";
import { createResources } from "#api/http/mcp/call-tool.ts";
import { siteValues } from "#api/http/pages/site-values.ts";
import { fillMarks, unsetSite } from "#contract/site.ts";
import { indexedChapters } from "../docs/write-docs.ts";
import { llmsText } from "./crawler-texts.ts";

const origin = "https://atrium.example";
const { type, text } = llmsText(await indexedChapters());
const served = fillMarks(text, siteValues({ ...unsetSite, name: "Northwind" }, origin));

test("llms.txt begins with the site's name and names the description of the API, the assistants' door and no other host", () => {
  expect(served.startsWith("# Northwind\n\n> ")).toBe(true);
  for (const path of ["/swagger", "/swagger/json", "/docs/quick-start", "/docs/mcp"])
    expect(served).toContain(`(${origin}${path})`);
  expect(served).toContain(`${origin}/mcp `);
  for (const [address] of served.matchAll(/https?:\/\/[^\s)/]+/g)) expect(address).toBe(origin);
});

test("lists each chapter of the documentation once, and assistants get each as a resource", async () => {
  const paths = (await indexedChapters()).flatMap(({ pages }) => pages.map(({ path }) => path));
  for (const path of paths) expect(served.split(`(${origin}${path})`)).toHaveLength(2);
  const pages = { respond: () => new Response(served, { headers: { "content-type": type } }) };
  const listed = (await createResources(pages, origin).list()).map(({ uri }) => uri.slice(origin.length));
  expect(listed).toEqual(["/llms.txt", ...paths]);
});
