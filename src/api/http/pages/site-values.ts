import { accentFor } from "#contract/accent.ts";
import { builtInHomeText } from "#contract/home-text.ts";
import { programSite } from "#contract/program-site.ts";
import { type Site, siteElementId, siteOf, unsetSite } from "#contract/site.ts";
import { type ImageFile, imageFiles, imageFor } from "#contract/site-images.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { joined } from "./open-page.ts";
import { boxesMarkup, ownTextMarkup } from "./own-text.ts";
import type { Gap, GapName } from "./ui-manifest.ts";

/** What goes into the gaps of documents, by the names of the gaps. */
export type SiteValues = Readonly<Record<GapName, string>>;

/** The names of gaps that take markup. */
export const markupGaps: readonly GapName[] = [
  ...["identity", "look", "card", "social"],
  ...["homeText", "aboutText", "termsText", "privacyText", "cookiesText"],
] as const;

/** What an installation says of itself at this public origin; `isClosed` where no one may register uninvited. */
export const siteValues = (settings: SiteSettings, origin: string, isClosed = false): SiteValues => {
  const site = siteOf(settings);
  const { variants: _, ...texts } = site;
  const { accent } = settings;
  const look = lookTags(settings, isClosed);
  return {
    ...texts,
    ...{ origin, accent, look, identity: identityTags(site), card: cardTags(site, settings.card, origin) },
    homeText: boxesMarkup(settings.homeText || builtInHomeText),
    aboutText: ownTextMarkup(settings.aboutText),
    termsText: ownTextMarkup(settings.termsText),
    privacyText: ownTextMarkup(settings.privacyText),
    cookiesText: ownTextMarkup(settings.cookiesText),
  };
};

const unset = siteOf(unsetSite);

/** What the build puts into gaps: an identity that no one has set, and no origin. */
export const unsetValues = (): SiteValues => siteValues(unsetSite, "");

const asJson = (site: Site): string => JSON.stringify(site).replaceAll("<", "\\u003c");

/** Nothing for a site whose identity no one has set: browsers know that one. */
const identityTags = (site: Site): string =>
  asJson(site) === asJson(unset)
    ? ""
    : `<script type="application/json" id="${siteElementId}">${asJson(site)}</script>`;

/** The tokens of src/ui/styles/tokens.css that are the accent, and text on it. */
const accentTokens = {
  color: ["primary", "ring", "sidebar-primary", "sidebar-ring", "chart-1"],
  text: ["primary-foreground", "sidebar-primary-foreground"],
} as const;

/** What the look depends on: the site's color and images, and what there is to show or to offer. */
const lookTags = (settings: SiteSettings, isClosed: boolean): string => {
  const { accent, tagline, supportEmail, legalName, address, socialLinks, docs } = settings;
  const shown = { tagline, support: supportEmail, operator: legalName, address, social: socialLinks.join() };
  const hidden = { closed: isClosed, social: socialLinks.length > 0, ...hiddenDocs[docs] };
  const rules = [
    ...accentRules(accent),
    ...logoRules(settings),
    ...Object.entries(shown).flatMap(([name, text]) =>
      text === "" ? [] : [`[data-when=${name}]{display:revert}`],
    ),
    ...Object.entries(hidden).flatMap(([name, is]) => (is ? [`[data-unless=${name}]{display:none}`] : [])),
  ];
  return rules.length === 0 ? "" : `<style>${rules.join("")}</style>`;
};

/** Whose links to the documentation are hidden: by the words for readers that the markup has. */
const hiddenDocs = {
  everybody: {},
  members: { "visitor-docs": true },
  admins: { "visitor-docs": true, "member-docs": true },
  off: { "visitor-docs": true, "member-docs": true, "admin-docs": true },
} as const satisfies Record<SiteSettings["docs"], object>;
// Of the logo in headers, in rem: no logo is so wide that nothing else fits beside it.
const logoHeight = 1.75;
const logoMostWidth = 11;

/**
 * Shows the logo in place of sign and name, which stay for screen readers, and the icon in place of the sign. Addresses are made
 * of characters that mean nothing in a style sheet.
 */
const logoRules = ({ logo, logoDark, icon }: SiteSettings): string[] => {
  const [light, dark] = [logo || logoDark, logoDark].map((value) => imageFor(value, "full"));
  const sign = imageFor(icon, "icon", 192);
  const behind = ({ address }: ImageFile) => `background:url(${address}) center/contain no-repeat`;
  const ofLogo = (file: ImageFile) => {
    const width = Math.min((logoHeight * file.width) / file.height, logoMostWidth);
    return `{display:block;max-width:100%;height:${logoHeight}rem;width:${Number(width.toFixed(3))}rem;${behind(file)}}`;
  };
  return [
    ...(light ? [`[data-brand=logo]${ofLogo(light)}`, `[data-brand=words]${unseen}`] : []),
    ...(dark ? inDarkTheme(`[data-brand=logo]${ofLogo(dark)}`) : []),
    ...(sign ? [`[data-brand=sign]{${behind(sign)}}[data-brand=sign]>*{display:none}`] : []),
    ...(light && !sign ? ["[data-brand=sign]{display:none}"] : []),
  ];
};

const unseen = "{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}";

/** A rule for the dark theme; pages without scripts follow the device, and say so on their root. */
const inDarkTheme = (rule: string): string[] => [
  `.dark ${rule}`,
  `@media (scripting:none) and (prefers-color-scheme:dark){[data-device-theme] ${rule}}`,
];

/**
 * None for the color that no one has changed. Doubled selectors win over the style sheet that comes later. Pages without
 * scripts that follow the device say so on their root.
 */
const accentRules = (accent: string): string[] => {
  if (accent === programSite.accent) return [];
  const tokens = (theme: "light" | "dark"): string => {
    const { color, text } = accentFor(accent, theme);
    const colors = accentTokens.color.map((name) => `--${name}:${color}`);
    const texts = accentTokens.text.map((name) => `--${name}:${text}`);
    return `{${[...colors, ...texts].join(";")}}`;
  };
  const dark = tokens("dark");
  return [
    `:root:root${tokens("light")}:root:root.dark${dark}`,
    `@media (scripting:none) and (prefers-color-scheme:dark){:root:root[data-device-theme]${dark}}`,
  ];
};

/** A content policy that also allows the style sheet with the site's color. */
export const withLook = (policy: string, { look }: SiteValues): string => {
  const [, css] = /^<style>(.*)<\/style>$/.exec(look) ?? [];
  if (css === undefined) return policy;
  const hash = new Bun.CryptoHasher("sha256").update(css).digest("base64");
  return policy.replace("style-src 'self'", (allowed) => `${allowed} 'sha256-${hash}'`);
};

/** The picture that other sites show beside a link, 1200 by 630. The built-in one shows the name that no one has set. */
const cardTags = ({ name }: Site, card: string, origin: string): string => {
  const [own] = imageFiles(card);
  if (own === undefined && name !== programSite.name) return '<meta name="twitter:card" content="summary">';
  const image = `${Bun.escapeHTML(origin)}${own?.address ?? "/social-card.png"}`;
  const alt = own === undefined ? `${name}: the part every web app needs, finished` : Bun.escapeHTML(name);
  return [
    `<meta property="og:image" content="${image}"><meta name="twitter:image" content="${image}">`,
    '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
    `<meta property="og:image:alt" content="${alt}">`,
    '<meta name="twitter:card" content="summary_large_image">',
  ].join("");
};

const encoder = new TextEncoder();

/** A document with its gaps filled, each as its place needs it. */
export const fillGaps = (
  bytes: Uint8Array,
  gaps: readonly Gap[],
  values: SiteValues,
): Uint8Array<ArrayBuffer> => {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const [at, length, name, kind] of gaps) {
    parts.push(bytes.subarray(end, at), encoder.encode(writings[kind](values[name])));
    end = at + length;
  }
  return joined([...parts, bytes.subarray(end)]);
};

/** How a text is written in each kind of place. */
export const writings = {
  text: Bun.escapeHTML,
  url: encodeURIComponent,
  markup: (text: string) => text,
  json: (text: string) => JSON.stringify(text).slice(1, -1),
} as const satisfies Record<Gap[3] | "json", (text: string) => string>;

/** Whether something belongs in gaps of this name. */
export const isGapName = (values: SiteValues, name: string): name is GapName => Object.hasOwn(values, name);
