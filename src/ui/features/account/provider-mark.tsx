import { CircleUserRound, GitBranch } from "lucide-react";
import type { ProviderName } from "#contract/users.ts";

const marks = { google: CircleUserRound, github: GitBranch } as const;

/** A plain sign for a provider, in the text's colour; the providers' own logos are theirs. */
export const ProviderMark = ({ name }: { name: ProviderName }) => {
  const Mark = marks[name];
  return <Mark aria-hidden="true" />;
};
