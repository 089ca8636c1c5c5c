import type { Manifest } from "#contract/plugin-manifest.ts";

/** The document around a plugin's frontend that nobody has to trust, and the headers that fence it in. */
export type FrameDocument = { html: string; headers: Record<string, string> };

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
      `<script data-name="${name}" data-version="${Bun.escapeHTML(version)}"`,
      ` data-entry="${at(frontend.entry)}">${start}</script></body></html>`,
    ].join(""),
    headers: {
      "content-security-policy": [reach(assets, origin + hostScript), beginning].join(", "),
      // Nothing but this server, by whatever way: what CSP leaves out, WebRTC and connections made beforehand, too. Wherever
      // browsers know it; the script sees to WebRTC in the others.
      "connection-allowlist": "(response-origin)",
    },
  };
};

const hostScript = "/api/plugin-host/frame.js";

/** The one script that documents may hold: it begins with the host's. */
const start = `document.body.append(Object.assign(document.createElement("script"),{type:"module",src:"${hostScript}"}))`;
const startHash = `'sha256-${new Bun.CryptoHasher("sha256").update(start).digest("base64")}'`;

/** What scripts, styles and pictures may come from, and that nothing else is reached. */
const reach = (assets: string, script: string): string =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src ${startHash} ${script} ${assets}`,
    `style-src ${assets}`,
    `img-src ${assets} data:`,
    `font-src ${assets} data:`,
    "connect-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");

/**
 * A second policy, which has to agree with everything too: scripts run that were started by others, and at the beginning stands
 * the host's. A document without an address of its own, which the plugin writes into a frame within its frame, inherits both;
 * it would otherwise load the plugin's files by itself, with all in reach that the host's script takes away first.
 */
const beginning = `script-src ${startHash} 'strict-dynamic'`;
