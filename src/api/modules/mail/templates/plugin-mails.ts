import type { Circumstances } from "#api/core/circumstances.ts";
import { circumstanceLines } from "./account-mails.ts";
import { greeting, type MailText, renderMail } from "./layout.ts";

/** A plugin that was switched off; `reason` is a sentence, `isFinal` when it isn't started again, `link` leads to its page. */
type QuarantinedPlugin = {
  name: string;
  plugin: string;
  reason: string;
  isFinal: boolean;
  link: string;
};

/** Tells an admin that a plugin was switched off, for a while or until someone enables it. */
export const pluginQuarantinedMail = ({ name, plugin, reason, isFinal, link }: QuarantinedPlugin): MailText =>
  renderMail({
    ...(isFinal
      ? {
          subject: "A plugin stays off until you enable it",
          preview: `The plugin ${plugin} was turned off.`,
          heading: "A plugin was turned off",
        }
      : {
          subject: "A plugin was turned off because it keeps failing",
          preview: `The plugin ${plugin} keeps failing.`,
          heading: "A plugin keeps failing",
        }),
    greeting: greeting(name),
    paragraphs: isFinal
      ? [
          `The plugin ${plugin} was turned off on all servers. ${reason}`,
          "It stays off until an administrator enables it.",
        ]
      : [
          `The plugin ${plugin} failed too often and was turned off. ${reason}`,
          "It is started again automatically after 1, 5 and 30 minutes. If it still fails then, it stays off until an administrator enables it.",
        ],
    button: { label: "Open the plugin", link },
    notes: ["Its page shows the reason and its log."],
    reason: "You get this email because you are an administrator of this site.",
  });

/** A plugin whose publisher another admin replaced; `name` is who gets the email, `link` leads to the plugin's page. */
type ReplacedPublisher = Circumstances & {
  name: string;
  plugin: string;
  fromName: string;
  toName: string;
  link: string;
};

/** Tells an admin that code of another publisher runs under a plugin's name. */
export const publisherReplacedMail = ({
  name,
  plugin,
  fromName,
  toName,
  link,
  ...circumstances
}: ReplacedPublisher): MailText =>
  renderMail({
    subject: "A plugin has a new publisher",
    preview: `${plugin} is now published by ${toName}.`,
    heading: "A plugin has a new publisher",
    greeting: greeting(name),
    paragraphs: [
      `The publisher of the plugin ${plugin} was replaced: it was ${fromName}, and is now ${toName}.`,
      "The new plugin starts without the settings, secrets, data, files and permissions of the old one. They are kept for the old publisher.",
      ...circumstanceLines(circumstances),
    ],
    button: { label: "Open the plugin", link },
    notes: ["If none of the administrators meant to do this, disable the plugin and change your passwords."],
    reason: "You get this email because you are an administrator of this site.",
  });

/** What a plugin wrote, its title, and where admins find it. */
type PluginMail = { subject: string; message: string; plugin: string; link: string };

/** Brings what a plugin wrote to someone, and says whose words they are. */
export const pluginMail = ({ subject, message, plugin, link }: PluginMail): MailText =>
  renderMail({
    subject,
    preview: `A message from the plugin ${plugin}.`,
    heading: subject,
    greeting: "Hello,",
    paragraphs: [`The plugin ${plugin} of this site wrote:`],
    quote: message,
    button: { label: "Open the plugin", link },
    notes: ["The plugin's page is only for administrators of the site."],
    reason: `You get this email because the plugin ${plugin} sent it to this address.`,
  });
