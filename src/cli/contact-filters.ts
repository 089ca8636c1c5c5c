import { type Command, Option } from "commander";
import { type ContactSubject, contactSubjects } from "#contract/contact-rules.ts";
import { given } from "./given.ts";

/** Which messages are wanted. */
export type ContactFilters = { search?: string; subject?: ContactSubject; status?: "open" | "handled" };

/** Adds the options by which messages are picked. */
export const withContactFilters = (command: Command): Command =>
  command
    .option("--search <text>", "only messages with this in their name, address or text, in any case")
    .addOption(new Option("--subject <subject>", "only messages on this subject").choices(contactSubjects))
    .addOption(new Option("--status <status>", "only messages in this state").choices(["open", "handled"]));

/** The filters that were typed, for a query. */
export const contactQuery = ({ search, subject, status }: ContactFilters) =>
  given({ search, subject, status });
