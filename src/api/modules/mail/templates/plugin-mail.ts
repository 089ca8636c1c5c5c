import { type MailText, renderMail } from "./layout.ts";

/** What a plugin wrote, its title, and where admins find it. */
export type PluginMail = { subject: string; message: string; plugin: string; link: string };

/** Brings what a plugin wrote to somebody, and says whose words they are. */
export const pluginMail = ({ subject, message, plugin, link }: PluginMail): MailText =>
  renderMail({
    subject,
    preview: `A message of the plugin ${plugin}.`,
    heading: subject,
    greeting: "Hello,",
    paragraphs: [`The plugin ${plugin} of this site wrote:`],
    quote: message,
    button: { label: "Open the plugin", link },
    notes: ["The page of the plugin is for administrators of the site."],
    reason: `You get this mail because the plugin ${plugin} sent it to this address.`,
  });
