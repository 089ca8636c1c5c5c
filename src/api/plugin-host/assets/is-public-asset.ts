import type { Manifest } from "#contract/plugin-manifest.ts";

/** Where images, fonts and the like of a frontend lie. */
const sharedFolder = "assets/";

/**
 * Whether anybody may have a file of a package: what lies in the folders of its frontend. Its backend, manifest and
 * signature are nobody's business.
 */
export const isPublicAsset = ({ frontend, backend }: Manifest, path: string): boolean => {
  if (frontend === null || path === backend?.entry) return false;
  const entries = [frontend.entry, frontend.css, frontend.site].filter((entry) => entry !== null);
  if (entries.includes(path)) return true;
  const folders = entries.map((entry) => entry.slice(0, entry.lastIndexOf("/") + 1));
  return [...folders, sharedFolder].some((folder) => folder !== "" && path.startsWith(folder));
};
