import { describe, expect, test } from "bun:test";
import { criticalCss } from "./critical-css.ts";

const kept = (css: string, html: string) => criticalCss(css, html).replace(/\s+/g, "");

/** As Tailwind writes a class name into a selector. */
const escaped = (name: string) =>
  name.replace(/^(\d)/, "\\3$1 ").replace(/[^\w\s-]/g, (sign) => (sign === "\\" ? sign : `\\${sign}`));

describe("the styles of a first paint", () => {
  test("are those whose classes and elements occur in the markup", () => {
    const css = ".a{color:red}.b{color:red}p{margin:0}table{margin:0}.a.b{top:0}.a p{top:0}";
    expect(kept(css, '<p class="a">')).toBe(".a{color:red}p{margin:0}.ap{top:0}");
  });

  test("keep of a list of selectors the ones that can match", () => {
    expect(kept("h1,h2,.x,.y{top:0}", '<h2 class="y">')).toBe("h2,.y{top:0}");
  });

  test("understand escaped class names", () => {
    const names = [
      "max-w-[70rem]",
      "md:flex",
      "w-[calc(100%-2rem)]",
      "py-1.5",
      "2xl:grid",
      "aria-[current=page]:x",
    ];
    const css = names.map((name) => `.${escaped(name)}{top:0}`).join("");
    for (const name of names) {
      expect(kept(css, `<i class="${name}">`)).toBe(`.${escaped(name)}{top:0}`.replace(/\s+/g, ""));
    }
  });

  test("read class names that the markup had to escape", () => {
    expect(
      kept(".\\[\\&_svg\\]\\:size-4 svg{top:0}", '<b class="[&amp;_svg]:size-4"><svg></svg></b>'),
    ).toContain("top:0");
  });

  test("keep what pointer and keyboard bring about, and the dark theme", () => {
    const css =
      ".a:hover{top:0}.a:focus-visible{top:0}.dark .a{top:0}.a:where(.dark,.dark *){top:0}.a::before{top:0}";
    expect(kept(css, '<i class="a">')).toBe(css.replace(/\s+/g, ""));
  });

  test("leave out what nothing refers to, however indirectly", () => {
    const css =
      ":root{--a:1;--b:var(--c);--c:2;--d:3}@property --e{syntax:'*'}@property --a{syntax:'*'}" +
      "@keyframes k{to{top:0}}@keyframes l{to{top:0}}i{top:var(--a);animation:l 1s}" +
      "@position-try --m{top:0}@position-try --n{top:0}i{position-try-fallbacks:flip-block,--n}";
    expect(kept(css, "<i>")).toBe(
      ":root{--a:1}@property--a{syntax:'*'}@keyframesl{to{top:0}}i{top:var(--a);animation:l1s}" +
        "@position-try--n{top:0}i{position-try-fallbacks:flip-block,--n}",
    );
  });

  test("keep the order of layers and drop empty ones", () => {
    expect(kept("@layer a,b;@layer a{.x{top:0}}@layer b{@media print{p{top:0}}}", "<p>")).toBe(
      "@layera,b;@layerb{@mediaprint{p{top:0}}}",
    );
  });
});
