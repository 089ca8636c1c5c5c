import { requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { digestOf } from "#api/core/ids.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import type { FieldError } from "#contract/errors.ts";
import {
  cardSize,
  type ImageFile,
  type ImageUse,
  iconSizes,
  imageFiles,
  imageLimits,
  imageTexts,
  imageTypes,
  objectKeyOf,
  type SiteImage,
  siteImages,
} from "#contract/site-images.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import type { SavedImage, UploadImageInput } from "./contract.ts";
import { readImage } from "./read-image.ts";
import { selectSiteImages } from "./store.ts";

const prefix = "site/";
// Time enough to save what was uploaded.
const unusedMs = 24 * 60 * 60 * 1000;

/**
 * Stores the files of an image, and answers what its setting then has to hold: nothing uses it before. For admins and the
 * operator. Throws a 422 with each file that is no image, not whole, of another size than its use needs, or unsafe.
 */
export const uploadImage = async (
  ctx: Context,
  { image, files }: UploadImageInput,
): Promise<{ message: string; data: SavedImage }> => {
  requireAdmin(ctx);
  const read = readFiles(image, files);
  const id = digestOf(
    new TextEncoder().encode(read.map(({ name, bytes }) => name + digestOf(bytes)).join()),
  ).slice(0, 32);
  const value = [id, ...read.map(({ name }) => name)].join(" ");
  const stored = imageFiles(value);
  const added = await putFiles(
    ctx,
    stored.map((file, at) => ({ file, bytes: read[at]?.bytes ?? new Uint8Array() })),
  );
  try {
    await adminAction(
      ctx,
      {
        ...{ type: "configuration_changed", severity: "low" },
        action: "Uploaded an image of the site",
        description: siteImages[image],
      },
      async () => {},
    );
  } catch (error) {
    await removeFiles(ctx, added);
    throw error;
  }
  await removeUnused(ctx, id);
  const addresses = stored.map(({ use, width, height, address }) => ({ use, width, height, address }));
  return { message: imageTexts.uploaded, data: { image, value, files: addresses } };
};

/** Stores what is not stored yet, or has been for so long that it might be removed before it is named; resolves to new keys. */
const putFiles = async (
  { objects, clock }: Pick<Context, "objects" | "clock">,
  files: readonly { file: ImageFile; bytes: Uint8Array }[],
): Promise<string[]> => {
  const storedAt = new Map((await objects.list(prefix)).map(({ key, createdAt }) => [key, createdAt]));
  const added: string[] = [];
  for (const { file, bytes } of files) {
    const key = objectKeyOf(file);
    const since = storedAt.get(key);
    if (since !== undefined && clock.now().getTime() - since.getTime() < unusedMs / 2) continue;
    await objects.put(key, bytes, { contentType: imageTypes[file.type] });
    if (since === undefined) added.push(key);
  }
  return added;
};

const removeFiles = async ({ objects, log }: Pick<Context, "objects" | "log">, keys: readonly string[]) => {
  try {
    for (const key of keys) await objects.delete(key);
  } catch (error) {
    // The next upload removes what is left.
    log.warn("an unused image of the site could not be deleted", { error: describeError(error) });
  }
};

type ReadFile = {
  name: string;
  use: ImageUse;
  type: string;
  width: number;
  height: number;
  bytes: Uint8Array;
};

const readFiles = (image: SiteImage, files: UploadImageInput["files"]): ReadFile[] => {
  const errors: FieldError[] = [];
  const read = files.flatMap(({ use, content }, at): ReadFile[] => {
    const found = readFile(image, use, content);
    if ("complaint" in found) errors.push({ path: `files.${at}`, message: found.complaint });
    return "complaint" in found ? [] : [found];
  });
  if (errors.length === 0) {
    const isTooMuch = read.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > imageLimits.bytes;
    const complaint = isTooMuch ? imageTexts.tooManyBytes : complaintAbout(image, read);
    if (complaint !== null) errors.push({ path: "files", message: complaint });
  }
  if (errors.length > 0) throw validationError(errors);
  return read;
};

const usesOf = {
  logo: ["full", "email"],
  logoDark: ["full"],
  icon: ["full", "icon", "maskable"],
  card: ["full", "drawn"],
} as const satisfies Record<SiteImage, readonly ImageUse[]>;

const isUseOf = (image: SiteImage, use: ImageUse): boolean => usesOf[image].some((own) => own === use);

const readFile = (image: SiteImage, use: ImageUse, content: string): ReadFile | { complaint: string } => {
  if (!isUseOf(image, use)) return { complaint: imageTexts.wrongUse(image) };
  // Whatever is no base64 is left out when it is decoded: what comes back shows it.
  const bytes = new Uint8Array(Buffer.from(content, "base64"));
  if (content === "" || Buffer.from(bytes).toString("base64") !== content)
    return { complaint: imageTexts.notBase64 };
  const found = readImage(bytes);
  if ("complaint" in found) return found;
  const { type, width, height } = found;
  const isDrawn = use === "email" || use === "icon" || use === "maskable";
  if (isDrawn && type !== "png") return { complaint: imageTexts.wantsPng };
  return { name: `${use}-${width}x${height}.${type}`, use, type, width, height, bytes };
};

type NamedFile = Omit<ReadFile, "bytes">;

/** What is wrong with the files of an image, besides their bytes; `null` for nothing. */
const complaintAbout = (image: SiteImage, files: readonly NamedFile[]): string | null => {
  if (files.some(({ use }) => !isUseOf(image, use))) return imageTexts.wrongUse(image);
  if (new Set(files.map(({ name }) => name)).size < files.length) return imageTexts.twice;
  const full = files.find(({ use }) => use === "full");
  if (image === "icon") return isWholeIcon(files, full) ? null : imageTexts.iconWanted;
  if (image !== "card") return full === undefined ? imageTexts.logoWanted : null;
  const isCard = ({ type, width, height }: NamedFile) =>
    (type === "png" || type === "jpg") && width === cardSize.width && height === cardSize.height;
  return files.length === 1 && files.every(isCard) ? null : imageTexts.cardWanted;
};

/** Whether there is an icon for every place: drawn in all sizes, or one picture that is large enough for each. */
const isWholeIcon = (files: readonly NamedFile[], full: NamedFile | undefined): boolean => {
  const has = (use: "icon" | "maskable") =>
    iconSizes[use].every((size) =>
      files.some((file) => file.use === use && file.width === size && file.height === size),
    );
  if (has("icon") && has("maskable")) return true;
  return full !== undefined && full.type === "png" && full.width === full.height && full.width >= 512;
};

/** Removes files that no setting names, now or in the history, once they are a day old. */
const removeUnused = async (ctx: Context, id: string): Promise<void> => {
  try {
    const named = new Set([id, ...(await selectSiteImages(ctx.db)).map((value) => value.slice(0, 32))]);
    const before = ctx.clock.now().getTime() - unusedMs;
    for (const { key, createdAt } of await ctx.objects.list(prefix)) {
      const isNamed = named.has(key.slice(prefix.length).split("/")[0] ?? "");
      if (!isNamed && createdAt.getTime() < before) await ctx.objects.delete(key);
    }
  } catch (error) {
    // The next upload removes what is left.
    ctx.log.warn("unused images of the site are left", { error: describeError(error) });
  }
};

// The record has no other names.
const imageNames = Object.keys(siteImages) as SiteImage[];

/** Throws a 422 for an image of a change that was not uploaded, or for another one, or is no longer there. */
export const requireStored = async (
  { objects }: { objects: Pick<ObjectStore, "get"> },
  change: object,
): Promise<void> => {
  for (const name of imageNames) {
    const value: unknown = Reflect.get(change, name);
    const files: ImageFile[] = typeof value === "string" ? imageFiles(value.trim()) : [];
    const complaint = files.length === 0 ? null : complaintAbout(name, files);
    if (complaint !== null) throw validationError([{ path: name, message: complaint }]);
    for (const file of files)
      if ((await objects.get(objectKeyOf(file))) === null)
        throw validationError([{ path: name, message: imageTexts.notUploaded }]);
  }
};

/** Whether a card was drawn for what the site was called before a change. */
export const isOutdatedCard = (before: SiteSettings, after: SiteSettings): boolean =>
  after.card === before.card &&
  imageFiles(after.card).some(({ use }) => use === "drawn") &&
  (["name", "tagline", "accent"] as const).some((field) => before[field] !== after[field]);
