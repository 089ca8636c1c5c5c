import { ownSite } from "#plugins/own-site.ts";
import { programSite, type SiteIdentity } from "./program-site.ts";

/** The identity that this build has before any admin sets one. */
export const unsetSite: SiteIdentity = { ...programSite, ...ownSite };

/** What pages say of the site. */
export type Site = {
  name: string;
  shortName: string;
  /** Its name with what it is for: the title of the home page, and what is proposed to those who recommend it. */
  headline: string;
  /** What it is for, in a sentence. */
  about: string;
  /** Who runs it, as the footer says. */
  owner: string;
  /** Who runs it, and where, as legal texts say; what pages say of one that is empty stays hidden. */
  legalName: string;
  address: string;
  /** Empty if there is none: what pages say of it then stays hidden. */
  supportEmail: string;
  /** Markup of the list items with its links to social networks. */
  social: string;
  /** Where its legal texts are: paths, or URLs of other sites. */
  terms: string;
  privacy: string;
  cookies: string;
  /** Which of several pages is at a path, where it is not the one that is there unless something is set. */
  variants: Readonly<Record<string, string>>;
};

/** The pages whose texts can be replaced, with the settings that hold them in Markdown. */
export const ownTexts = {
  "/about": "aboutText",
  "/terms": "termsText",
  "/privacy": "privacyText",
  "/cookies": "cookiesText",
} as const;

/** A page with such a text. */
export type OwnTextPath = keyof typeof ownTexts;

/** The legal pages, each at the path of its name. */
export const legalNames = ["terms", "privacy", "cookies"] as const;

/** The variant of a page whose text is the site's own. */
export const ownVariant = "own";

/** Whether the home page of a site of another name presents the program. */
export const isProgramsHome = ({ name, home }: Pick<SiteIdentity, "name" | "home">): boolean =>
  name !== programSite.name && home === programSite.home;

const starter = {
  headline: "Atrium: accounts and an admin area, ready to run",
  about:
    "Atrium is a starter for web applications: accounts, verified email addresses and an admin area, with its own database, on your own machine.",
  owner: "Atrium, MIT License",
};

/** The texts that follow from what admins have set. A site of another name is no starter. */
export const siteOf = (identity: SiteIdentity): Site => {
  const { name, shortName, tagline, legalName, address, supportEmail, socialLinks, home } = identity;
  const unsaid = name === programSite.name ? starter : { headline: name, about: name, owner: name };
  const texts = Object.entries(ownTexts).filter(([, setting]) => isText(identity[setting]));
  return {
    name,
    shortName: shortName || name,
    headline: tagline === "" ? unsaid.headline : `${name}: ${tagline}`,
    about: tagline || unsaid.about,
    owner: legalName || unsaid.owner,
    ...{ legalName, address, supportEmail },
    social: socialLinks.map(socialItem).join(""),
    terms: linkIn(identity.termsText) ?? "/terms",
    privacy: linkIn(identity.privacyText) ?? "/privacy",
    cookies: linkIn(identity.cookiesText) ?? "/cookies",
    variants: Object.fromEntries([
      ...(home === programSite.home ? [] : [["/", home]]),
      ...texts.map(([path]) => [path, ownVariant]),
    ]),
  };
};

/** The URL that a legal text consists of; `null` for any other text. */
const linkIn = (text: string): string | null => (isMeantAsLink(text) ? webUrl(text) : null);

/** Whether a legal text is to be a URL: one word that begins like one. */
export const isMeantAsLink = (text: string): boolean => /^https:\/\/\S*$/.test(text);

const mostUrlLength = 1_000;

/**
 * A URL as headers and links need it, in ASCII; `null` for what is none, doesn't begin with `https://`, holds a user or password,
 * or is longer than 1,000 characters.
 */
export const webUrl = (text: string): string | null => {
  if (text.length > mostUrlLength || !URL.canParse(text)) return null;
  const { protocol, username, password, hostname, href } = new URL(text);
  const isOpen = protocol === "https:" && username === "" && password === "";
  return isOpen && !/^\.|\.\./.test(hostname) ? href : null;
};

const isText = (text: string): boolean => text !== "" && linkIn(text) === null;

/** The look of links in the footer. */
export const footerLink =
  "inline-flex min-h-11 items-center text-muted-foreground hover:text-foreground md:min-h-8";

/** A link as it is set: what it is called, then its URL. */
const socialItem = (link: string): string => {
  const [, label = "", url = ""] = /^(.*\S)\s+(\S+)$/.exec(link) ?? [];
  return `<li><a href="${escaped(url)}" rel="me noopener" class="${footerLink}">${escaped(label)}</a></li>`;
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * What stands in a template where something belongs that only the running server knows. It is made of characters for
 * private use, which no setting may contain.
 */
export const markOf = (name: string): string => `\ue000${name}\ue001`;

/** A text with its marks replaced by values, which are as the text needs them; marks of other names stay. */
export const fillMarks = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\ue000(\w+)\ue001/g, (mark, name: string) => values[name] ?? mark);

/** The site in a template: a mark for each text. */
export const markedSite: Site = {
  name: markOf("name"),
  shortName: markOf("shortName"),
  headline: markOf("headline"),
  about: markOf("about"),
  owner: markOf("owner"),
  legalName: markOf("legalName"),
  address: markOf("address"),
  supportEmail: markOf("supportEmail"),
  social: markOf("social"),
  terms: markOf("terms"),
  privacy: markOf("privacy"),
  cookies: markOf("cookies"),
  variants: {},
};

/** The element of a page that holds the site's texts as JSON, where admins have set any. */
export const siteElementId = "atrium-site";
