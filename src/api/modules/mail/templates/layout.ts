import { accentFor } from "#contract/accent.ts";
import { programSite } from "#contract/program-site.ts";
import { fillMarks, markOf } from "#contract/site.ts";
import { imageFor } from "#contract/site-images.ts";
import type { SiteSettings } from "#contract/site-settings.ts";

/** An email but for its recipient. What names the site is a mark until it is put into the outbox. */
export type MailText = { subject: string; text: string; html: string };

/** What an email says, as plain text; everything is escaped where it is put into HTML. */
type MailContent = {
  subject: string;
  /** The line that mail programs show beside the subject. */
  preview: string;
  heading: string;
  greeting: string;
  paragraphs: string[];
  /** Someone's own words, set apart and with their line breaks. */
  quote?: string;
  button: { label: string; link: string };
  /** Said under the button: how long it works, what to do if it was not you. */
  notes: string[];
  /** Why this email came. */
  reason: string;
};

/** Stands in emails for what the site is called. */
export const siteName = markOf("name");
const marks = {
  ...{ signature: markOf("signature"), imprint: markOf("imprint"), brand: markOf("brand") },
  ...{ accent: markOf("accent"), onAccent: markOf("onAccent"), linkColor: markOf("linkColor") },
  ...{ darkAccent: markOf("darkAccent"), onDarkAccent: markOf("onDarkAccent") },
};

/** An email with what the site is called and who runs it. */
export const fillMail = <Mail extends MailText>(mail: Mail, site: SiteSettings, appUrl: string): Mail => {
  const known = filled.get(site);
  const values = known?.appUrl === appUrl ? known : valuesOf(site, appUrl);
  filled.set(site, values);
  const { texts, markup } = values;
  return {
    ...mail,
    subject: fillMarks(mail.subject, texts),
    text: fillMarks(mail.text, texts),
    html: fillMarks(mail.html, markup),
  };
};

// Settings are never changed in place: what follows from them is made once for each change.
const filled = new WeakMap<SiteSettings, ReturnType<typeof valuesOf>>();

const valuesOf = (site: SiteSettings, appUrl: string) => {
  const { name, legalName, address, supportEmail } = site;
  const lines = [legalName, address, supportEmail].filter((line) => line !== "");
  const imprint = lines.map((line) => `<br>${escapeHtml(line)}`).join("");
  return {
    appUrl,
    texts: { name, signature: [name, ...lines].join("\n") },
    markup: { name: escapeHtml(name), imprint, brand: brandOf(site, appUrl), ...mailColors(site) },
  };
};

// Of the logo in emails, in pixels.
const logoHeight = 32;
const logoMostWidth = 280;

/** The logo, where there is one that mail programs can show, else the site's name. */
const brandOf = ({ name, logo }: SiteSettings, appUrl: string): string => {
  const file = imageFor(logo, "email");
  if (file === null || file.type === "svg" || file.type === "webp") return escapeHtml(name);
  const height = Math.min(logoHeight, (logoMostWidth * file.height) / file.width);
  const size = `width="${Math.round((height * file.width) / file.height)}" height="${Math.round(height)}"`;
  return `<img class="logo" src="${escapeHtml(appUrl + file.address)}" ${size} alt="${escapeHtml(name)}" style="${styles.logo}">`;
};

/** The colors of both themes; those of the color that no one has changed were chosen by hand. */
const mailColors = ({ accent }: SiteSettings) => {
  if (accent === programSite.accent)
    return {
      ...{ accent: "#007b70", onAccent: "#ffffff", linkColor: "#00695f" },
      ...{ darkAccent: "#3dbbae", onDarkAccent: "#06201d" },
    };
  const [light, dark] = [accentFor(accent, "light"), accentFor(accent, "dark")];
  return {
    ...{ accent: light.color, onAccent: light.text, linkColor: light.color },
    ...{ darkAccent: dark.color, onDarkAccent: dark.text },
  };
};

/** Renders an email as text and as HTML that needs nothing from elsewhere but the site's logo and suits light and dark mail programs. */
export const renderMail = ({ quote, ...rest }: MailContent): MailText => {
  // No one's words are marks to fill.
  const content = quote === undefined ? rest : { ...rest, quote: quote.replace(/[\ue000\ue001]/g, "") };
  return { subject: content.subject, text: asText(content), html: asHtml(content) };
};

const asText = ({ heading, greeting, paragraphs, quote, button, notes, reason }: MailContent): string =>
  [
    heading,
    greeting,
    ...paragraphs,
    ...(quote === undefined ? [] : [quote.replace(/^/gm, "> ")]),
    `${button.label}:\n${button.link}`,
    ...notes,
    `--\n${reason}\n${marks.signature}`,
  ]
    .join("\n\n")
    .concat("\n");

const asHtml = (content: MailContent): string => {
  const { subject, preview, heading, greeting, paragraphs, quote, button, notes, reason } = content;
  const link = escapeHtml(button.link);
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(subject)}</title>
<style>${styleSheet}</style>
</head>
<body class="page" style="${styles.page}">
<div style="${styles.preview}">${escapeHtml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="${styles.outer}"><tr><td align="center" style="${styles.margin}">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.column}">
<tr><td class="brand" style="${styles.brand}">${marks.brand}</td></tr>
<tr><td class="card" style="${styles.card}">
<h1 class="strong" style="${styles.heading}">${escapeHtml(heading)}</h1>
${[greeting, ...paragraphs].map(paragraph).join("\n")}${quote === undefined ? "" : `\n${quoted(quote)}`}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" class="button-row" style="${styles.buttonRow}"><tr><td class="button" bgcolor="${marks.accent}" style="${styles.buttonCell}">
<a href="${link}" class="button-text" style="${styles.button}">${escapeHtml(button.label)}</a>
</td></tr></table>
<p class="soft" style="${styles.note}">If the button does not work, open this link:<br><a href="${link}" class="link" style="${styles.link}">${link}</a></p>
${notes.map(note).join("\n")}
</td></tr>
<tr><td class="soft" style="${styles.footer}">${escapeHtml(reason)}${marks.imprint}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
};

const paragraph = (text: string): string =>
  `<p class="body" style="${styles.paragraph}">${escapeHtml(text)}</p>`;

const note = (text: string): string => `<p class="soft" style="${styles.note}">${escapeHtml(text)}</p>`;

// Outlook knows no `white-space`.
const quoted = (text: string): string =>
  `<div class="body quote" style="${styles.quote}">${escapeHtml(text).replaceAll("\n", "<br>\n")}</div>`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it must appear in HTML, inside a quoted attribute as well as between tags. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Inline styles, the only ones that every mail program reads: the light theme. */
const styles = {
  page: `margin:0;padding:0;background-color:#f6f4f1;font-family:${fonts};-webkit-text-size-adjust:100%`,
  preview:
    "display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:#f6f4f1",
  outer: "background-color:#f6f4f1",
  margin: "padding:32px 16px",
  column: "max-width:560px;margin:0 auto",
  brand: `padding:0 4px 16px;font-size:16px;line-height:24px;font-weight:600;color:${marks.accent};letter-spacing:-0.01em`,
  logo: "display:block;border:0",
  card: "padding:32px 32px 20px;background-color:#ffffff;border:1px solid #e4e0db;border-radius:10px",
  heading:
    "margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#1c1917;letter-spacing:-0.01em",
  paragraph: "margin:0 0 16px;font-size:16px;line-height:24px;color:#3a3632",
  quote:
    "margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #e4e0db;font-size:16px;line-height:24px;color:#3a3632;overflow-wrap:anywhere",
  buttonRow: "margin:24px 0",
  buttonCell: `border-radius:8px;background-color:${marks.accent}`,
  button: `display:inline-block;padding:12px 24px;font-size:16px;line-height:20px;font-weight:600;color:${marks.onAccent};text-decoration:none;border-radius:8px`,
  note: "margin:0 0 12px;font-size:14px;line-height:20px;color:#6b645d",
  link: `color:${marks.linkColor};text-decoration:underline;word-break:break-all`,
  footer: "padding:16px 4px 0;font-size:13px;line-height:20px;color:#6b645d",
} as const;

/** The dark theme and small screens, for the programs that read a style sheet. */
const styleSheet = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:24px 20px 12px!important}.button-row{width:100%!important}.button-text{display:block!important;text-align:center!important}}
@media (prefers-color-scheme:dark){
.page{background-color:#171614!important}
.card{background-color:#201e1c!important;border-color:#37332f!important}
.brand{color:${marks.darkAccent}!important}
.logo{background-color:#f6f4f1!important;padding:4px 8px!important;border-radius:6px!important}
.strong{color:#f5f3f0!important}
.body{color:#d9d4ce!important}
.soft{color:#a8a199!important}
.quote{border-color:#37332f!important}
.link{color:${marks.darkAccent}!important}
.button,.button-text{background-color:${marks.darkAccent}!important;color:${marks.onDarkAccent}!important}
}`;

const maxLength = 60;

// What mail programs turn into a link, or people into an address. Anyone can register a stranger's address under a
// "name" that advertises. The dots are full stop, one dot leader and the ideographic ones.
const linkLike = /[/\\@:]|www[.\u3002]|[.\u2024\u3002\uff61]\p{L}{2,}|\d[.\u2024\u3002\uff61]\d/iu;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** `Hello Ada,`, the name cut to 60 characters; without the name when it is empty or could carry a link. */
export const greeting = (name: string): string => {
  const shown = shownName(name);
  return shown === null ? "Hello," : `Hello ${shown},`;
};

/** A name cut to 60 characters; `null` when it is empty or could carry a link. */
export const shownName = (name: string): string | null => {
  const plain = name.replace(invisible, " ").replace(/\s+/g, " ").trim();
  if (plain === "" || linkLike.test(plain) || linkLike.test(plain.normalize("NFKC"))) return null;
  const characters = [...plain];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : plain;
};
