import { compile } from "tailwindcss";
import * as preflight from "tailwindcss/preflight.css" with { type: "text" };
import * as theme from "tailwindcss/theme.css" with { type: "text" };
import * as utilities from "tailwindcss/utilities.css" with { type: "text" };
import * as hostComponents from "#plugins/sdk/components.css" with { type: "text" };
import * as hostTheme from "#plugins/sdk/theme.css" with { type: "text" };
import { PluginBuildError } from "./plugin-build-error.ts";

/** A stylesheet, and the texts in which it looks for the names of classes. */
export type StyleInput = { path: string; css: string; scripts: readonly string[]; mode: "iframe" | "native" };

const tailwind = /@import\s+["']tailwindcss["'][^;]*;/;

/**
 * Compiles a stylesheet that imports `tailwindcss`; any other stays as it is. The host's theme is only referred to: its
 * values come from the page. In a frame the stylesheet also brings Tailwind's base. Throws {@link PluginBuildError}.
 */
export const compileCss = async ({ path, css, scripts, mode }: StyleInput): Promise<string> => {
  if (!tailwind.test(css)) return css;
  const ofMode = mode === "iframe" ? '@import "preflight" layer(base);' : '@import "components";';
  const source = css.replace(
    tailwind,
    `@layer theme, base, components, utilities;
@import "theme" layer(theme) theme(reference);
@import "host" theme(reference);
${ofMode}
@import "utilities" layer(utilities) source(none);`,
  );
  try {
    const compiler = await compile(source, {
      base: "/",
      loadStylesheet: async (id) => ({ path: id, base: "/", content: sheetOf(id) }),
    });
    return compiler.build([...new Set(scripts.flatMap((script) => script.match(/[^\s"'`<>{};]+/g) ?? []))]);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new PluginBuildError(`${path} could not be built`, { problems: [{ path, message }], cause });
  }
};

const sheetOf = (id: string): string => {
  if (id === "theme") return textOf(theme);
  if (id === "host") return textOf(hostTheme);
  if (id === "components") return textOf(hostComponents);
  if (id === "preflight") return textOf(preflight);
  if (id === "utilities") return textOf(utilities);
  throw new Error(`${id} cannot be imported: a plugin's stylesheet imports nothing but tailwindcss`);
};

/** The text of a file that was imported as one, which the compiler takes for a module of its own kind. */
const textOf = (module: object): string => String(Reflect.get(module, "default"));
