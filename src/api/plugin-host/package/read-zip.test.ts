import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { zipSync } from "fflate";
import { buildZip, type Entry, goodManifest } from "../../../../tests/fixtures/hostile-archives/build-zip.ts";
import { unpackZip } from "./read-zip.ts";

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const read = async (zip: Uint8Array) =>
  Object.fromEntries([...(await unpackZip(zip)).files].map(([path, bytes]) => [path, text(bytes)]));

const files: Entry[] = [
  { name: "plugin.json", content: goodManifest },
  { name: "backend/index.js", content: "export default {}" },
];
const content = { "plugin.json": goodManifest, "backend/index.js": "export default {}" };

/** The 12 or 16 bytes behind a file whose sizes were not known before it was packed. */
const descriptor = (body: string, hasSignature: boolean): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc32(body), 4);
  bytes.writeUInt32LE(deflateRawSync(body).length, 8);
  bytes.writeUInt32LE(body.length, 12);
  return hasSignature ? bytes : bytes.subarray(4);
};

const streamed = (hasSignature: boolean): Entry[] =>
  files.map((entry) => ({
    ...entry,
    flags: 8,
    local: { crc: 0, bytes: 0 },
    behind: descriptor(String(entry.content), hasSignature),
  }));

describe("read as it was packed:", () => {
  test.each<[string, () => Uint8Array]>([
    ["a plain zip", () => buildZip(files)],
    ["stored files", () => buildZip(files.map((entry) => ({ ...entry, isStored: true })))],
    ["folders of their own", () => buildZip([...files, { name: "backend/" }, { name: "empty/" }])],
    ["a comment, as GitHub leaves one", () => buildZip(files, { comment: Buffer.from("0123abcd") })],
    ["sizes behind the files", () => buildZip(streamed(true))],
    ["sizes behind the files without a mark", () => buildZip(streamed(false))],
    ["files in another order than in its table", () => reordered()],
    [
      "fflate's zip",
      () =>
        zipSync({
          "plugin.json": Buffer.from(goodManifest),
          "backend/index.js": Buffer.from("export default {}"),
        }),
    ],
    [
      "one folder above all",
      () => buildZip(files.map((entry) => ({ ...entry, name: `notes-1.0/${entry.name}` }))),
    ],
    [
      "what macOS adds",
      () =>
        buildZip([
          ...files,
          { name: ".DS_Store", content: "x" },
          { name: "backend/.DS_Store", content: "x" },
          { name: "__MACOSX/" },
          { name: "__MACOSX/._plugin.json", content: "x" },
          { name: "__MACOSX/backend/._index.js", content: "x" },
        ]),
    ],
    [
      "what macOS adds, and one folder above all",
      () =>
        buildZip([
          { name: "notes/" },
          ...files.map((entry) => ({ ...entry, name: `notes/${entry.name}` })),
          { name: "notes/.DS_Store", content: "x" },
          { name: "__MACOSX/notes/._plugin.json", content: "x" },
        ]),
    ],
  ])("%s", async (_what, build) => expect(await read(build())).toEqual(content));
});

const reordered = (): Uint8Array => {
  const zip = buildZip(files);
  const at = zip.readUInt32LE(zip.length - 6);
  const records = zip.subarray(at, zip.length - 22);
  const first = 46 + "plugin.json".length;
  return Buffer.concat([
    zip.subarray(0, at),
    records.subarray(first),
    records.subarray(0, first),
    zip.subarray(zip.length - 22),
  ]);
};

test("a folder that not all files lie in stays", async () => {
  const names = Object.keys(await read(buildZip([...files, { name: "readme.md", content: "x" }])));
  expect(names).toEqual(["plugin.json", "backend/index.js", "readme.md"]);
});

test("an empty file and one of 20 MB are read whole", async () => {
  const big = Buffer.alloc(20_000_000);
  for (let at = 0; at < big.length; at += 16) big.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
  const { files: read } = await unpackZip(buildZip([{ name: "empty" }, { name: "big.bin", content: big }]));
  expect(read.get("empty")?.length).toBe(0);
  expect(Buffer.from(read.get("big.bin") ?? []).equals(big)).toBe(true);
});

test("other work has its turn while much is unpacked", async () => {
  const big = Buffer.alloc(20_000_000);
  for (let at = 0; at < big.length; at += 16) big.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
  const shared = { content: "x".repeat(29_000) };
  const small = Array.from({ length: 1_999 }, (_, index) => ({ name: `s/${index}.js`, ...shared }));
  for (const zip of [buildZip([{ name: "big.bin", content: big }]), buildZip(small)])
    expect(await turnsDuring(zip)).toBeGreaterThan(3);
});

/** How often a timer ran while a zip was read: not once when all is done in a single run. */
const turnsDuring = async (zip: Uint8Array): Promise<number> => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await unpackZip(zip);
  clearInterval(timer);
  return turns;
};

test("what Info-ZIP and Python pack is read as it was", async () => {
  const folder = await mkdtemp(join(tmpdir(), "read-zip-"));
  await mkdir(join(folder, "backend"));
  for (const [path, body] of Object.entries(content)) await writeFile(join(folder, path), body);
  const python = "import shutil; shutil.make_archive('../py', 'zip', '.')";
  const packers = [
    ["zip", "-qr", "../info.zip", "."],
    ["zip", "-qrD", "../bare.zip", "."],
    ["python3", "-c", python.replace("../py", "py")],
  ];
  let packed = 0;
  for (const command of packers) {
    const [program = ""] = command;
    // Machines without them have the zips above, byte by byte.
    if (Bun.which(program) === null) continue;
    const target = join(folder, `out-${packed}.zip`);
    const words = command.map((word) => (word.startsWith("../") ? target : word));
    await Bun.spawn(words, { cwd: folder, stdout: "ignore", stderr: "ignore" }).exited;
    const zip = await readFile(program === "zip" ? target : join(folder, "py.zip"));
    expect(await read(zip)).toMatchObject(content);
    packed += 1;
  }
  await rm(folder, { recursive: true });
});
