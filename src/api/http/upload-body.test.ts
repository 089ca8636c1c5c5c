import { describe, expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import { limits } from "#contract/limits.ts";
import { readUpload, type UploadedFile } from "./body.ts";

const boundary = "----WebKitFormBoundaryAbc123";
const zip = (size = 30) => {
  const bytes = new Uint8Array(size);
  bytes.set([0x50, 0x4b, 0x03, 0x04]);
  return bytes;
};

type Part = { head: string; bytes: Uint8Array };
const filePart = ({
  name = "plugin",
  file = "notes.zip",
  type = "application/zip",
  bytes = zip(),
} = {}): Part => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: ${type}`,
  bytes,
});
const formOf = (parts: Part[], end = `--${boundary}--\r\n`) =>
  Buffer.concat([
    ...parts.flatMap(({ head, bytes }) =>
      [`--${boundary}\r\n${head}\r\n\r\n`, bytes, "\r\n"].map((piece) => Buffer.from(piece)),
    ),
    Buffer.from(end),
  ]);

const send = (
  body: BodyInit,
  type = `multipart/form-data; boundary=${boundary}`,
  more: Record<string, string> = {},
) =>
  new Request("http://localhost/api/plugins/upload", {
    method: "POST",
    headers: { "content-type": type, ...more },
    body,
  });
const refusal = async (request: Request): Promise<unknown[]> => {
  try {
    await readUpload(request);
  } catch (error) {
    if (error instanceof AppError) return [error.kind, error.message];
    throw error;
  }
  return [];
};
const noFile = ["BAD_REQUEST", "Please select a plugin file"];
const unreadable = ["BAD_REQUEST", "The request could not be read"];
const notZip = ["UNSUPPORTED_MEDIA_TYPE", "This is not a zip file"];
const onlyZip = ["UNSUPPORTED_MEDIA_TYPE", "Only .zip files are accepted"];
const tooLarge = ["PAYLOAD_TOO_LARGE", "The file is larger than 20 MB"];

describe("a file that is uploaded", () => {
  test("is taken byte for byte, as browsers and Bun send it", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    bytes.set(Buffer.from(`PK\u0003\u0004\r\n--${boundary.slice(0, -1)}\r\n`));
    const expected: UploadedFile = { name: "notes.zip", bytes };
    const read = await readUpload(send(formOf([filePart({ bytes })])));
    expect([read.name, Buffer.from(read.bytes).equals(bytes)]).toEqual([expected.name, true]);
    const form = new FormData();
    form.append("plugin", new File([bytes], "notes.zip", { type: "application/zip" }));
    const sent = new Request("http://localhost/", { method: "POST", body: form });
    expect(Buffer.from((await readUpload(sent)).bytes).equals(bytes)).toBe(true);
  });

  test("of exactly 20 MB is taken, one byte more is not", async () => {
    const most = await readUpload(send(formOf([filePart({ bytes: zip(limits.uploadBytes) })])));
    expect(most.bytes.byteLength).toBe(limits.uploadBytes);
    expect(await refusal(send(formOf([filePart({ bytes: zip(limits.uploadBytes + 1) })])))).toEqual(tooLarge);
  });

  test("brings a name that leads nowhere", async () => {
    for (const [file, name] of [
      ["../../x.zip", "x.zip"],
      ["C:\\temp\\x.zip", "x.zip"],
      ["a\u202Eb.zip", "ab.zip"],
    ] as const)
      expect((await readUpload(send(formOf([filePart({ file })])))).name).toBe(name);
  });
});

describe("P3: an upload is refused, in words, with", () => {
  const forms: [title: string, body: BodyInit, expected: string[]][] = [
    ["another field", formOf([filePart({ name: "file" })]), noFile],
    ["no file", formOf([]), noFile],
    [
      "a field that is no file",
      formOf([{ head: 'Content-Disposition: form-data; name="plugin"', bytes: zip() }]),
      noFile,
    ],
    ["no name of a file", formOf([filePart({ file: "" })]), noFile],
    ["no bytes", formOf([filePart({ bytes: new Uint8Array() })]), noFile],
    ["two files", formOf([filePart(), filePart()]), ["BAD_REQUEST", "Please upload one file at a time"]],
    ["another ending", formOf([filePart({ file: "notes.exe" })]), onlyZip],
    ["another type", formOf([filePart({ type: "text/html" })]), onlyZip],
    ["bytes that are no zip's", formOf([filePart({ bytes: Buffer.from("<html></html>") })]), notZip],
    ["no end", formOf([filePart()], ""), unreadable],
    ["half of it", formOf([filePart({ bytes: zip(1_000) })]).subarray(0, 600), unreadable],
    ["no head", Buffer.from(`--${boundary}\r\n\r\nPK\r\n--${boundary}--`), unreadable],
    ["no form", "nothing of the kind", unreadable],
    ["nothing", "", unreadable],
    ["a head without end", formOf([{ head: `A: ${"x".repeat(5_000)}`, bytes: zip() }]), unreadable],
    ["eleven parts", formOf(Array.from({ length: 11 }, () => filePart())), unreadable],
  ];
  test.each(forms)("%s", async (_title, body, expected) => {
    expect(await refusal(send(body))).toEqual(expected);
  });

  test("JSON is told what is to be sent instead", async () => {
    const asked = ["UNSUPPORTED_MEDIA_TYPE", "Please send the file as multipart/form-data"];
    expect(await refusal(send("{}", "application/json"))).toEqual(asked);
  });

  const types: [title: string, type: string, kind: string][] = [
    ["JSON", "application/json", "UNSUPPORTED_MEDIA_TYPE"],
    ["a zip without a form", "application/zip", "UNSUPPORTED_MEDIA_TYPE"],
    ["no boundary", "multipart/form-data", "UNSUPPORTED_MEDIA_TYPE"],
    ["an empty boundary", "multipart/form-data; boundary=", "BAD_REQUEST"],
    ["a boundary that is too long", `multipart/form-data; boundary=${"a".repeat(71)}`, "BAD_REQUEST"],
  ];
  test.each(types)("%s", async (_title, type, kind) => {
    expect((await refusal(send(formOf([filePart()]), type)))[0]).toBe(kind);
  });

  test("more than the limit, announced or not", async () => {
    const announced = { "content-length": String(limits.uploadBytes + 100_000) };
    expect(await refusal(send("x", undefined, announced))).toEqual(tooLarge);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    expect(await refusal(send(endless))).toEqual(tooLarge);
    expect(pulled).toBeLessThan(limits.uploadBytes + 5_000_000);
  });

  test("a sender who goes away at half of it", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(formOf([filePart()]).subarray(0, 100));
        controller.error(new Error("gone"));
      },
    });
    expect(await refusal(send(broken))).toEqual(unreadable);
  });
});
