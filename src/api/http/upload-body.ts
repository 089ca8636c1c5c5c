import { AppError } from "#api/core/app-error.ts";
import { limits } from "#contract/limits.ts";
import { packageTexts } from "#contract/package-texts.ts";
import { uploadTexts } from "#contract/upload-texts.ts";
import { arrivedBytes } from "./arrived-bytes.ts";
import { type FormPart, readForm } from "./form-parts.ts";

/** A file that came with a call. `name` is what its sender calls it, without folders: for messages alone. */
export type UploadedFile = { name: string; bytes: Uint8Array };

const fieldName = "plugin";
// What a form of one file adds to the file itself.
const overheadBytes = 16_384;
const arrivalMs = 60_000;
const formType = /^multipart\/form-data\s*;(.*)$/is;
// RFC 2046 §5.1.1: 1 to 70 characters, the last no space.
const boundaryParameter =
  /(?:^|;)\s*boundary\s*=\s*(?:"([0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-])"|([0-9A-Za-z'()+_,./:=?-]{1,70}))\s*(?:;|$)/i;
const zipTypes: readonly (string | null)[] = [
  null,
  "application/zip",
  "application/x-zip-compressed",
  "application/x-zip",
  "application/octet-stream",
];
const zipMark = [0x50, 0x4b, 0x03, 0x04];

/**
 * Reads a form with exactly one file, a zip of at most 20 MB in the field `plugin`. Nothing larger is ever held in
 * memory, and a file that does not arrive whole leaves nothing. Throws `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`;
 * rejects with these, `REQUEST_TIMEOUT` after a minute, and `BAD_REQUEST` for a form without that one file.
 */
export const readUpload = (request: Request): Promise<UploadedFile> => {
  const parameters = formType.exec(request.headers.get("content-type") ?? "")?.[1];
  if (parameters === undefined) throw new AppError("UNSUPPORTED_MEDIA_TYPE", uploadTexts.noForm);
  const found = boundaryParameter.exec(parameters);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw new AppError("BAD_REQUEST");
  const mostBytes = limits.uploadBytes + overheadBytes;
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw tooLarge();
  return arrivedBytes(request, { mostBytes, withinMs: arrivalMs }).then((bytes) => {
    if (bytes.byteLength > mostBytes) throw tooLarge();
    return onlyFile(readForm(bytes, boundary));
  }, refuseInWords);
};

const tooLarge = () => new AppError("PAYLOAD_TOO_LARGE", uploadTexts.tooLarge);

const refuseInWords = (error: unknown): never => {
  throw error instanceof AppError && error.kind === "PAYLOAD_TOO_LARGE" ? tooLarge() : error;
};

const onlyFile = (parts: FormPart[]): UploadedFile => {
  const [part, ...more] = parts;
  if (more.length > 0) throw refused(uploadTexts.oneFile);
  if (part === undefined || part.field !== fieldName || !part.fileName || part.bytes.byteLength === 0)
    throw refused(uploadTexts.noFile);
  if (part.bytes.byteLength > limits.uploadBytes) throw tooLarge();
  const name = lastSegment(part.fileName);
  if (!/\.zip$/i.test(name) || !zipTypes.includes(part.type))
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", uploadTexts.onlyZip);
  if (!zipMark.every((byte, at) => part.bytes[at] === byte))
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", packageTexts.not_zip);
  return { name, bytes: part.bytes };
};

const refused = (message: string) =>
  new AppError("BAD_REQUEST", message, { errors: [{ path: fieldName, message }] });

const lastSegment = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1)
    .replace(/\p{C}/gu, "")
    .slice(-100);
