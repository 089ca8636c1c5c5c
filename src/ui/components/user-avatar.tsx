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
