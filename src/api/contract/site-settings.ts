import { emailComplaint } from "./account-rules.ts";
import { authTexts } from "./auth-texts.ts";
import {
  choice,
  color,
  defineSettings,
  identifier,
  image,
  list,
  page,
  text,
  type ValuesOf,
} from "./define-settings.ts";
import { pageLimits } from "./limits.ts";
import { isMeantAsLink, type OwnTextPath, type ownTexts, unsetSite, webUrl } from "./site.ts";
import { siteImages } from "./site-images.ts";

/** What has a meaning in a `mailto:` link is in no address that people write to. */
const supportEmailComplaint = (email: string) => {
  if (email === "") return null;
  return /[?&%#]/.test(email) ? authTexts.emailInvalid : emailComplaint(email);
};

const urlComplaint = (url: string) =>
  webUrl(url) === null
    ? "Please enter a complete URL that begins with https://, without a password, of at most 1,000 characters"
    : null;

// Each level costs as much to draw as all those around it.
const tooDeep = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){21}/m;

const markdownComplaint = (text: string) =>
  tooDeep.test(text) ? "Quotes and lists can be nested at most 20 levels deep" : null;

type OwnTextSetting = (typeof ownTexts)[OwnTextPath];

/** A text of the site's own in Markdown. */
const ownText = (label: string, setting: OwnTextSetting, about: string) => {
  const isLegal = setting !== "aboutText";
  const link = isLegal ? " A single URL that begins with https:// links there instead." : "";
  return text({
    default: unsetSite[setting],
    max: 40_000,
    mayBeEmpty: true,
    isLong: true,
    hasLines: true,
    refuse: (given) => (isLegal && isMeantAsLink(given) ? urlComplaint(given) : markdownComplaint(given)),
    part: "pages",
    label,
    hint: `In Markdown; HTML stays text. Empty uses the built-in text.${link}`,
    about,
    description: `${label} in Markdown, in which HTML stays text. Empty stands for the built-in text.${link}`,
    scope: "settings",
  });
};

/** The parts of the site's settings, in their order. */
export const siteParts = ["look", "images", "operator", "pages", "docs"] as const;

/** What admins set about the site itself: what it is called, how it looks, and who runs it. The firewall never manages it. */
export const siteSettings = defineSettings("site", {
  name: text({
    default: unsetSite.name,
    max: 40,
    part: "look",
    label: "Site name",
    hint: "Shown on every page, in browser tabs and in emails.",
    about: "what the site is called",
    description: "What the site is called on pages, in titles and in emails",
    scope: "settings",
  }),
  shortName: text({
    default: unsetSite.shortName,
    max: 12,
    mayBeEmpty: true,
    part: "look",
    label: "Short name",
    hint: "Shown below the site's icon on a home screen. Empty uses the site name.",
    about: "name below its icon on a home screen, empty for the site name",
    description: "Name where space is short, as below an icon. Empty stands for `name`",
    scope: "settings",
  }),
  tagline: text({
    default: unsetSite.tagline,
    max: 120,
    mayBeEmpty: true,
    part: "look",
    label: "Tagline",
    hint: "What the site is for, in a few words. Shown in the footer and in the title of the home page.",
    about: "what the site is for, in a few words",
    description: "What the site is for, in a few words. Empty stands for a general text",
    scope: "settings",
  }),
  accent: color({
    default: unsetSite.accent,
    part: "look",
    label: "Accent color",
    hint: "Color of buttons and links. Each theme makes it lighter or darker where text would be hard to read.",
    about: "color of buttons and links, such as #0f766e",
    description:
      "Color of buttons and links. Each theme makes it lighter or darker where text would be hard to read",
    scope: "settings",
  }),
  logo: image({
    part: "images",
    label: siteImages.logo,
    hint: "Replaces sign and name in the header of every page, and the name in emails. PNG, JPEG, WebP or SVG.",
    about: "logo in place of sign and name; see: atrium settings image",
    description: "The files of the logo, as they were uploaded",
    scope: "settings",
  }),
  logoDark: image({
    part: "images",
    label: siteImages.logoDark,
    hint: "Without it the logo is the same in both themes.",
    about: "logo in the dark theme",
    description: "The files of the logo for the dark theme",
    scope: "settings",
  }),
  icon: image({
    part: "images",
    label: siteImages.icon,
    hint: "For browser tabs and home screens: a square image of at least 512 by 512 pixels, or SVG.",
    about: "icon in browser tabs and on home screens",
    description: "The files of the icon",
    scope: "settings",
  }),
  card: image({
    part: "images",
    label: siteImages.card,
    hint: "The image that other sites show beside a link, 1200 by 630 pixels. Without one, it is drawn with name and color when you save.",
    about: "image that other sites show beside a link",
    description: "The file of the social card. One that was drawn goes when name, tagline or color change",
    scope: "settings",
  }),
  supportEmail: identifier({
    default: unsetSite.supportEmail,
    documented: { maxLength: pageLimits.emailLength },
    complaint: supportEmailComplaint,
    part: "operator",
    label: "Support email address",
    hint: "Shown on the contact page and in emails. Empty shows none.",
    about: "email address for users who need help",
    description: "Email address for users who need help. May be empty",
    scope: "settings",
  }),
  legalName: text({
    default: unsetSite.legalName,
    max: 100,
    mayBeEmpty: true,
    part: "operator",
    label: "Legal name",
    hint: "The person or company that runs the site. Shown in the footer and in emails.",
    about: "person or company that runs the site",
    description: "The person or company that runs the site. May be empty",
    scope: "settings",
  }),
  address: text({
    default: unsetSite.address,
    max: 200,
    mayBeEmpty: true,
    isLong: true,
    part: "operator",
    label: "Postal address",
    hint: "Shown in emails, below the legal name.",
    about: "postal address of who runs the site",
    description: "Postal address of who runs the site, on one line. May be empty",
    scope: "settings",
  }),
  socialLinks: list({
    default: unsetSite.socialLinks,
    most: 8,
    pattern: /^\s*\S(?:.{0,38}\S)?\s+https:\/\/[^\s/"<>]+(?:\/[^\s"<>]*)?\s*$/,
    hasLines: true,
    refuse: (link) => urlComplaint(/\S+$/.exec(link)?.[0] ?? ""),
    part: "operator",
    label: "Social links",
    hint: "One per line: what it is called, then its URL. Shown in the footer.",
    about: "links in the footer, such as Mastodon https://social.example/@northwind",
    description:
      "Links in the footer: what each is called, a space, and its URL, which begins with `https://`",
    invalid: "Please enter links such as Mastodon https://social.example/@northwind, at most 8, one per line",
    scope: "settings",
  }),
  home: page({
    default: unsetSite.home,
    options: { landing: "Landing page of the program", sections: "Home page of your own" },
    part: "pages",
    label: "Home page",
    hint: "A home page of your own shows name, tagline, the ways to register and sign in, and the text below. Public pages of your features can be the home page too.",
    about: "page at /",
    description:
      "The page at `/`: the landing page of the program (`landing`), one with the site's own words (`sections`), or a public page " +
      "of an own feature, by its path",
    scope: "settings",
  }),
  homeText: text({
    default: unsetSite.homeText,
    max: 10_000,
    mayBeEmpty: true,
    isLong: true,
    hasLines: true,
    refuse: markdownComplaint,
    part: "pages",
    label: "Text of the home page",
    hint: "In Markdown, for a home page of your own. Each ## heading begins a section with a box of its own. Empty uses a general text.",
    about: "text of a home page of your own, empty for a general one",
    description:
      "Text of the home page `sections` in Markdown. Each heading of the second level begins a box of its own. Empty stands for a general text",
    scope: "settings",
  }),
  aboutText: ownText("About page", "aboutText", "text of the about page"),
  termsText: ownText("Terms of service", "termsText", "terms of service"),
  privacyText: ownText("Privacy policy", "privacyText", "privacy policy"),
  cookiesText: ownText("Cookie policy", "cookiesText", "cookie policy"),
  docs: choice({
    default: unsetSite.docs,
    options: {
      everybody: "Everyone",
      members: "Signed-in users",
      admins: "Administrators",
      off: "No one",
    },
    part: "docs",
    label: "Who may read /docs and /swagger",
    hint: "Also applies to llms.txt and the OpenAPI document. Links to pages that someone may not read are hidden.",
    about: "who may read the documentation and the API description",
    description:
      "Who may read `/docs`, `/swagger`, the OpenAPI document and `llms.txt`: everyone, signed-in users (`members`), administrators " +
      "(`admins`), or no one (`off`)",
    scope: "settings",
  }),
});

export type SiteSettings = ValuesOf<typeof siteSettings>;
