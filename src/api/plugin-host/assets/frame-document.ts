import type { Manifest } from "#contract/plugin-manifest.ts";

/** The document around a plugin's frontend that nobody has to trust, and the headers that fence it in. */
export type FrameDocument = { html: string; headers: Record<string, string> };

type Frontend = NonNullable<Manifest["frontend"]>;
type FrameParts = {
  manifest: Manifest;
  frontend: Frontend;
  sha12: string;
  origin: string;
  /** The host's script for frames. */
  script: string;
};

/** Address of a file of a package. */
export const assetPath = (name: string, sha12: string, path: string): string =>
  `/api/plugins/${name}/assets/${sha12}/${path}`;

/**
 * The document of a plugin's iframe. It has an origin of its own, so that it sees no cookie, no storage and no parent; it
 * runs the host's script, which loads the plugin's bundle, and may call nobody: what it wants it asks the host for.
 */
export const frameDocument = ({ manifest, frontend, sha12, origin, script }: FrameParts): FrameDocument => {
  const { name, version, title } = manifest;
  const at = (path: string) => Bun.escapeHTML(assetPath(name, sha12, path));
  const css = frontend.css === null ? "" : `<link rel="stylesheet" href="${at(frontend.css)}">`;
  const assets = origin + assetPath(name, sha12, "");
  const hash = `'sha256-${new Bun.CryptoHasher("sha256").update(script).digest("base64")}'`;
  return {
    html: [
      `<!doctype html><html lang="en" data-plugin="${name}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${Bun.escapeHTML(title)}</title>${css}</head><body><div id="app"></div>`,
      `<script type="module" data-name="${name}" data-version="${Bun.escapeHTML(version)}"`,
      ` data-entry="${at(frontend.entry)}">${script}</script></body></html>`,
    ].join(""),
    headers: {
      "content-security-policy": [reach(assets, hash), beginning(hash)].join(", "),
      // Nothing but this server, by whatever way: what CSP leaves out, WebRTC and connections made beforehand, too. Wherever
      // browsers know it; the script sees to WebRTC in the others.
      "connection-allowlist": "(response-origin)",
    },
  };
};

/** What scripts, styles and pictures may come from, and that nothing else is reached. */
const reach = (assets: string, hash: string): string =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src ${hash} ${assets}`,
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
 * A second policy, which has to agree with everything too: a document begins with the host's script or with none. A document
 * without an address of its own, written by the plugin into a frame within its frame, inherits both; it would otherwise load
 * the plugin's files by itself, with all that the host's script takes away first.
 */
const beginning = (hash: string): string => `script-src ${hash} 'strict-dynamic'`;
