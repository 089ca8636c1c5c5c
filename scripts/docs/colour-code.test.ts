import { expect, test } from "bun:test";
import { colourCode } from "./render-chapter.ts";

test("comments, strings and words of the language are marked", () => {
  expect(colourCode('const a = "b"; // c', "ts")).toBe(
    '<i class="k">const</i> a = <i class="s">&quot;b&quot;</i>; <i class="c">// c</i>',
  );
  expect(colourCode("# why\natrium serve 'x' a#b", "sh")).toBe(
    '<i class="c"># why</i>\natrium serve <i class="s">\'x\'</i> a#b',
  );
});

test("whatever is marked, nothing of the text is lost or becomes markup", () => {
  const texts = ["`a <b>` /* & */ if (x < 1) {", "'open # <i>", '"\\"" // "', "", "const const"];
  for (const language of ["ts", "sh", "json", "unknown"]) {
    for (const text of texts) {
      const html = colourCode(text, language);
      const plain = html
        .replace(/<i class="[cks]">|<\/i>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&");
      expect(html.replace(/<i class="[cks]">|<\/i>/g, "")).not.toContain("<");
      expect(plain).toBe(text);
    }
  }
});
