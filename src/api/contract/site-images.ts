/** The images that belong to a site's identity, and what users call each. */
export const siteImages = {
  logo: "Logo",
  logoDark: "Logo for the dark theme",
  icon: "Icon",
  card: "Social card",
} as const;

export type SiteImage = keyof typeof siteImages;

/** What a file of an image is for: all of it, an email, an icon as it is or on a tile that devices may cut, or a card that was drawn for the site's name. */
export const imageUses = ["full", "email", "icon", "maskable", "drawn"] as const;

export type ImageUse = (typeof imageUses)[number];

/** The kinds of images that are accepted, by the ends of their names. */
export const imageTypes = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  svg: "image/svg+xml",
} as const;

export type ImageType = keyof typeof imageTypes;

/** The sizes in which an icon is drawn, in pixels; the smallest tile is for home screens of Apple. */
export const iconSizes = { icon: [32, 192, 512], maskable: [180, 192, 512] } as const;

/** The size of a social card, in pixels. */
export const cardSize = { width: 1200, height: 630 } as const;

/** Bounds of uploads: of all files of an image together, and of each edge. */
export const imageLimits = { bytes: 700_000, edge: 4_096, files: 8 } as const;

/** A stored file of an image; `address` is its path on the site. */
export type ImageFile = {
  name: string;
  use: ImageUse;
  width: number;
  height: number;
  type: ImageType;
  address: string;
};

const fileName = new RegExp(
  `^(${imageUses.join("|")})-(\\d{1,4})x(\\d{1,4})\\.(${Object.keys(imageTypes).join("|")})$`,
);

/** What the addresses of images begin with. */
export const imageFolder = "/site/";

/** What the setting of an image holds: the id that its files have in common, and their names. Empty stands for none. */
export const imagePattern = new RegExp(
  `^(?:[0-9a-f]{32}(?: ${fileName.source.slice(1, -1)}){1,${imageLimits.files}})?$`,
);

/** The files of an image, as its setting names them; none where that is empty. */
export const imageFiles = (value: string): ImageFile[] => {
  const [id = "", ...names] = value.split(" ");
  return names.flatMap((name) => imageFile(`${imageFolder}${id}/${name}`) ?? []);
};

/** The file at an address; `null` where none can be. */
export const imageFile = (address: string): ImageFile | null => {
  const [, id, name = ""] = /^\/site\/([0-9a-f]{32})\/([^/]+)$/.exec(address) ?? [];
  const [, use, width, height, type] = fileName.exec(name) ?? [];
  if (id === undefined || use === undefined) return null;
  // The pattern lists the same words.
  const facts = { use: use as ImageUse, type: type as ImageType };
  return { name, ...facts, width: Number(width), height: Number(height), address };
};

/** The file of an image for this use and width, or all of it; `null` for none. */
export const imageFor = (value: string, use: ImageUse, width?: number): ImageFile | null => {
  const files = imageFiles(value);
  const exact = files.find((file) => file.use === use && (width === undefined || file.width === width));
  return exact ?? files.find((file) => file.use === "full") ?? null;
};

/** Where a file is in the object storage. */
export const objectKeyOf = ({ address }: Pick<ImageFile, "address">): string => address.slice(1);

/** What is said about images. */
export const imageTexts = {
  uploaded: "Image uploaded. It is used once its setting names it",
  notUploaded: "Upload the image first, on the page Site or with: atrium settings image",
  unknown: "Please choose a PNG, JPEG, WebP or SVG image",
  broken: "This image is damaged or incomplete. Export it again, then try again",
  surplus: "This file holds more than an image. Export it again, then try again",
  tooLarge: `Images may have at most ${imageLimits.edge} by ${imageLimits.edge} pixels`,
  tooManyBytes: "The files of an image may have at most 700 kB together",
  svgUnsafe: (what: string) => `SVG images can't contain ${what}. Remove them, then try again`,
  svgNamespace: 'SVG images have to begin with <svg xmlns="http://www.w3.org/2000/svg">',
  svgSize: "Give the SVG image a width and a height, or a viewBox",
  notBase64: "Please send the file's bytes in base64",
  wrongUse: (image: SiteImage) => `Files of this use don't belong to the ${siteImages[image].toLowerCase()}`,
  twice: "Please send one file of each use and size",
  wrongSize: (width: number, height: number) => `This file has to have ${width} by ${height} pixels`,
  wantsPng: "This file has to be a PNG image",
  logoWanted: "Please send the logo itself, as the file of use `full`",
  iconWanted: `Please send a square PNG image of at least 512 by 512 pixels, or the icon in all sizes`,
  cardWanted: `Please send one PNG or JPEG image of ${cardSize.width} by ${cardSize.height} pixels`,
} as const;
