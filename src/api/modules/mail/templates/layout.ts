import { escapeHtml } from "./escape-html.ts";
import { styleSheet, styles } from "./mail-styles.ts";

/** A mail but for its recipient. */
export type MailText = { subject: string; text: string; html: string };

/** What a mail says, as plain text; everything is escaped where it is put into HTML. */
export type MailContent = {
  subject: string;
  /** The line that mail programs show beside the subject. */
  preview: string;
  heading: string;
  greeting: string;
  paragraphs: string[];
  /** Somebody's own words, set apart and with their line breaks. */
  quote?: string;
  button: { label: string; link: string };
  /** Said under the button: how long it works, what to do if it was not you. */
  notes: string[];
  /** Why this mail came. */
  reason: string;
};

/** Renders a mail as text and as HTML that needs nothing from elsewhere and suits light and dark mail programs. */
export const renderMail = (content: MailContent): MailText => ({
  subject: content.subject,
  text: asText(content),
  html: asHtml(content),
});

const asText = ({ heading, greeting, paragraphs, quote, button, notes, reason }: MailContent): string =>
  [
    heading,
    greeting,
    ...paragraphs,
    ...(quote === undefined ? [] : [quote.replace(/^/gm, "> ")]),
    `${button.label}:\n${button.link}`,
    ...notes,
    `--\n${reason}\nAtrium`,
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
<tr><td class="brand" style="${styles.brand}">Atrium</td></tr>
<tr><td class="card" style="${styles.card}">
<h1 class="strong" style="${styles.heading}">${escapeHtml(heading)}</h1>
${[greeting, ...paragraphs].map(paragraph).join("\n")}${quote === undefined ? "" : `\n${quoted(quote)}`}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" class="button-row" style="${styles.buttonRow}"><tr><td class="button" bgcolor="#007b70" style="${styles.buttonCell}">
<a href="${link}" class="button-text" style="${styles.button}">${escapeHtml(button.label)}</a>
</td></tr></table>
<p class="soft" style="${styles.note}">If the button does not work, open this link:<br><a href="${link}" class="link" style="${styles.link}">${link}</a></p>
${notes.map(note).join("\n")}
</td></tr>
<tr><td class="soft" style="${styles.footer}">${escapeHtml(reason)}</td></tr>
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
