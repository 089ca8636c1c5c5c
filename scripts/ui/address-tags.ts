import { originMark } from "#api/http/pages/ui-manifest.ts";
import { escaped } from "./escaped.ts";

/**
 * How many bytes a page keeps free for its address tags. They travel uncompressed, so every byte counts; this is
 * enough for a public origin of 80 characters.
 */
export const addressRoomBytes = 512;

/** The picture that other sites show beside a link, 1200 by 630. */
export const socialImage = "/social-card.png";

/** Tags with a page's own public address, whose origin the running server puts in. */
export const addressTags = (path: string): string => {
  const url = escaped(originMark + path);
  const image = originMark + socialImage;
  return [
    `<link rel="canonical" href="${url}">`,
    `<meta property="og:url" content="${url}">`,
    `<meta property="og:image" content="${image}">`,
    `<meta name="twitter:image" content="${image}">`,
  ].join("");
};

/** What other sites show of a page, as far as it is the same under every address. */
export const socialTags = (title: string, description: string): string =>
  [
    '<meta property="og:type" content="website">',
    '<meta property="og:site_name" content="Atrium">',
    `<meta property="og:title" content="${escaped(title)}">`,
    `<meta property="og:description" content="${escaped(description)}">`,
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    `<meta property="og:image:alt" content="${escaped(imageAlt)}">`,
    '<meta name="twitter:card" content="summary_large_image">',
    `<meta name="twitter:title" content="${escaped(title)}">`,
    `<meta name="twitter:description" content="${escaped(description)}">`,
  ].join("");

const imageAlt = "Atrium: the part every web app needs, finished";
