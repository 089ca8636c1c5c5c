import { isExecutable } from "#api/db/bundled-files.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { generateKey, publicKeyOf, readPrivateKey } from "../package/keys.ts";
import { packFolder, signPackage, verifyPackage } from "../package/pack.ts";
import type { ReadPackage } from "../package/read-package.ts";
import { type BuildOptions, buildFolder, isLeftOut } from "./build-folder.ts";
import { type Starter, starterFiles } from "./starter-files.ts";

/** A package that was just made. */
export type Packed = { zip: Uint8Array; manifest: Manifest; files: string[] };

/** The tools of plugin authors. Invalid input throws `PluginBuildError` or `PackageError`. */
export type PluginTools = {
  /** How the author calls this program. */
  command: string;
  /** Builds and packs a folder, and reads the package as a server would. */
  pack(folder: string, options?: BuildOptions): Promise<Packed>;
  sign(
    zip: Uint8Array,
    how: { privateKey: string; publisher: string; signedAt: string },
  ): Promise<Uint8Array>;
  verify(zip: Uint8Array, publicKeys: readonly string[]): Promise<ReadPackage>;
  /** The id of the public key of a private key in PEM. */
  keyIdOf(privateKey: string): string;
  generateKey(): { privateKey: string; publicKey: string; keyId: string };
  starterFiles(starter: Omit<Starter, "command">): Map<string, string>;
  /** Whether a file of a plugin's folder, by its path, can affect the package. */
  isSource(path: string): boolean;
};

const command = isExecutable ? "atrium" : "bun run atrium";

/** The tools as this program has them. */
export const pluginTools: PluginTools = {
  command,
  pack: async (folder, options) => {
    const zip = packFolder(await buildFolder(folder, options));
    const { manifest, files } = await verifyPackage(zip, []);
    return { zip, manifest, files: [...files.keys()].sort() };
  },
  sign: signPackage,
  verify: verifyPackage,
  keyIdOf: (privateKey) => publicKeyOf(readPrivateKey(privateKey)).keyId,
  generateKey,
  starterFiles: (starter) => starterFiles({ ...starter, command }),
  isSource: (path) => (/\.(?:[cm]?ts|[jt]sx)$/.test(path) ? !isLeftOut(`${path}.js`) : !isLeftOut(path)),
};
