import type { Circumstances } from "#api/core/circumstances.ts";
import { circumstanceLines } from "./circumstance-lines.ts";
import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** A plugin whose publisher another admin replaced; `name` is who gets the mail, `link` leads to the plugin's page. */
export type ReplacedPublisher = Circumstances & {
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
    notes: [
      "If nobody among the administrators meant to do this, disable the plugin and change your passwords.",
    ],
    reason: "You get this mail because you are an administrator of this site.",
  });
