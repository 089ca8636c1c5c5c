import type { Manifest } from "#contract/plugin-manifest.ts";

/** The document around a plugin's frontend that nobody has to trust, and the policy that it is sent with. */
export type FrameDocument = { html: string; policy: string };

type Frontend = NonNullable<Manifest["frontend"]>;
type FrameParts = { manifest: Manifest; frontend: Frontend; sha12: string; origin: string };

/** Address of a file of a package. */
export const assetPath = (name: string, sha12: string, path: string): string =>
  `/api/plugins/${name}/assets/${sha12}/${path}`;

/**
 * The document of a plugin's iframe. It has an origin of its own, so that it sees no cookie, no storage and no parent; it
 * loads the host's script, which loads the plugin's bundle, and may call nobody: what it wants it asks the host for.
 */
export const frameDocument = ({ manifest, frontend, sha12, origin }: FrameParts): FrameDocument => {
  const { name, version, title } = manifest;
  const at = (path: string) => Bun.escapeHTML(assetPath(name, sha12, path));
  const css = frontend.css === null ? "" : `<link rel="stylesheet" href="${at(frontend.css)}">`;
  const assets = origin + assetPath(name, sha12, "");
  return {
    html: [
      `<!doctype html><html lang="en" data-plugin="${name}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${Bun.escapeHTML(title)}</title>${css}</head><body><div id="app"></div>`,
      `<script type="module" src="/api/plugin-host/frame.js" data-name="${name}"`,
      ` data-version="${Bun.escapeHTML(version)}" data-entry="${at(frontend.entry)}"></script></body></html>`,
    ].join(""),
    policy: [
      "sandbox allow-scripts",
      "default-src 'none'",
      `script-src ${assets} ${origin}/api/plugin-host/`,
      `style-src ${assets}`,
      `img-src ${assets} data:`,
      `font-src ${assets} data:`,
      "connect-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ].join("; "),
  };
};
