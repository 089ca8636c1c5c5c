import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** A plugin that was switched off; `reason` is a sentence, `isFinal` when it isn't started again, `link` leads to its page. */
export type QuarantinedPlugin = {
  name: string;
  plugin: string;
  reason: string;
  isFinal: boolean;
  link: string;
};

/** Tells an admin that a plugin was switched off, for a while or until somebody enables it. */
export const pluginQuarantinedMail = ({ name, plugin, reason, isFinal, link }: QuarantinedPlugin): MailText =>
  renderMail({
    ...(isFinal
      ? {
          subject: "A plugin stays off until you enable it",
          preview: `The plugin ${plugin} was switched off.`,
          heading: "A plugin was switched off",
        }
      : {
          subject: "A plugin was switched off because it keeps failing",
          preview: `The plugin ${plugin} keeps failing.`,
          heading: "A plugin keeps failing",
        }),
    greeting: greeting(name),
    paragraphs: isFinal
      ? [
          `The plugin ${plugin} was switched off on all servers. ${reason}`,
          "It isn't started again automatically: it stays off until an administrator enables it.",
        ]
      : [
          `The plugin ${plugin} failed too often and was switched off. ${reason}`,
          "It is started again automatically after 1, 5 and 30 minutes. If it still fails then, it stays off until an administrator enables it.",
        ],
    button: { label: "Open the plugin", link },
    notes: ["Its page shows the reason and its log."],
    reason: "You get this mail because you are an administrator of this site.",
  });
