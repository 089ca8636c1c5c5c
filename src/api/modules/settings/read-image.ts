import { crc32 } from "node:zlib";
import { type ImageType, imageLimits, imageTexts } from "#contract/site-images.ts";

/** What a file is by its content, and its size in pixels. */
export type ReadImage = { type: ImageType; width: number; height: number };

/**
 * What an image is, by its content alone; or the complaint about one that is none, not whole, too large, or holds more than an
 * image. Pixels are never decoded: browsers do that.
 */
export const readImage = (bytes: Uint8Array): ReadImage | { complaint: string } => {
  const kind = kinds.find(({ isOne }) => isOne(bytes));
  if (kind === undefined) return { complaint: imageTexts.unknown };
  try {
    const { width, height } = kind.read(bytes);
    if (width < 1 || height < 1) return { complaint: imageTexts.broken };
    if (width > imageLimits.edge || height > imageLimits.edge) return { complaint: imageTexts.tooLarge };
    return { type: kind.type, width, height };
  } catch (error) {
    // Reading behind the end is how a file that was cut off shows.
    return { complaint: error instanceof Unfit ? error.message : imageTexts.broken };
  }
};

class Unfit extends Error {}

type Size = { width: number; height: number };
type Kind = { type: ImageType; isOne: (bytes: Uint8Array) => boolean; read: (bytes: Uint8Array) => Size };

const begins = (bytes: Uint8Array, start: readonly number[], at = 0): boolean =>
  start.every((byte, index) => bytes[at + index] === byte);
const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

// Source: PNG specification, 5.2 to 5.3.
const readPng = (bytes: Uint8Array): Size => {
  const view = viewOf(bytes);
  let at = 8;
  let hasPixels = false;
  for (;;) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 12 + length;
    if (view.getUint32(end - 4) !== crc32(bytes.subarray(at + 4, end - 4)))
      throw new Unfit(imageTexts.broken);
    if ((at === 8) !== (name === "IHDR")) throw new Unfit(imageTexts.broken);
    hasPixels ||= name === "IDAT";
    at = end;
    if (name === "IEND") break;
  }
  if (!hasPixels) throw new Unfit(imageTexts.broken);
  if (at !== bytes.byteLength) throw new Unfit(imageTexts.surplus);
  return { width: view.getUint32(16), height: view.getUint32(20) };
};

// Markers that begin a frame; the others between them define tables. Source: ITU-T T.81, table B.1.
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const readJpeg = (bytes: Uint8Array): Size => {
  const view = viewOf(bytes);
  let size: Size | null = null;
  let hasPixels = false;
  let at = 2;
  for (;;) {
    if (view.getUint8(at) !== 0xff) throw new Unfit(imageTexts.broken);
    const marker = view.getUint8(at + 1);
    // Fill bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) break;
    if (isFrame(marker)) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
    if (marker !== 0xda) continue;
    hasPixels = true;
    // Coded pixels, up to the next marker that is neither a stuffed byte nor a restart.
    while (view.getUint8(at) !== 0xff || isWithinPixels(view.getUint8(at + 1))) at += 1;
  }
  if (size === null || !hasPixels) throw new Unfit(imageTexts.broken);
  if (at + 2 !== bytes.byteLength) throw new Unfit(imageTexts.surplus);
  return size;
};

const isWithinPixels = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);

// Source: WebP container specification, and RFC 6386 §9.1 for the size of a lossy image.
const readWebp = (bytes: Uint8Array): Size => {
  const view = viewOf(bytes);
  const length = view.getUint32(4, true) + 8;
  if (length > bytes.byteLength) throw new Unfit(imageTexts.broken);
  if (length < bytes.byteLength) throw new Unfit(imageTexts.surplus);
  let at = 12;
  let size: Size | null = null;
  while (at < length) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const body = at + 8;
    size ??= webpSize(view, name, body);
    at = body + view.getUint32(at + 4, true);
    at += at % 2;
  }
  if (at !== length || size === null) throw new Unfit(imageTexts.broken);
  return size;
};

const webpSize = (view: DataView, name: string, at: number): Size | null => {
  if (name === "VP8X") return { width: 1 + uint24(view, at + 4), height: 1 + uint24(view, at + 7) };
  if (name === "VP8 ")
    return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
  if (name !== "VP8L") return null;
  const bits = view.getUint32(at + 1, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
};

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);

// What a browser would run, load or take for a page; as images they are inert, and the answer's policy says so once more.
// Uploaded texts are long: each pattern here and below looks at every character a fixed number of times.
const unsafe: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/<!(?:entity|doctype[^<>[]*\[)/i, "entities"],
  [/<\?(?!xml\s)/i, "processing instructions"],
  [/<(?:[\w.-]+:)?script\b/i, "scripts"],
  [/[\s"'/]on[a-z]+\s*=/i, "event handlers"],
  [/<(?:[\w.-]+:)?(?:foreignobject|iframe|object|embed|audio|video|handler|listener)\b/i, "foreign content"],
  [/(?:javascript|vbscript)\s*:/i, "scripts"],
  [/\bhref\s*=(?!\s*["']\s*(?:#|data:image\/(?:png|jpeg|webp);))/i, "links to other files"],
  [
    /@import|url\((?!\s*(?:(?:["']|&quot;)\s*)?(?:#|data:image\/(?:png|jpeg|webp);))/i,
    "links to other files",
  ],
];

const readSvg = (bytes: Uint8Array): Size => {
  const text = asText(bytes);
  if (text === null) throw new Unfit(imageTexts.broken);
  for (const [pattern, what] of unsafe) if (pattern.test(text)) throw new Unfit(imageTexts.svgUnsafe(what));
  const root = rootIn(text);
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] = (root.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] = [root.get("width"), root.get("height")].map(pixels);
  const size = width && height ? { width, height } : { width: boxWidth, height: boxHeight };
  if (!(size.width > 0 && size.height > 0)) throw new Unfit(imageTexts.svgSize);
  // Only its proportions matter: it has no pixels.
  const scale = Math.min(1, imageLimits.edge / Math.max(size.width, size.height));
  const whole = (edge: number) => Math.max(1, Math.round(edge * scale));
  return { width: whole(size.width), height: whole(size.height) };
};

const pixels = (text: string | undefined): number =>
  Number(/^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(text ?? "")?.[1]);

const broken = (): never => {
  throw new Unfit(imageTexts.broken);
};

const rootOf =
  /^(?:<\?xml[^>]*\?>)?(?:\s|<!--(?:(?!-->).)*-->|<!DOCTYPE\s+(?:svg:)?svg[^<>[]*(?:\[[^\]]*\]\s*)?>)*<(?:svg:)?svg\b/is;
const doctype = /<!DOCTYPE\s+(?:svg:)?svg[^<>[]*>/y;
const tag = /<(\/?)([^\s<>"'=/]+)((?:\s+[^\s<>"'=/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const unknownEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;
const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * The attributes of an SVG document's root. Throws for what browsers refuse to draw: what is not well-formed, uses prefixes that
 * are not declared, or whose root is of another namespace. Source: XML 1.0, chapter 2, and Namespaces in XML 1.0.
 */
const rootIn = (text: string): Map<string, string> => {
  const open: Element[] = [];
  const prefixes = new Map([["xml", 1]]);
  let root: Map<string, string> | null = null;
  let at = text.startsWith("<?xml") ? text.indexOf("?>") + 2 : 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const words = text.slice(at, next === -1 ? undefined : next);
    if (open.length === 0 ? words.trim() !== "" : unknownEntity.test(words)) broken();
    if (next === -1) break;
    const end = endOfAside(text, next, { isWithin: open.length > 0, isBefore: root === null });
    at = end ?? next;
    if (end !== null) continue;
    const [whole, slash, name = "", attributes = "", closes] = matchAt(tag, text, at) ?? broken();
    at += whole.length;
    if (slash === "/") {
      if (attributes !== "" || closes === "/" || open.at(-1)?.name !== name) broken();
      leave(open, prefixes);
      continue;
    }
    if (open.length === 0 && root !== null) broken();
    const element = enter({ name, attributes: attributesIn(attributes) }, prefixes);
    root ??= element.attributes;
    open.push(element);
    if (open.length === 1) requireSvg(element);
    if (closes === "/") leave(open, prefixes);
  }
  return open.length > 0 || root === null ? broken() : root;
};

type Element = { name: string; attributes: Map<string, string> };

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Where a comment, a document type or a CDATA section ends that begins here; `null` where none does. */
const endOfAside = (
  text: string,
  at: number,
  { isWithin, isBefore }: { isWithin: boolean; isBefore: boolean },
): number | null => {
  if (text.startsWith("<!--", at)) {
    const end = text.indexOf("--", at + 4);
    return end !== -1 && text[end + 2] === ">" ? end + 3 : broken();
  }
  if (isWithin && text.startsWith("<![CDATA[", at)) {
    const end = text.indexOf("]]>", at);
    return end === -1 ? broken() : end + 3;
  }
  const found = isBefore ? matchAt(doctype, text, at) : null;
  return found === null ? null : at + found[0].length;
};

const attributesIn = (text: string): Map<string, string> => {
  if (unknownEntity.test(text)) broken();
  const found = [...text.matchAll(attribute)].map(([, name = "", double, single]): [string, string] => [
    name,
    double ?? single ?? "",
  ]);
  const attributes = new Map(found);
  return attributes.size < found.length ? broken() : attributes;
};

const declaredBy = ({ attributes }: Element): string[] =>
  [...attributes.keys()].flatMap((name) => (name.startsWith("xmlns:") ? [name.slice(6)] : []));

const enter = (element: Element, prefixes: Map<string, number>): Element => {
  for (const prefix of declaredBy(element)) prefixes.set(prefix, (prefixes.get(prefix) ?? 0) + 1);
  for (const name of [element.name, ...element.attributes.keys()]) {
    const [prefix = "", own] = name.split(":");
    if (own !== undefined && prefix !== "xmlns" && !prefixes.get(prefix)) broken();
  }
  return element;
};

const leave = (open: Element[], prefixes: Map<string, number>): void => {
  const element = open.pop();
  for (const prefix of element === undefined ? [] : declaredBy(element))
    prefixes.set(prefix, (prefixes.get(prefix) ?? 0) - 1);
};

const requireSvg = ({ name, attributes }: Element): void => {
  const [prefix, own] = name.includes(":") ? name.split(":") : [null, name];
  const namespace = attributes.get(prefix === null ? "xmlns" : `xmlns:${prefix}`);
  if (own !== "svg" || namespace !== svgNamespace) throw new Unfit(imageTexts.svgNamespace);
};

const asText = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trimEnd();
    return /(?![\t\n\r])\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
};

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const kinds: readonly Kind[] = [
  {
    type: "png",
    isOne: (bytes) => begins(bytes, [0x89, ...letters("PNG"), 0x0d, 0x0a, 0x1a, 0x0a]),
    read: readPng,
  },
  { type: "jpg", isOne: (bytes) => begins(bytes, [0xff, 0xd8, 0xff]), read: readJpeg },
  {
    type: "webp",
    isOne: (bytes) => begins(bytes, letters("RIFF")) && begins(bytes, letters("WEBP"), 8),
    read: readWebp,
  },
  { type: "svg", isOne: (bytes) => rootOf.test(asText(bytes) ?? ""), read: readSvg },
];
