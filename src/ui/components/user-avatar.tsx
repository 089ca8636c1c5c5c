import { UserRound } from "lucide-react";

/** A round badge with a person's initials; a figure while the name is not known. */
export const UserAvatar = ({ name }: { name: string | null }) => (
  <span
    aria-hidden="true"
    className="grid size-8 place-items-center rounded-full bg-primary font-semibold text-primary-foreground text-xs"
  >
    {name === null ? <UserRound className="size-4" /> : initials(name)}
  </span>
);

/** First letters of the first and the last word: "Ada King Lovelace" is "AL", "Plato" is "P". */
export const initials = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
};

/** Names the button with the initials that it shows: who says what they see to the computer presses it. */
export const accountMenuLabel = (name: string | null): string =>
  name === null ? "Account menu" : `Account menu: ${initials(name)}`;

/** Classes of the avatar button, before and after the menu's code is there. */
export const avatarButtonClasses = "grid size-11 cursor-pointer place-items-center rounded-full md:size-9";
