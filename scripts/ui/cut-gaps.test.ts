import { expect, test } from "bun:test";
import { fillGaps, siteValues } from "#api/http/pages/site-values.ts";
import { markedSite, markOf, unsetSite } from "#contract/site.ts";
import { cutGaps } from "./page-document.ts";

const name = `</title><script>"North" & 'wind'`;
const values = siteValues({ ...unsetSite, name }, "https://b.example");
const marked = markedSite.name;

test("a document is as it was for a site that no one named, and says what another is called wherever it did", () => {
  const html = `<title>é ${marked}</title><a title="${marked}" href="/?a=${encodeURIComponent(marked)}">${marked}`;
  const { bytes, gaps } = cutGaps(html);
  expect(new TextDecoder().decode(bytes)).toBe(
    '<title>é Atrium</title><a title="Atrium" href="/?a=Atrium">Atrium',
  );
  const text = "&lt;/title&gt;&lt;script&gt;&quot;North&quot; &amp; &#x27;wind&#x27;";
  expect(new TextDecoder().decode(fillGaps(bytes, gaps, values))).toBe(
    `<title>é ${text}</title><a title="${text}" href="/?a=${encodeURIComponent(name)}">${text}`,
  );
});

test.each([
  ["a script", `<script>alert("${marked}")</script>`],
  ["a style sheet", `<style>p{content:"${marked}"}</style>`],
  ["half a mark", marked.slice(0, 3)],
  ["half a mark in a link", encodeURIComponent(marked).slice(0, 12)],
  ["a mark of an unknown name", markOf("other")],
])("%s fails the build", (_, html) => {
  expect(() => cutGaps(html)).toThrow(/text of the site|unknown name/);
});
