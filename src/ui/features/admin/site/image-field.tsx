import { ImageUp } from "lucide-react";
import { useId, useRef, useState } from "react";
import type { UploadImageInput } from "#api/modules/settings/contract.ts";
import { accentFor, pageGrounds } from "#contract/accent.ts";
import { cardSize, type ImageUse, iconSizes, imageFor, type SiteImage } from "#contract/site-images.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import type { SettingsForm } from "../settings/use-settings-form.ts";
import { sitePageTexts as texts } from "./texts.ts";

type ImageFieldProps = { form: SettingsForm; image: SiteImage; label: string; hint?: string | undefined };

/** An image of the site: what is chosen, and the ways to choose another or none. It is uploaded immediately, and used once the form is saved. */
export const ImageField = ({ form, image, label, hint }: ImageFieldProps) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const path = `site.${image}` as const;
  const shown =
    imageFor(form.draft[path], image === "icon" ? "icon" : "full", image === "icon" ? 192 : undefined) ??
    imageFor(form.draft[path], "drawn");
  const error = failure ?? form.errors[path];

  const choose = async (file: File) => {
    setIsBusy(true);
    setFailure(null);
    try {
      const { data } = await client.settings.uploadImage({ image, files: await filesOf(image, file) });
      form.set(path, data.value);
    } catch (problem) {
      setFailure(saidOf(problem));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <fieldset
      aria-describedby={`${id}-hint${error === undefined ? "" : ` ${id}-error`}`}
      className="grid min-w-0 content-start gap-2"
    >
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <div className="flex flex-wrap items-center gap-3">
        <span
          className={`grid h-16 w-32 shrink-0 place-items-center rounded-md border p-2 ${image === "logoDark" ? "bg-[#11100e]" : "bg-[#fcfbf9]"}`}
        >
          {shown === null ? (
            <ImageUp aria-hidden="true" className="size-5 text-[#69625b]" />
          ) : (
            <img src={shown.address} alt={texts.chosen(label)} className="max-h-12 max-w-28 object-contain" />
          )}
        </span>
        <Button variant="outline" size="sm" isBusy={isBusy} onClick={() => input.current?.click()}>
          {shown === null ? texts.choose : texts.chooseOther}
          <span className="sr-only"> {label}</span>
        </Button>
        {shown !== null && shown.use !== "drawn" && (
          <Button variant="outline" size="sm" onClick={() => form.set(path, "")}>
            {texts.remove}
            <span className="sr-only"> {label}</span>
          </Button>
        )}
        <input
          ref={input}
          type="file"
          name={path}
          accept="image/png,image/jpeg,image/webp,image/svg+xml,image/x-icon,.ico"
          aria-label={texts.fileOf(label)}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // The same file again is another choice.
            target.value = "";
            if (file !== undefined) void choose(file);
          }}
        />
      </div>
      <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground leading-5">
        {hint}
      </p>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-[0.8125rem] text-destructive leading-5">
          {error}
        </p>
      )}
    </fieldset>
  );
};

const saidOf = (problem: unknown): string => {
  if (problem instanceof ApiError)
    return problem.errors[0]?.message ?? failureText(problem, texts.uploadFailed);
  return problem instanceof Error ? problem.message : texts.uploadFailed;
};

type Files = UploadImageInput["files"];
type Size = { width: number; height: number };

// The sharpest screens show four pixels where a style sheet says one.
const logoMost: Size = { width: 704, height: 112 };
const mailMost: Size = { width: 560, height: 64 };
const iconLeast = 192;
const mostBytes = 20_000_000;

/**
 * The files of an image that someone has chosen, in every size in which it is needed: the server resizes nothing. Throws an
 * `Error` whose message says what is wrong with the file.
 */
const filesOf = async (image: SiteImage, file: File): Promise<Files> => {
  if (file.size > mostBytes) throw new Error(texts.tooLarge);
  const isVector = file.type === "image/svg+xml";
  const full = isVector ? [{ use: "full" as const, content: await base64Of(file) }] : [];
  return [...full, ...(await drawn(image, await pictureAt(await dataUrlOf(file)), isVector))];
};

const drawn = async (image: SiteImage, picture: HTMLImageElement, isVector: boolean): Promise<Files> => {
  const { naturalWidth: width, naturalHeight: height } = picture;
  if (image === "icon") {
    if (!isVector && Math.min(width, height) < iconLeast) throw new Error(texts.iconTooSmall);
    return iconFiles(picture);
  }
  if (image === "card") return [await jpeg("full", covering(picture))];
  const fit = (most: Size) => png(most === mailMost ? "email" : "full", fitting(picture, most));
  return [...(isVector ? [] : [await fit(logoMost)]), ...(image === "logo" ? [await fit(mailMost)] : [])];
};

const iconFiles = async (picture: HTMLImageElement): Promise<Files> => {
  const isFilled = fillsItsCorners(squareOf(picture, iconLeast, { part: 1 }));
  const tile = isFilled ? { part: 1 } : { part: 0.66, ground: "#ffffff" };
  return Promise.all([
    ...iconSizes.icon.map((size) => png("icon", squareOf(picture, size, { part: 1 }))),
    ...iconSizes.maskable.map((size) => png("maskable", squareOf(picture, size, tile))),
  ]);
};

/** Whether it has no see-through corners, so that a device may cut it to any shape as it is. */
const fillsItsCorners = (canvas: HTMLCanvasElement): boolean => {
  const last = canvas.width - 1;
  const corners = [
    [0, 0],
    [last, 0],
    [0, last],
    [last, last],
  ] as const;
  return corners.every(([x, y]) => (contextOf(canvas).getImageData(x, y, 1, 1).data[3] ?? 0) > 250);
};

type CardWords = { name: string; tagline: string; accent: string; icon: string };

/** A social card with name, tagline, color and icon of the site. */
export const drawnCard = async ({ name, tagline, accent, icon }: CardWords): Promise<Files> => {
  const { width, height } = cardSize;
  const { color } = accentFor(accent, "light");
  const canvas = canvasOf(cardSize);
  const context = contextOf(canvas);
  const left = 96;
  context.fillStyle = pageGrounds.light;
  context.fillRect(0, 0, width, height);
  context.fillStyle = color;
  context.fillRect(0, height - 24, width, 24);
  const sign = imageFor(icon, "icon", 192);
  if (sign !== null) context.drawImage(await pictureAt(sign.address), left, 84, 112, 112);
  const family = getComputedStyle(document.body).fontFamily;
  context.textBaseline = "alphabetic";
  const title = fitted(context, { text: name, family, width: width - 2 * left });
  context.fillStyle = color;
  for (const [at, line] of title.lines.entries()) context.fillText(line, left, 330 + at * title.size * 1.08);
  context.fillStyle = "#69625b";
  const sizes = [40, 32, 26];
  const words = fitted(context, { text: tagline, family, width: width - 2 * left, sizes, weight: 450 });
  const top = 330 + (title.lines.length - 1) * title.size * 1.08 + 76;
  for (const [at, line] of words.lines.entries()) context.fillText(line, left, top + at * words.size * 1.3);
  return [await png("drawn", canvas)];
};

type Fitting = { text: string; family: string; width: number; sizes?: readonly number[]; weight?: number };

/** A text in at most two lines, as large as it fits; the context has its font. */
const fitted = (
  context: CanvasRenderingContext2D,
  { text, family, width, sizes = [104, 84, 64, 48, 36], weight = 650 }: Fitting,
): { lines: string[]; size: number } => {
  let found = { lines: [text], size: sizes.at(-1) ?? 0 };
  for (const size of sizes) {
    context.font = `${weight} ${size}px ${family}`;
    found = { lines: linesOf(context, text, width), size };
    if (found.lines.length <= 2 && found.lines.every((line) => context.measureText(line).width <= width))
      break;
  }
  return { ...found, lines: found.lines.slice(0, 2) };
};

const linesOf = (context: CanvasRenderingContext2D, text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (lines.length > 0 && context.measureText(longer).width <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
};

const canvasOf = ({ width, height }: Size): HTMLCanvasElement =>
  Object.assign(document.createElement("canvas"), {
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(height)),
  });

const contextOf = (canvas: HTMLCanvasElement): CanvasRenderingContext2D => {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error(texts.notDrawn);
  context.imageSmoothingQuality = "high";
  return context;
};

/** The picture, no larger than `most`. A vector image fills that. */
const fitting = (picture: HTMLImageElement, most: Size): HTMLCanvasElement => {
  const { naturalWidth: width, naturalHeight: height } = picture;
  const scale = Math.min(
    most.width / width,
    most.height / height,
    isVectorImage(picture) ? Number.POSITIVE_INFINITY : 1,
  );
  const canvas = canvasOf({ width: width * scale, height: height * scale });
  contextOf(canvas).drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
};

const isVectorImage = ({ src }: HTMLImageElement): boolean => src.startsWith("data:image/svg");

/** The picture in the middle of a square, `part` of which it may take. */
const squareOf = (
  picture: HTMLImageElement,
  size: number,
  { part, ground }: { part: number; ground?: string },
): HTMLCanvasElement => {
  const canvas = canvasOf({ width: size, height: size });
  const context = contextOf(canvas);
  if (ground !== undefined) {
    context.fillStyle = ground;
    context.fillRect(0, 0, size, size);
  }
  const scale = (size * part) / Math.max(picture.naturalWidth, picture.naturalHeight);
  const [width, height] = [picture.naturalWidth * scale, picture.naturalHeight * scale];
  context.drawImage(picture, (size - width) / 2, (size - height) / 2, width, height);
  return canvas;
};

/** The middle of the picture, on white, as large as a card. */
const covering = (picture: HTMLImageElement): HTMLCanvasElement => {
  const canvas = canvasOf(cardSize);
  const context = contextOf(canvas);
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  const scale = Math.max(canvas.width / picture.naturalWidth, canvas.height / picture.naturalHeight);
  const [width, height] = [picture.naturalWidth * scale, picture.naturalHeight * scale];
  context.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  return canvas;
};

const png = (use: ImageUse, canvas: HTMLCanvasElement) => fileOf(use, canvas, "image/png");
const jpeg = (use: ImageUse, canvas: HTMLCanvasElement) => fileOf(use, canvas, "image/jpeg");

const fileOf = async (use: ImageUse, canvas: HTMLCanvasElement, type: string): Promise<Files[number]> => {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.88));
  if (blob === null) throw new Error(texts.notDrawn);
  return { use, content: await base64Of(blob) };
};

const pictureAt = async (address: string): Promise<HTMLImageElement> => {
  const picture = new Image();
  picture.src = address;
  try {
    await picture.decode();
  } catch (cause) {
    throw new Error(texts.noImage, { cause });
  }
  if (picture.naturalWidth === 0 || picture.naturalHeight === 0) throw new Error(texts.noImage);
  return picture;
};

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(texts.noImage, { cause: reader.error }));
    reader.readAsDataURL(blob);
  });

const base64Of = async (blob: Blob): Promise<string> => {
  const url = await dataUrlOf(blob);
  return url.slice(url.indexOf(",") + 1);
};
