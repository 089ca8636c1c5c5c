import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { type BundlePart, missingParts } from "./collect-parts.ts";

/** The bundle as a gzipped tar file: a folder with a README and the parts, readable for its owner alone. */
export const packBundle = (folder: string, parts: readonly BundlePart[]): AsyncIterable<Uint8Array> => {
  const archive = pack();
  for (const { file, text } of [{ file: "README.txt", text: readmeOf(parts) }, ...parts])
    archive.entry({ name: `${folder}/${file}`, mode: 0o600, mtime: new Date() }, text);
  archive.finalize();
  const gzip = createGzip();
  // A reader that stops, as on a full disk, destroys both; an unhandled error would end the process.
  // An error during reading is thrown to the reader.
  gzip.on("error", () => archive.destroy());
  archive.on("error", (error) => gzip.destroy(error));
  return archive.pipe(gzip);
};

const readmeOf = (parts: readonly BundlePart[]): string => {
  const width = Math.max(...parts.map(({ file }) => file.length));
  const missing = missingParts(parts);
  const lines = parts.map(
    ({ file, about, problem }) => `${file.padEnd(width)}  ${about}${problem === null ? "" : " (missing)"}`,
  );
  return `${[
    "Support bundle of an Atrium installation.",
    "",
    "Passwords, keys, tokens and links in emails are left out or replaced with ***. Email and IP addresses are replaced with",
    "names such as person-1a2b3c4d@hidden and ipv4-1a2b3c4d, which are the same throughout this bundle and differ in the next.",
    "Review it before you share it: text written by plugins and services can contain anything.",
    "",
    ...lines,
    ...(missing.length > 0 ? ["", ...missing] : []),
  ].join("\n")}\n`;
};
