import { hasUnprintable } from "#contract/account-rules.ts";

/** Whether people can be shown a text of a plugin as it is: besides line breaks it holds nothing that shows nothing or turns the text around it. */
export const isShown = (text: string): boolean => !hasUnprintable(text.replaceAll("\n", ""));
