import { join } from "node:path";
import { build } from "vite";
import { cssTarget } from "../../vite.config.ts";
import { projectRoot } from "../project-root.ts";
import { criticalCss } from "../ui/critical-css.ts";

/**
 * The stylesheet of the documentation: of the application's own what its pages use, which is mostly tokens, font and
 * ground, then what it alone looks like.
 */
export const docsStyles = async (appCss: string, bodies: readonly string[]): Promise<string> => {
  const own = await ownStyles();
  // What scripts add is in no page yet: its classes are all of those in the sheet, its elements these.
  const classes = [...own.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name).join(" ");
  const markup = `${bodies.join("")}<style></style><button><b class="${classes}"></b></button>`;
  return darkWithoutScripts(criticalCss(appCss + own, markup));
};

const ownStyles = async (): Promise<string> => {
  const folder = join(projectRoot, "src/ui/docs-site");
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: "warn",
    build: {
      write: false,
      cssTarget,
      rolldownOptions: { input: join(folder, "docs.css"), checks: { bundlerTimings: false } },
    },
  });
  const files = Array.isArray(built) || !("output" in built) ? [] : built.output;
  const sheet = files.find(({ fileName }) => fileName.endsWith(".css"));
  if (sheet?.type !== "asset") throw new Error("the stylesheet of the documentation was not built");
  return String(sheet.source).trim();
};

/** Without scripts nobody sets the theme's class: what it would do follows the device. */
const darkWithoutScripts = (css: string): string => {
  const dark = /\.dark\{([^{}]*color-scheme:dark[^{}]*)\}/.exec(css)?.[1];
  if (dark === undefined) throw new Error("the stylesheet has no colours for a dark theme");
  return `${css}@media (scripting:none) and (prefers-color-scheme:dark){:root{${dark}}}`;
};
