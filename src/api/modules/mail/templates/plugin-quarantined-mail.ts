import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** A plugin that failed too often; `reason` is a sentence, `link` leads to its page. */
export type QuarantinedPlugin = { name: string; plugin: string; reason: string; link: string };

/** Tells an admin that a plugin was switched off for a while. */
export const pluginQuarantinedMail = ({ name, plugin, reason, link }: QuarantinedPlugin): MailText =>
  renderMail({
    subject: "A plugin was switched off because it keeps failing",
    preview: `The plugin ${plugin} keeps failing.`,
    heading: "A plugin keeps failing",
    greeting: greeting(name),
    paragraphs: [
      `The plugin ${plugin} failed too often and was switched off. ${reason}`,
      "It is started again automatically after 1, 5 and 30 minutes. If it still fails then, it stays off until an administrator enables it.",
    ],
    button: { label: "Open the plugin", link },
    notes: ["Its page shows the reason and its log."],
    reason: "You get this mail because you are an administrator of this site.",
  });
